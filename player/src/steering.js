// A page that simulates: sliders, reset, what is saved, and the chip that tells how it goes.
import { Grab } from "./grab.js";
import { copyLink, hasAddress, readSettings, settingsOf, unknownSentence } from "./link.js";
import { Log } from "./log.js";
import { Looks } from "./looks.js";
import { say } from "./notes.js";
import { heldNames, value as valueOf } from "./starting.js";

const GROUPS = { parameter: "Parameters", target: "Targets", force: "Forces", drive: "Drives", gravity: "Gravity" };
const PLOTS_EVERY = 90; // milliseconds between two pictures of the plots
const REHEARSAL = 25; // milliseconds, when nobody waits
const id = (name) => document.getElementById(name);
const short = (x) => (x === 0 ? "0" : Number(x).toExponential(1));

export class Steering {
  constructor(app) {
    this.app = app;
    this.runs = app.runs;
    this.rows = new Map();
    for (const run of this.runs) run.goLive();
    this.looks = this.runs.map((run) => new Looks(run));
    app.clock.take();
    this.worst = null; // largest violation of each run since it began
    this.drawn = 0;
    this.held = false; // by a hand
    if (app.stage) this.grab = new Grab(app, this);
    this.panel();
    this.log = new Log(id("live"), this.runs, app.happened);
    this.log.details.addEventListener("toggle", () => this.log.update());
    this.footer();
    this.tell();
    app.plots.renew();
    (window.requestIdleCallback ?? setTimeout)(() => this.rehearse());
  }

  /** Get ready to play, while nothing moves. */
  rehearse() {
    if (this.app.clock.playing || this.app.clock.end !== this.app.clock.begin) return;
    for (const live of this.lives) live.rehearse(REHEARSAL);
    this.rehearsed = true;
  }

  /** Models that run: all, or that of the method that was chosen. */
  get lives() { return this.app.clock.runs.map((run) => run.live); }

  /** Another layout: a method alone, or all again, each going on from the state that was shown. */
  switched() {
    const { app } = this, { clock } = app;
    const wanted = this.runs.filter((_, r) => app.shows(r));
    const [from] = clock.runs;
    const before = clock.runs;
    clock.runs = wanted;
    this.worst = null;
    const waiting = wanted.filter((run) => !before.includes(run));
    if (waiting.some((run) => String(run.live.spec.names.q) !== String(from.live.spec.names.q))) {
      this.reset(); // in other coordinates: from the start
      return;
    }
    for (const run of waiting) {
      run.live.follow(from.live);
      run.takeOver(from);
    }
    clock.take();
    app.plots.renew();
    this.tell();
  }

  // ---- making ------------------------------------------------------------------------------

  panel() {
    const box = id("live");
    box.hidden = false;
    const buttons = make("div", "row buttons");
    buttons.append(
      this.button("Reset", "Back to the start (Home)", () => this.reset()),
      this.button("All as given", "Parameters and start as the model has them", () => this.asGiven()),
      this.button("Save CSV", "Every moment that is kept, as a table", () => this.save()),
    );
    if (hasAddress()) buttons.append(this.button("Copy link", "The address of this page with the settings in it", () => this.link()));
    box.append(buttons);
    if (this.runs.length > 1) {
      const row = id("layout-row");
      row.querySelector("label").textContent = "Methods";
      box.append(row);
    }
    const groups = new Map();
    for (const knob of this.lives[0].spec.knobs) {
      if (!groups.has(knob.group)) groups.set(knob.group, []);
      groups.get(knob.group).push(knob);
    }
    let first = true;
    for (const [group, knobs] of groups) {
      box.append(this.group(GROUPS[group] ?? group, first, knobs.map((knob) => this.slider(knob.name, knob, (value) => this.turn(knob.name, value)))));
      first = false;
    }
    const { turned } = this.lives[0].spec.initial;
    if (turned.length) {
      const rows = turned.map((entry) => this.slider(`start ${entry.name}`, entry, (value) => this.begin(entry, value)));
      const start = this.group("Start", false, rows);
      start.addEventListener("toggle", () => this.offer(turned, rows), { once: true });
      box.append(start);
    }
  }

