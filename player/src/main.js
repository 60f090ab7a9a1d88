// The page: opens the runs, builds picture, plots and controls, and lets tests and scripts look in.
import { App } from "./app.js";
import { inflate } from "./decode.js";
import { Engine } from "./engine.js";
import { Live } from "./live.js";
import { LiveRun } from "./liverun.js";
import { Run } from "./run.js";
import { say } from "./notes.js";
import { stageOf } from "./stage.js";

async function open() {
  const header = JSON.parse(document.getElementById("header").textContent);
  if (typeof DecompressionStream === "undefined") {
    say("This browser is too old to unpack the motion. Any browser of 2023 or later can.");
    throw new Error("DecompressionStream is missing");
  }
  // Unpacking and compiling go on elsewhere while the graphics card gets ready here.
  const compiled = [];
  const opening = header.runs.map((each, i) => opened(each, i, compiled));
  const stage = stageOf(document.getElementById("picture"));
  const runs = await Promise.all(opening);
  const app = new App(header, runs, stage);
  // With their getters: frame, time and so on are asked when they are read.
  Object.defineProperties(window.dalembert, Object.getOwnPropertyDescriptors(api(app, runs)));
  return window.dalembert;
}

async function opened(header, i, compiled) {
  const { live } = header;
  if (!live) return new Run(header, await unpacked(`data-${i}`));
  const model = modelOf(live, i, compiled);
  const run = new LiveRun(header, await unpacked(`data-${i}`));
  run.attach(await model);
  return run;
}

/** The model of a run that is simulated here; runs of one kind share their kernels. */
async function modelOf({ engine, kernels, code }, i, compiled) {
  for (const k of kernels) compiled[k] ??= unpacked(`kernels-${k}`).then((bytes) => WebAssembly.compile(bytes));
  const bytes = await unpacked(`engine-${i}`);
  return new Live(await Engine.open(engine, [...kernels.map((k) => compiled[k]), bytes.subarray(0, code)], bytes.subarray(code)));
}

async function unpacked(name) {
  const block = document.getElementById(name);
  const bytes = inflate(block.textContent);
  block.remove(); // the text is not needed any more
  return bytes;
}

/** What tests and scripts may use; run 0 is the first. */
function api(app, runs) {
  const found = (list, name, what) => {
    const index = list.findIndex((item) => item.name === name);
    if (index < 0) throw new Error(`no ${what} ${name}; there are: ${list.map((item) => item.name).join(", ")}`);
    return index;
  };
  const triple = (array, i) => [array[3 * i], array[3 * i + 1], array[3 * i + 2]];
  return {
    app,
    get frames() { return runs[0].frames; },
    get frame() { return runs[0].frameAt(app.clock.time); },
    get time() { return app.clock.time; },
    get speed() { return app.clock.speed; },
    set speed(value) { app.clock.setSpeed(value); },
    get playing() { return app.clock.playing; },
    setFrame(frame) {
      app.clock.pause();
      app.clock.seek(runs[0].timeOf(frame));
      app.draw();
    },
    setTime(time) {
      app.clock.pause();
      app.clock.seek(time);
      app.draw();
    },
    play: () => app.clock.play(),
    pause: () => app.clock.pause(),
    png: () => app.capture.png(),
    video: () => app.capture.video(),
    view: (name) => { app.eye.go(name, false); app.draw(); },
    bodies: (run = 0) => runs[run].scene.bodies.map((body) => body.name),
    points: (run = 0) => runs[run].scene.points.map((point) => point.name),
    bodyPosition: (name, run = 0) => triple(runs[run].p, found(runs[run].scene.bodies, name, "body")),
    bodyRotation(name, run = 0) {
      const i = found(runs[run].scene.bodies, name, "body");
      return [...runs[run].q.slice(4 * i, 4 * i + 4)];
    },
    pointPosition: (name, run = 0) => triple(runs[run].at, found(runs[run].scene.points, name, "point")),
    arrows: (run = 0) => runs[run].scene.arrows.map((arrow, i) => ({
      name: arrow.name, kind: arrow.kind, unit: arrow.unit,
      tail: triple(runs[run].tail, i), vector: triple(runs[run].vector, i),
      shown: app.views[run].arrows.shown[arrow.kind], length: app.views[run].arrows.lengthOf(i),
    })),
    plots: () => app.plots.plots.map((plot) => ({ title: plot.title.textContent, curves: plot.ids, cursor: plot.cursor, readings: plot.readings.map((r) => r.textContent) })),
    curve: (id, frame, run = 0) => app.plots.seriesOf(run, id)?.[frame],
    curves: (run = 0) => app.plots.curves[run].list.map((curve) => curve.id),
    /** Where the drawn instance of a body's first shape stands: what the picture really shows. */
    drawn: (name, run = 0) => app.views[run].mechanism.drawnAt(found(runs[run].scene.bodies, name, "body")),
    project: (place, run = 0) => app.project(place, run),
    live: app.live,
  };
}

window.dalembert = { ready: null };
window.dalembert.ready = open();
window.dalembert.ready.catch((problem) => {
  // A missing WebGL and an old browser are said on the page; anything else is a fault of ours.
  if (!document.getElementById("note").textContent) say(`The page could not be opened: ${problem.message}`);
});
