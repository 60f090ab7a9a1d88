// Buttons, sliders and menus of the page.
import { COLORS } from "./arrows.js";
import { SPEEDS } from "./clock.js";
import { fidelityLine, fidelityRows, ofOthers } from "./notes.js";

const id = (name) => document.getElementById(name);
const TRAILS = ["#d1495b", "#2e86ab", "#edae49", "#3a9d6e", "#8f6bb3", "#e07a3f"];

export class Controls {
  constructor(app) {
    this.app = app;
    const { clock, runs, live } = app;
    this.scrub = id("scrub");
    this.scrub.max = live ? "1000" : String(Math.max(...runs.map((run) => run.frames)) - 1);
    this.digits = clock.end - clock.begin < 10 ? 3 : 2;
    this.playing();
    this.views();
    this.show();
    this.trails();
    this.report();
    this.windows();
    this.update();
  }

  playing() {
    const { clock } = this.app;
    const { scrub } = this;
    scrub.addEventListener("input", () => clock.seek(clock.begin + (scrub.value / scrub.max) * (clock.end - clock.begin)));
    id("play").addEventListener("click", () => clock.toggle());
    id("start").addEventListener("click", () => this.toStart());
    id("back").addEventListener("click", () => this.step(-1));
    id("forth").addEventListener("click", () => this.step(1));
    id("loop").addEventListener("click", () => this.toggleLoop());
    const speed = id("speed");
    const speeds = SPEEDS.includes(clock.speed) ? SPEEDS : [...SPEEDS, clock.speed].sort((a, b) => a - b);
    for (const value of speeds) speed.append(new Option(`${value} ×`, String(value)));
    speed.addEventListener("change", () => clock.setSpeed(Number(speed.value)));
  }

  toggleLoop() {
    const { clock } = this.app;
    clock.loop = !clock.loop;
    id("loop").setAttribute("aria-pressed", String(clock.loop));
  }

  toStart() {
    const { clock, live } = this.app;
    if (live) live.reset();
    else clock.seek(clock.begin);
  }

  /** To a whole frame of the first run, so many on; from the present of a model, one step. */
  step(count) {
    const { clock, live } = this.app, runs = live ? clock.runs : this.app.runs;
    clock.pause();
    if (live && count > 0 && clock.time >= clock.end) {
      clock.once();
      return;
    }
    const now = runs[0].frameAt(clock.time);
    const next = count < 0 ? Math.ceil(now - 1e-6) + count : Math.floor(now + 1e-6) + count;
    clock.seek(runs[0].timeOf(Math.min(runs[0].frames - 1, Math.max(0, next))));
  }

  views() {
    this.cameras = [...document.querySelectorAll("#cameras button")];
    for (const button of this.cameras) {
      button.addEventListener("click", () => {
        this.app.eye?.go(button.dataset.view);
        this.update();
      });
    }
  }

  show() {
    const { app } = this;
    const box = (name, set) => id(name).addEventListener("change", (event) => {
      set(event.target.checked);
      app.dirty = app.stale = true;
    });
    box("joints-box", (on) => { for (const { mechanism, ghost } of app.views) for (const m of [mechanism, ghost]) m?.setLayer("joints", on); });
    box("grid-box", (on) => {
      if (!app.stage) return;
      app.stage.showGrid(on);
      id("corner").hidden = !on || !app.stage.hasGrid;
    });
    box("names-box", (on) => app.labels?.show(on));
    box("frames-box", (on) => { if (app.frames) app.frames.all = on; });
    this.arrowKinds();
    const follow = id("follow");
    const { bodies, points } = app.runs[0].scene;
    for (const { name } of [...bodies, ...points.filter((p) => p.body === null && !p.fixed)]) follow.append(new Option(name, name));
    follow.addEventListener("change", () => app.setFollow(follow.value));
    if (app.settings.follow) this.setFollow(app.settings.follow);
    id("layout-row").hidden = app.runs.length < 2;
    app.runs.forEach((run, r) => id("layout").append(new Option(`only ${run.label}`, `only-${r}`)));
    id("layout").value = app.layout;
    id("layout").addEventListener("change", (event) => app.setLayout(event.target.value));
  }

  setFollow(name) {
    id("follow").value = name ?? "";
    this.app.setFollow(name);
  }

