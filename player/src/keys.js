// The keyboard. Keys that a focused control needs for itself are left to it.

const VIEWS = { 1: "front", 2: "side", 3: "top", 4: "iso", 5: "fit" };

const MOVES = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"]; // of a slider

export function keys(app) {
  const { clock, controls } = app;
  const tick = (name) => document.getElementById(name).click();
  const actions = {
    " ": () => clock.toggle(),
    ArrowLeft: (event) => (event.shiftKey ? clock.seek(clock.time - 1) : controls.step(-1)),
    ArrowRight: (event) => (event.shiftKey ? clock.seek(clock.time + 1) : controls.step(1)),
    Home: () => controls.toStart(),
    End: () => clock.seek(clock.end),
    "+": () => clock.faster(1),
    "=": () => clock.faster(1),
    "-": () => clock.faster(-1),
    a: () => controls.toggleArrows(),
    "[": () => controls.setScale(Number(document.getElementById("scale").value) - 0.1),
    "]": () => controls.setScale(Number(document.getElementById("scale").value) + 0.1),
    t: () => tick("trails-box"),
    n: () => tick("names-box"),
    x: () => tick("frames-box"),
    j: () => tick("joints-box"),
    g: () => tick("grid-box"),
    p: () => controls.togglePanel(),
    d: () => app.toggleTheme(),
    l: () => controls.toggleLoop(),
    f: () => follow(app),
    c: () => compare(app),
    s: () => app.capture.png(),
    v: () => app.capture.video(),
    w: () => app.capture.fullScreen(),
    "?": () => controls.help(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("help").open) return;
    const focused = document.activeElement;
    if (focused?.matches("select, input[type=number]")) return; // whoever types numbers chooses no view
    if (focused?.matches(".knob input[type=range]") && MOVES.includes(event.key)) return;
    if (event.key === " " && focused?.matches("button, input, summary")) return;
    const view = VIEWS[event.key];
    if (view) {
      app.eye?.go(view);
      controls.update();
    } else if (actions[event.key]) actions[event.key](event);
    else return;
    event.preventDefault();
  });
}

/** The body under the pointer, else none; without either the first that moves. */
function follow(app) {
  const found = app.pointer?.found;
  const { bodies, points } = app.runs[0].scene;
  if (found?.tag.kind === "body") app.controls.setFollow(bodies[found.tag.index].name);
  else if (found?.tag.kind === "point") app.controls.setFollow(points[found.tag.index].name);
  else if (app.follow) app.controls.setFollow("");
  else {
    const first = bodies[0] ?? points.find((point) => !point.fixed);
    if (first) app.controls.setFollow(first.name);
  }
}

function compare(app) {
  if (app.runs.length < 2) return;
  const menu = document.getElementById("layout");
  menu.selectedIndex = (menu.selectedIndex + 1) % menu.options.length;
  app.setLayout(menu.value);
}
