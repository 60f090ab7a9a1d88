// Ties everything together: one clock, one picture of all runs, plots, controls.
import { Box3, Raycaster, Vector2, Vector3 } from "three";
import { Arrows } from "./arrows.js";
import { Eye, axesOf, spaceOf } from "./camera.js";
import { Capture } from "./capture.js";
import { Clock } from "./clock.js";
import { Controls } from "./controls.js";
import { Frames } from "./frames.js";
import { keys } from "./keys.js";
import { LiveClock } from "./liveclock.js";
import { Steering } from "./steering.js";
import { Labels } from "./labels.js";
import { Mechanism } from "./mechanism.js";
import { say } from "./notes.js";
import { Pointer } from "./pointer.js";
import { Happened } from "./happened.js";
import { Plots } from "./plots.js";
import { Pulse } from "./pulse.js";
import { THEMES } from "./stage.js";
import { Trails } from "./trails.js";

const GHOST = 0.34;
const id = (name) => document.getElementById(name);

export class App {
  constructor(header, runs, stage) {
    this.header = header;
    this.stage = stage;
    this.runs = runs;
    this.settings = header.settings;
    this.root = id("app");
    this.canvas = id("picture");
    this.view = id("view");
    this.pulse = new Pulse((now) => this.beat(now), (awake) => this.slept(awake), this.root);
    this.stale = true; // shadows to be drawn, too
    this.layout = this.settings.layout;
    this.clock = header.live
      ? new LiveClock(runs, () => this.changed(), (problem) => this.stopped(problem))
      : new Clock(Math.min(...runs.map((r) => r.begin)), Math.max(...runs.map((r) => r.end)), () => this.changed());
    this.clock.speed = this.settings.speed;
    this.plots = new Plots(id("plots"), id("add-plot"), runs, this.clock, this.settings);
    this.happened = new Happened(runs, this.clock, id("ticks"), id("plots"), id("said"));
    this.picture();
    if (header.live) this.live = new Steering(this);
    this.capture = new Capture(this);
    this.controls = new Controls(this);
    keys(this);
    this.live?.restore();
    if (this.live) addEventListener("hashchange", () => this.live.restore());
    this.setTheme(this.settings.theme === "auto" ? systemTheme() : this.settings.theme);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      if (this.settings.theme === "auto" && !this.themeChosen) this.setTheme(systemTheme());
    });
    this.notes();
    new ResizeObserver(() => { if (this.sized !== this.sizes()) this.resize(); }).observe(this.view);
    this.resize();
    if (this.eye) this.eye.go(this.settings.view ?? (this.planar ? "front" : "iso"), false);
    this.plots.begin();
    this.draw();
    this.beating = true;
    if (this.stage) whenIdle(() => this.stage.check());
    if (this.settings.play && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.clock.play();
  }

  // ---- making ------------------------------------------------------------------------------

  picture() {
    if (!this.stage) {
      say("This browser shows no 3-D graphics (WebGL is missing or switched off). The plots work all the same.");
      this.views = this.runs.map(() => ({ arrows: { shown: {}, lengthOf: () => 0, kinds: [] } }));
      return;
    }
    const first = this.runs[0].scene;
    this.planar = this.runs.every((run) => run.scene.planar);
    this.axes = axesOf(first.up);
    this.box = new Box3();
    this.radius = 0;
    this.views = this.runs.map((run, r) => this.viewOf(run, r));
    for (const { box, radius } of this.views) {
      this.box.union(box);
      this.radius = Math.max(this.radius, radius);
    }
    const normal = new Vector3().fromArray(first.normal);
    const thick = Math.abs(this.box.getSize(new Vector3()).dot(new Vector3(...normal.toArray().map(Math.abs))));
    this.stage.frame(this.axes, this.box, this.planar, first.normal, thick, floorOf(first));
    const cloud = this.views.flatMap((view) => view.cloud);
    this.eye = new Eye(this.canvas, this.axes, { box: this.box, cloud, pad: 0 }, this.planar, first.normal, () => { this.dirty = true; });
    this.stage.renderer.compile(this.stage.scene, this.eye.camera); // shaders are made while the panels are
    this.labels = new Labels(this, id("labels"));
    this.frames = new Frames(this);
    this.ray = new Raycaster();
    this.pointer = new Pointer(this, id("tip"));
    this.middle = new Vector3();
    this.followed = new Vector3();
    id("corner").hidden = !this.stage.hasGrid;
    id("corner").textContent = `grid ${Number(this.stage.cell.toPrecision(3))} m`;
  }

  /** Everything drawn of one run, solid; and as a ghost, when it is overlaid on the first. */
  viewOf(run, r) {
    const mechanism = new Mechanism(run);
    const view = { run, mechanism, arrows: new Arrows(run), trails: new Trails(run), ...spaceOf(run, mechanism) };
    if (r) {
      view.ghost = new Mechanism(run, GHOST);
      this.stage.scene.add(view.ghost.group);
    }
    this.stage.scene.add(mechanism.group, view.arrows.group, view.trails.group);
    return view;
  }

  /** Shapes of a run anew. */
  reshape(r) {
    const view = this.views[r];
    if (!view.run) return;
    for (const kind of ["mechanism", "ghost"]) {
      if (!view[kind]) continue;
      const made = new Mechanism(view.run, kind === "ghost" ? GHOST : 0);
      made.setLayer("joints", id("joints-box").checked);
      made.setInk(THEMES[this.theme].ink);
      this.stage.scene.remove(view[kind].group);
      view[kind].dispose();
      this.stage.scene.add(made.group);
      view[kind] = made;
    }
    this.pointer.forget();
    this.stale = true;
  }

  notes() {
    const sentences = [...new Set(this.runs.flatMap((run) => run.scene.notes))];
    const nothing = this.runs.every(({ scene }) => !scene.bodies.length && !scene.points.length);
    if (sentences.length && this.stage) say(sentences.join(" "), !nothing);
  }

  // ---- what can be set ---------------------------------------------------------------------

  setTheme(name) {
    this.theme = name;
    this.root.dataset.theme = name;
    if (this.stage) {
      this.stage.setTheme(name);
      for (const { mechanism, ghost } of this.views) for (const m of [mechanism, ghost]) m?.setInk(THEMES[name].ink);
    }
    this.plots.setTheme(name);
    this.happened.setTheme(name);
    this.dirty = true;
  }

  toggleTheme() {
    this.themeChosen = true;
    this.setTheme(this.theme === "dark" ? "light" : "dark");
  }

  /** "side", "ghost" (overlaid), or "only-2": the third run alone. */
  setLayout(layout) {
    this.layout = layout;
    this.live?.switched();
    this.plots.setShown(this.runs.map((_, r) => r).filter((r) => this.shows(r)));
    this.labels?.show(this.labels.shown);
    this.stale = true;
    this.resize();
    this.dirty = true;
  }

  setFollow(name) {
    this.follow = name || null;
    if (this.eye) this.eye.follows = null;
    this.dirty = true;
  }

  /** Place of the followed body or point of the first run; null when none is. */
  followedPlace() {
    if (!this.follow) return null;
    const run = this.runs[this.alone ?? 0];
    const body = run.scene.bodies.findIndex((b) => b.name === this.follow);
    if (body >= 0) {
      run.fixed(body, run.scene.bodies[body].center, this.scratch ??= new Float64Array(3), 0);
      return this.followed.fromArray(this.scratch);
    }
    const point = run.scene.points.findIndex((p) => p.name === this.follow);
    return point >= 0 ? this.followed.fromArray(run.at, 3 * point) : null;
  }

  // ---- drawing -----------------------------------------------------------------------------

  /** A model of this page has stopped: why. */
  stopped(problem) {
    say(problem, true);
    this.live?.log.add(this.clock.end, problem);
  }

  changed() {
    this.dirty = true;
    this.controls?.update();
    this.capture?.update();
  }

  /** Setting it asks for a picture with the next beat; while nothing asks there are no beats. */
  get dirty() { return this.asked; }
  set dirty(wanted) {
    this.asked = wanted;
    if (wanted) this.pulse.ask();
  }

  beat(now) {
    this.clock.tick(now);
    this.live?.beat(now);
    if (this.dirty) this.draw();
    if (this.clock.playing) this.pulse.ask();
  }

  /** Nobody looks, or somebody looks again: time stands still meanwhile. */
  slept(awake) {
    this.clock.last = null;
    this.capture?.rest(!awake);
  }

  /** Columns of the picture: one a run side by side, else one for all. */
  get columns() { return this.layout === "side" ? this.runs.length : 1; }

  /** The run that is shown alone; null where all are. */
  get alone() { return this.layout.startsWith("only-") ? Number(this.layout.slice(5)) : null; }
  shows(r) { return this.alone === null || this.alone === r; }
  isGhost(r) { return Boolean(this.views[r].ghost) && this.layout === "ghost"; }

  sizes() { return `${this.view.clientWidth} ${this.view.clientHeight} ${window.devicePixelRatio}`; }

  resize() {
    if (!this.stage) return;
    const { clientWidth: width, clientHeight: height } = this.view;
    if (!width || !height) return;
    this.sized = this.sizes();
    this.stage.resize(width, height);
    for (const { trails } of this.views) trails.resolution.set(width / this.columns, height);
    this.eye.resize(width / this.columns / height, Math.min(0.3, 40 / height));
    this.labels.layout();
    if (this.beating) this.draw(); // at once: a canvas is empty after a change of size
  }

  draw() {
    this.dirty = false;
    for (const [r, view] of this.views.entries()) {
      const { run } = view;
      if (!run || !this.shows(r)) continue;
      run.show(run.frameAt(this.clock.time));
      const ghostly = this.isGhost(r);
      (ghostly ? view.ghost : view.mechanism).update();
      view.arrows.update();
      if (this.live) view.trails.renew();
      view.trails.opacity = ghostly ? 0.4 : 0.95;
      view.trails.update();
    }
    this.plots.update();
    this.happened.update();
    if (!this.stage) {
      for (const run of this.runs) run.show(run.frameAt(this.clock.time));
      return;
    }
    if (this.eye.update(this.followedPlace())) this.dirty = true;
    if (this.planar && this.stage.setWall(this.eye.preset === "front")) this.stale = true;
    this.light();
    this.frames.update();
    this.live?.draw();
    this.render();
    this.labels.update();
    this.pointer.update();
    this.capture?.drawn();
  }

  /** Light and shadow go with the mechanism when it travels far. */
  light() {
    const whole = 0.5 * this.stage.size;
    if (this.radius > 0.4 * whole) {
      this.box.getCenter(this.middle);
      this.stage.lightAt(this.middle, 1.15 * whole);
      return;
    }
    const run = this.runs[this.alone ?? 0];
    const places = run.scene.bodies.length ? run.p : run.at;
    const count = run.scene.bodies.length || run.scene.points.length;
    this.middle.set(0, 0, 0);
    for (let i = 0; i < count; i++) {
      this.middle.x += places[3 * i] / count;
      this.middle.y += places[3 * i + 1] / count;
      this.middle.z += places[3 * i + 2] / count;
    }
    this.stage.lightAt(this.middle, 3 * this.radius);
  }

  render() {
    const { renderer, scene } = this.stage;
    const { clientWidth: width, clientHeight: height } = this.view;
    const { columns } = this;
    const moved = this.shadowOf !== this.clock.time || this.stale;
    this.shadowOf = this.clock.time;
    this.stale = false;
    for (let column = 0; column < columns; column++) {
      this.views.forEach((view, r) => {
        const here = this.shows(r) && (columns === 1 || r === column);
        const ghostly = this.isGhost(r);
        view.mechanism.group.visible = here && !ghostly;
        if (view.ghost) view.ghost.group.visible = here && ghostly;
        view.trails.group.visible = here;
        view.arrows.group.visible = here && view.arrows.any;
      });
      this.frames.showFor(columns === 1 ? -1 : column);
      if (columns > 1 || moved) renderer.shadowMap.needsUpdate = true;
      const left = Math.round((column * width) / columns);
      const wide = Math.round(((column + 1) * width) / columns) - left;
      renderer.setViewport(left, 0, wide, height);
      renderer.setScissor(left, 0, wide, height);
      renderer.render(scene, this.eye.camera);
    }
  }

  /** Where a place of a run appears, in pixels of the view. */
  project(place, r = 0) {
    const at = (this.projected ??= new Vector3()).fromArray(place).project(this.eye.camera);
    const { clientWidth: width, clientHeight: height } = this.view;
    const column = this.columns > 1 ? r : 0;
    const wide = width / this.columns;
    return [wide * (column + (at.x + 1) / 2), (height * (1 - at.y)) / 2, at.z];
  }

  /** What is drawn at a pixel of the view: {run, tag} or null. */
  pick(x, y) {
    const { clientWidth: width, clientHeight: height } = this.view;
    const wide = width / this.columns;
    const column = Math.min(this.columns - 1, Math.floor(x / wide));
    this.ray.setFromCamera(new Vector2((2 * (x - column * wide)) / wide - 1, 1 - (2 * y) / height), this.eye.camera);
    const targets = [];
    this.views.forEach((view, r) => {
      if (!this.shows(r) || (this.columns > 1 && r !== column)) return;
      const shape = this.isGhost(r) ? view.ghost : view.mechanism;
      for (const mesh of [...shape.group.children, ...(view.arrows.any ? view.arrows.group.children : [])]) {
        if (mesh.visible) targets.push(Object.assign(mesh, { owner: r }));
      }
    });
    for (const hit of this.ray.intersectObjects(targets, false)) {
      const tag = hit.object.userData.tags[hit.instanceId];
      if (tag.kind !== "ground") return { run: hit.object.owner, tag, point: hit.point };
    }
    return null;
  }
}

/** Height and colour of the highest level ground without end; nothing of both where there are only other planes; else null. */
function floorOf({ ground, level, up }) {
  const floors = level.map((k) => ({ height: ground[k].position.reduce((sum, x, c) => sum + x * up[c], 0), color: ground[k].color }));
  return floors.sort((a, b) => b.height - a.height)[0] ?? (ground.some(({ kind }) => kind === "plane") ? {} : null);
}

const whenIdle = (act) => (window.requestIdleCallback ?? setTimeout)(act);
const systemTheme = () => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