  arrowKinds() {
    const { app } = this;
    const kinds = [...new Set(app.views.flatMap((view) => view.arrows.kinds))];
    id("arrows-row").hidden = id("scale-row").hidden = !kinds.length;
    this.kindBoxes = kinds.map((kind) => {
      const label = document.createElement("label");
      const box = Object.assign(document.createElement("input"), { type: "checkbox", id: `arrows-${kind}` });
      box.style.accentColor = COLORS[kind];
      label.append(box, ` ${kind}s`);
      id("arrow-kinds").append(label);
      box.addEventListener("change", () => this.setArrows(kind, box.checked));
      if (app.settings.arrows) {
        box.checked = true;
        this.setArrows(kind, true);
      }
      return box;
    });
    id("scale").addEventListener("input", () => this.setScale(Number(id("scale").value)));
  }

  setArrows(kind, on) {
    for (const { arrows } of this.app.views) arrows.shown[kind] = on;
    this.app.dirty = true;
  }

  toggleArrows() {
    const on = !this.kindBoxes.some((box) => box.checked);
    for (const box of this.kindBoxes) if (box.checked !== on) box.click();
  }

  /** The slider is a power of ten. */
  setScale(power) {
    const bounded = Math.min(2, Math.max(-2, power));
    id("scale").value = String(bounded);
    const scale = 10 ** bounded;
    id("scale-value").textContent = `× ${scale < 0.995 ? scale.toPrecision(2) : scale < 10 ? scale.toFixed(1).replace(".0", "") : Math.round(scale)}`;
    for (const { arrows } of this.app.views) arrows.scale = scale;
    this.app.dirty = true;
  }

  // ---- trails ------------------------------------------------------------------------------

  trails() {
    const { app } = this;
    if (!app.stage) return;
    const { scene } = app.runs[0];
    const menu = id("trail-of");
    const names = new Map();
    scene.points.forEach((point, i) => { if (!point.fixed && point.body !== -1) names.set(`point:${i}`, point.name); });
    scene.bodies.forEach((body, i) => names.set(`body:${i}`, body.name));
    for (const [key, name] of names) menu.append(new Option(name, key));
    const wanted = app.settings.trails;
    const byName = (name) => [...names].find(([, known]) => known === name)?.[0];
    const usual = () => (scene.trails.length ? scene.trails.map((i) => `point:${i}`) : farthestBody(app.runs[0])).filter((key) => names.has(key));
    this.chosen = Array.isArray(wanted) ? wanted.map(byName).filter(Boolean) : usual();
    menu.addEventListener("change", () => {
      const key = menu.value;
      menu.selectedIndex = 0;
      if (!key) return;
      this.chosen = this.chosen.includes(key) ? this.chosen.filter((k) => k !== key) : [...this.chosen, key];
      this.setTrails(true);
    });
    id("trails-box").addEventListener("change", (event) => this.setTrails(event.target.checked));
    id("trail-length").addEventListener("change", (event) => {
      for (const { trails } of app.views) trails.seconds = Number(event.target.value);
      app.dirty = true;
    });
    this.names = names;
    this.setTrails(wanted !== false && this.chosen.length > 0);
  }

  setTrails(on) {
    if (!this.names) return;
    if (on && !this.chosen.length) this.chosen = [...this.names.keys()].slice(-1);
    id("trails-box").checked = on;
    const keys = on ? this.chosen : [];
    for (const { trails } of this.app.views) {
      for (const key of [...trails.lines.keys()]) if (!keys.includes(key)) trails.remove(key);
      keys.forEach((key, i) => trails.add(key, TRAILS[i % TRAILS.length]));
    }
    for (const option of id("trail-of").options) {
      if (this.names.has(option.value)) option.textContent = `${keys.includes(option.value) ? "✓ " : ""}${this.names.get(option.value)}`;
    }
    this.app.dirty = true;
  }

  // ---- what is said ------------------------------------------------------------------------

