// Pulling with mouse or finger: what is drawn is held where it was taken, by a spring to the pointer.
import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, Mesh, MeshBasicMaterial, Plane, Raycaster, SphereGeometry, Vector2, Vector3 } from "three";

const COLOR = "#d1495b";

export class Grab {
  constructor(app, steering) {
    this.app = app;
    this.steering = steering;
    this.held = null; // the pointer that pulls
    this.plane = new Plane();
    this.ray = new Raycaster();
    this.goal = new Vector3();
    this.line = new Line(
      new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(6), 3)),
      new LineBasicMaterial({ color: COLOR, depthTest: false }),
    );
    this.ball = new Mesh(new SphereGeometry(0.012 * app.stage.size, 20, 14), new MeshBasicMaterial({ color: COLOR, depthTest: false }));
    this.group = new Group();
    this.group.add(this.line, this.ball);
    this.group.visible = this.line.frustumCulled = this.ball.frustumCulled = false;
    this.group.renderOrder = this.line.renderOrder = this.ball.renderOrder = 3;
    app.stage.scene.add(this.group);
    // Before the camera hears of it: who pulls a body does not turn the view.
    app.view.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    app.canvas.addEventListener("pointermove", (event) => { if (event.pointerId === this.held) this.move(event); });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      app.canvas.addEventListener(end, (event) => { if (event.pointerId === this.held) this.release(); });
    }
  }

  down(event) {
    const { app } = this;
    if (event.target !== app.canvas || event.button !== 0 || this.held !== null || event.shiftKey) return;
    const found = app.pick(event.offsetX, event.offsetY);
    const grip = found && this.gripOf(found);
    if (!grip) return;
    app.eye.camera.getWorldDirection(this.goal);
    this.plane.setFromNormalAndCoplanarPoint(this.goal.clone(), found.point);
    const target = found.point.toArray();
    const holds = this.steering.lives.map((live) => live.pull({ ...grip, target }));
    if (!holds.some(Boolean)) return;
    event.stopPropagation();
    event.preventDefault();
    this.held = event.pointerId;
    this.column = found.run;
    app.canvas.setPointerCapture(event.pointerId);
    app.pointer.forget();
    this.goal.copy(found.point);
    if (!app.clock.playing) app.clock.play();
    app.dirty = true;
  }

  /** What is held, in terms of the model: a body and a place on it, or shares of points; null where nothing can be. */
  gripOf({ run, tag, point }) {
    const { hand } = this.steering.lives[0].spec;
    const { scene } = this.app.runs[run];
    if (!hand) return null;
    const shown = this.app.runs[run];
    if (hand.kind === "body") {
      const body = bodyOf(scene, tag);
      return body >= 0 ? { body, at: localPlace(shown, body, point), center: scene.bodies[body].center } : null;
    }
    if (tag.kind === "body") {
      const { name } = scene.bodies[tag.index];
      return hand.names.includes(name) ? { weights: { [name]: 1 }, at: localPlace(shown, tag.index, point) } : null;
    }
    const named = (k) => hand.names.includes(scene.points[k].name);
    if (tag.kind === "point") return named(tag.index) ? { weights: { [scene.points[tag.index].name]: 1 } } : null;
    if (tag.kind !== "link") return null;
    const [a, b, share] = nearest(shown, scene.links[tag.index].points, point);
    const weights = {};
    for (const [k, part] of [[a, 1 - share], [b, share]]) if (named(k)) weights[scene.points[k].name] = part;
    return Object.keys(weights).length ? { weights } : null;
  }

  move(event) {
    const { app } = this;
    const wide = app.view.clientWidth / app.columns;
    const left = app.columns > 1 ? this.column * wide : 0;
    this.ray.setFromCamera(new Vector2((2 * (event.offsetX - left)) / wide - 1, 1 - (2 * event.offsetY) / app.view.clientHeight), app.eye.camera);
    if (!this.ray.ray.intersectPlane(this.plane, this.goal)) return;
    const target = this.goal.toArray();
    for (const live of this.steering.lives) live.move(target);
    app.dirty = true;
  }

  release() {
    this.held = null;
    for (const live of this.steering.lives) live.release();
    this.group.visible = false;
    this.app.dirty = true;
  }

  /** The hand as a line from what is held to where it is pulled. */
  draw() {
    const from = this.held === null ? null : this.steering.lives[this.column ?? 0].held();
    this.group.visible = from !== null;
    if (!from) return;
    const places = this.line.geometry.attributes.position;
    places.array.set([...from, ...this.goal.toArray()]);
    places.needsUpdate = true;
    this.ball.position.copy(this.goal);
  }
}

/** The body that moves with what was taken; -1 where that is the world. */
function bodyOf(scene, { kind, index }) {
  if (kind === "body") return index;
  if (kind === "joint") return scene.joints[index].body_b;
  if (kind === "point") return scene.points[index].body ?? -1;
  return -1;
}

/** A place in the frame of a body. */
function localPlace({ p, R }, body, point) {
  const way = [point.x - p[3 * body], point.y - p[3 * body + 1], point.z - p[3 * body + 2]];
  return [0, 1, 2].map((c) => R[9 * body + c] * way[0] + R[9 * body + 3 + c] * way[1] + R[9 * body + 6 + c] * way[2]);
}

/** Ends of the piece of a line nearest to a place, and the share of the second. */
function nearest({ at }, points, place) {
  let best = [points[0], points[0], 0], least = Infinity;
  for (let s = 0; s + 1 < points.length; s++) {
    const a = new Vector3().fromArray(at, 3 * points[s]), way = new Vector3().fromArray(at, 3 * points[s + 1]).sub(a);
    const share = Math.min(1, Math.max(0, place.clone().sub(a).dot(way) / (way.lengthSq() || 1)));
    const distance = a.addScaledVector(way, share).distanceTo(place);
    if (distance < least) [best, least] = [[points[s], points[s + 1], share], distance];
  }
  return best;
}