  /** Of the start only what can be turned: not what the constraints hold. Looked at when somebody wants to see it. */
  offer(turned, rows) {
    const [live] = this.lives;
    const held = heldNames(live, live.first);
    turned.forEach(({ name }, k) => { rows[k].hidden = held.has(name); });
    if (held.size === turned.length) rows[0].before("The constraints hold all of it.");
  }

  group(title, open, rows) {
    const details = make("details", "turn");
    details.open = open;
    details.append(Object.assign(make("summary"), { textContent: title }), ...rows);
    return details;
  }

  button(text, title, act) {
    const made = Object.assign(make("button", "plain"), { type: "button", textContent: text, title });
    made.addEventListener("click", act);
    return made;
  }

  /** Label, slider, number. */
  slider(key, { name, low, high, value }, turned) {
    const row = make("label", "row knob");
    const label = Object.assign(make("span"), { textContent: name, title: name });
    const slider = Object.assign(make("input"), { type: "range", min: low, max: high, step: "any", value, name: key });
    const number = Object.assign(make("input"), { type: "number", step: "any", value: tidy(value) });
    slider.setAttribute("aria-label", name);
    number.setAttribute("aria-label", `${name}, as a number`);
    slider.addEventListener("input", () => turned(Number(slider.value)));
    number.addEventListener("change", () => { if (Number.isFinite(number.valueAsNumber)) turned(number.valueAsNumber); });
    row.append(label, slider, number);
    this.rows.set(key, { slider, number });
    return row;
  }

  show(key, value) {
    const { slider, number } = this.rows.get(key);
    // a number that was typed in may be beyond the range
    if (value > Number(slider.max)) slider.max = String(value);
    if (value < Number(slider.min)) slider.min = String(value);
    slider.value = String(value);
    number.value = tidy(value);
  }

  footer() {
    id("loop").hidden = true;
    id("start").title = "Reset (Home)";
    id("start").setAttribute("aria-label", "Reset");
    id("forth").title = "One step (right arrow)";
    id("forth").setAttribute("aria-label", "One step");
    id("fidelity").hidden = false;
    const help = make("p");
    help.textContent = "The model runs in this page. Drag a body, a point or a bar to pull it; drag beside it, or with shift, to turn the view. Home resets, the right arrow makes one step, the slider of time goes back over what was simulated.";
    id("help").querySelector("form").before(help);
    id("precision").textContent = `The model itself runs in this page, offline. dalembert ${this.app.header.version}.`;
  }

  // ---- steering ----------------------------------------------------------------------------

  /** Back to the start; true when there is one. */
  reset() {
    try {
      for (const live of this.lives) live.reset();
    } catch (problem) {
      say(problem.message, true);
      return false;
    }
    this.again();
    return true;
  }

  /** The runs have a new beginning. */
  again() {
    say("");
    this.log.clear();
    this.worst = null; // largest violation of each run since it began
    for (const run of this.runs) run.restart();
    this.app.clock.take();
    this.app.stale = true;
    this.app.plots.renew();
    this.app.changed();
  }

  asGiven() {
    for (const live of this.lives) {
      live.start.clear();
      for (const { name, value } of live.spec.knobs) live.values.set(name, value);
    }
    for (const { name, value } of this.lives[0].spec.knobs) {
      this.show(name, value);
      this.look(name, value);
    }
    this.reset();
    this.showStart();
  }

  // ---- links -------------------------------------------------------------------------------

  link() { return copyLink(settingsOf(this, this.app)); }

  /** Settings as the address has them; called when everything is there. */
  restore() {
    const text = hasAddress() ? location.hash.slice(1) : "";
    if (!text) return;
    const { parameters, start, speed, layout, follow, unknown } = readSettings(text, this.lives[0].spec);
    for (const live of this.lives) {
      live.start.clear();
      for (const { name, value } of live.spec.knobs) live.values.set(name, parameters.get(name) ?? value);
      for (const [key, value] of start) live.start.set(key, value);
    }
    let problem = "";
    try {
      for (const live of this.lives) live.reset();
      this.again();
    } catch (reason) {
      problem = reason.message;
      this.asGiven();
    }
    const [live] = this.lives;
    for (const { name } of live.spec.knobs) {
      this.show(name, live.values.get(name));
      this.look(name, live.values.get(name));
    }
    this.showStart();
    if (speed) this.app.clock.setSpeed(speed);
    if (layout && this.runs.length > 1) {
      id("layout").value = layout;
      this.app.setLayout(layout);
    }
    if (follow !== undefined) this.app.controls.setFollow(follow);
    if (unknown.length) problem = `${problem} ${unknownSentence(unknown)}`.trim();
    if (problem) say(problem, true);
  }