  report() {
    const { app } = this;
    if (app.live) return;
    const chip = id("fidelity"), box = id("report");
    const reports = app.runs.map((run) => run.header.report).filter(Boolean);
    chip.hidden = !reports.length;
    if (!reports.length) return;
    const others = reports.length > 1 ? ` · ${ofOthers(reports)}` : "";
    chip.textContent = fidelityLine(reports[0]) + others;
    chip.classList.toggle("doubt", reports[0].verdict === "doubtful");
    chip.classList.toggle("bad", reports[0].verdict === "failed");
    app.runs.forEach((run) => {
      const { report } = run.header;
      if (!report) return;
      const title = document.createElement("h3");
      title.textContent = run.label;
      const table = document.createElement("table");
      for (const [label, text] of fidelityRows(report)) {
        const row = table.insertRow();
        row.append(Object.assign(document.createElement("th"), { textContent: label }));
        row.insertCell().textContent = text;
      }
      box.append(title, table);
    });
    chip.addEventListener("click", () => {
      box.hidden = !box.hidden;
      chip.setAttribute("aria-expanded", String(!box.hidden));
    });
    const first = app.runs[0];
    const precision = first.header.precision;
    id("precision").textContent =
      `${first.frames} moments are carried, places to ${precision.toExponential(0)} m; between them the page interpolates. dalembert ${app.header.version}.`;
  }

  windows() {
    const { app } = this;
    id("theme-button").addEventListener("click", () => app.toggleTheme());
    id("panel-button").addEventListener("click", () => this.togglePanel());
    id("help-button").addEventListener("click", () => this.help());
    id("picture-button").addEventListener("click", () => app.capture.png());
    id("film-button").addEventListener("click", () => app.capture.video());
    id("screen-button").addEventListener("click", () => app.capture.fullScreen());
    for (const name of ["picture-button", "film-button"]) id(name).hidden = !app.stage;
    id("screen-button").hidden = !document.fullscreenEnabled;
    // Where there is room for settings and plots.
    id("show").open = window.innerHeight > 820 && window.innerWidth > 760;
  }

  togglePanel() {
    const closed = this.app.root.classList.toggle("closed");
    id("panel-button").setAttribute("aria-pressed", String(!closed));
    this.app.plots.redraw();
  }

  help() {
    const dialog = id("help");
    if (dialog.open) dialog.close();
    else dialog.showModal();
  }

  update() {
    const { clock } = this.app;
    const span = clock.end - clock.begin;
    const moment = String(span > 0 ? Math.round(((clock.time - clock.begin) / span) * this.scrub.max) : 0);
    if (this.scrub.value !== moment) this.scrub.value = moment;
    const whole = this.app.live ? "" : ` / ${clock.end.toFixed(this.digits)}`;
    const text = `${clock.time.toFixed(this.digits)}${whole} s`;
    id("time").textContent = text;
    this.scrub.setAttribute("aria-valuetext", text);
    if (this.wasPlaying !== clock.playing) {
      this.wasPlaying = clock.playing;
      this.app.root.classList.toggle("playing", clock.playing);
      const word = clock.playing ? "Pause" : "Play";
      id("play").setAttribute("aria-label", word);
      id("play").title = `${word} (space)`;
    }
    if (this.wasSpeed !== clock.speed) {
      this.wasSpeed = clock.speed;
      const menu = id("speed");
      if (![...menu.options].some((option) => Number(option.value) === clock.speed)) menu.append(new Option(`${clock.speed} ×`, String(clock.speed)));
      menu.value = String(clock.speed);
    }
    const preset = this.app.eye && !this.app.eye.touched ? this.app.eye.preset : null;
    if (preset !== this.wasPreset) {
      this.wasPreset = preset;
      for (const button of this.cameras) button.setAttribute("aria-pressed", String(button.dataset.view === preset));
    }
  }
}

const FEW = 4; // bodies up to which one leaves a trail where no point does

/** Key of the body with the longest way, where there are few that move. */
function farthestBody(run) {
  const { bodies, size } = run.scene;
  if (bodies.length > FEW) return [];
  const ways = bodies.map((_, i) => {
    const { places, count } = run.path("body", i, 300);
    let way = 0;
    for (let k = 3; k < 3 * count; k += 3) way += Math.hypot(places[k] - places[k - 3], places[k + 1] - places[k - 2], places[k + 2] - places[k - 1]);
    return way;
  });
  const best = ways.indexOf(Math.max(...ways));
  return ways[best] > 0.02 * size ? [`body:${best}`] : [];
}
