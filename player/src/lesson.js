// A lesson: its models are opened when they come near, all by one text of the player.
const text = (id) => document.getElementById(id).textContent;
const block = (id, from) => `<script type="application/octet-stream" id="${id}">${text(from)}</script>`;
const NEAR = "600px"; // how far below the window a model is opened

/** The page of a model, from the parts that stand once in the lesson. */
function pageOf(model) {
  const header = text(`header-${model}`);
  const { runs } = JSON.parse(header);
  const kernels = new Set(runs.flatMap((run) => run.live.kernels));
  const own = runs.flatMap((_, i) => [block(`data-${i}`, `data-${model}-${i}`), block(`engine-${i}`, `engine-${model}-${i}`)]);
  const shared = [...kernels].map((k) => block(`kernels-${k}`, `kernels-${k}`));
  const parts = {
    ...JSON.parse(text(`parts-${model}`)), // written by dalembert, names escaped
    STYLE: text("style"), HEADER: header, DATA: [...own, ...shared].join("\n"), PLAYER: text("player"),
  };
  return JSON.parse(text("page")).split("%%").map((piece, i) => (i % 2 ? parts[piece] : piece)).join("");
}

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    target.srcdoc = pageOf(target.dataset.model);
  }
}, { rootMargin: NEAR });
for (const frame of document.querySelectorAll("iframe[data-model]")) seen.observe(frame);