  /** Another value of a parameter; the old one stays where no state fits the new one. */
  turn(name, value) {
    const old = this.lives[0].values.get(name), done = [];
    const restarts = this.lives[0].knobs.get(name).restarts;
    try {
      for (const live of this.lives) {
        live.set(name, value);
        done.push(live);
      }
    } catch (problem) {
      say(problem.message, true);
      for (const live of this.lives) {
        if (done.includes(live)) live.set(name, old);
        else live.values.set(name, old);
      }
      this.show(name, old);
      return;
    }
    this.show(name, value);
    this.look(name, value);
    if (restarts) {
      this.again();
      return;
    }
    say("");
    this.log.add(this.lives[0].t, `${name} = ${tidy(value)}`);
    for (const run of this.runs) {
      run.keep();
      run.first = null; // another model has another energy
    }
    this.app.clock.take();
    this.app.changed();
  }

  /** Shapes as the parameter has them. */
  look(name, value) {
    this.looks.forEach((looks, r) => { if (looks.turn(name, value)) this.app.reshape(r); });
  }

  /** Another start, from which the run begins anew. */
  begin({ name }, value) {
    const [live] = this.lives, before = live.start.get(name);
    for (const each of this.lives) each.start.set(name, value);
    if (this.reset()) {
      this.showStart();
      return;
    }
    for (const each of this.lives) {
      if (before === undefined) each.start.delete(name);
      else each.start.set(name, before);
    }
    this.show(`start ${name}`, before ?? valueOf(live, entryOf(live, name), live.first));
  }

  /** The start as it is: what was asked for, and what the constraints made of the others. */
  showStart() {
    const [live] = this.lives;
    for (const entry of live.spec.initial.turned) this.show(`start ${entry.name}`, live.start.get(entry.name) ?? valueOf(live, entry, live.first));
  }

  save() {
    const { capture } = this.app;
    return this.runs.map((run) => capture.keep(new Blob([run.csv()], { type: "text/csv" }), "csv"));
  }

  // ---- showing -----------------------------------------------------------------------------

  beat(now) {
    if (!this.app.clock.playing || now - this.drawn < PLOTS_EVERY) return;
    this.drawn = now;
    this.note();
    this.app.plots.renew();
    this.tell();
  }

  draw() { this.grab?.draw(); }

  /** What the hand does, and what happened since. */
  note() {
    const held = Boolean(this.lives[0].grip);
    if (held !== this.held) this.log.add(this.lives[0].t, held ? "pulled" : "let go");
    this.held = held;
    this.log.update();
  }

  /** One line on how it goes. */
  tell() {
    this.worst ??= this.runs.map(() => 0);
    const several = this.runs.length > 1;
    const parts = several ? [] : [this.runs[0].header.live.method];
    this.runs.forEach((run, r) => {
      const { words } = run.live.spec;
      if (!words.rows.length || !this.app.shows(r)) return;
      const [phi, rates] = run.live.drift;
      this.worst[r] = Math.max(this.worst[r], words.holonomic ? phi : rates);
      parts.push(`${several ? `${run.label} ` : ""}|φ${words.holonomic ? "" : "′"}| ≤ ${short(this.worst[r])}`);
    });
    const { pace, speed } = this.app.clock;
    if (pace !== null) parts.unshift(`${Number(pace.toPrecision(2))} × real time${speed === 1 ? "" : `, ${speed} asked`}`);
    id("fidelity").textContent = parts.join(" · ");
  }
}

function make(kind, name = "") {
  const made = document.createElement(kind);
  if (name) made.className = name;
  return made;
}

const entryOf = (live, name) => live.spec.initial.turned.find((entry) => entry.name === name);

const tidy = (x) => String(Number(Number(x).toPrecision(5)));
