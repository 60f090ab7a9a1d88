// The eye: presets that fit the whole motion, orbiting by mouse and touch, following a body.
import { Box3, OrthographicCamera, PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const ANGLE = 28; // degrees of the perspective camera
const MARGIN = 1.12;
const AWAY = 6; // sizes of the mechanism beyond which the view of a model that runs does not go: what falls for ever would leave a speck
const STANDING = 2; // sizes of the motion up to which parts of the ground are shown whole

export class Eye {
  constructor(canvas, axes, { box, cloud, pad }, planar, normal, onChange) {
    this.axes = axes;
    this.box = box;
    this.cloud = cloud; // places that parts pass through
    this.pad = pad; // how far a part reaches around its place
    this.planar = planar;
    this.normal = new Vector3().fromArray(normal);
    this.size = box.getSize(new Vector3()).length() || 1;
    this.aspect = 1;
    this.inset = 0;
    this.flat = new OrthographicCamera();
    this.deep = new PerspectiveCamera(ANGLE);
    for (const camera of [this.flat, this.deep]) camera.up.copy(axes.up);
    this.camera = this.deep;
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.screenSpacePanning = true;
    this.controls.addEventListener("change", onChange);
    this.controls.addEventListener("start", () => { this.moving = null; });
    this.onChange = onChange;
    this.follows = null;
    this.step = new Vector3();
    this.preset = null;
  }

  /** Direction from the mechanism to the eye. */
  direction(name) {
    const { up, right, toward } = this.axes;
    const d = new Vector3();
    if (name === "front") return this.planar ? d.copy(this.normal) : d.copy(toward);
    if (name === "side") return d.copy(right);
    if (name === "top") return d.copy(up).addScaledVector(toward, 1e-4).normalize();
    return d.copy(toward).addScaledVector(right, 0.62).addScaledVector(up, 0.5).normalize();
  }

  resize(aspect, inset) {
    this.aspect = aspect;
    this.inset = inset;
    this.lens();
    if (this.preset && !this.touched) this.go(this.preset, false);
  }

  /** Look from a preset at the whole motion. */
  go(name, smooth = true) {
    const turned = name === "fit" ? this.camera.position.clone().sub(this.controls.target).normalize() : this.direction(name);
    if (name !== "fit") this.preset = name;
    const camera = name === "fit" ? this.camera : name === "iso" ? this.deep : this.flat;
    const aim = this.aim(turned, camera);
    if (camera !== this.camera) {
      this.camera = camera;
      this.controls.object = camera;
      smooth = false;
    }
    this.touched = false;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!smooth || calm) this.set(aim, 1, aim);
    else this.moving = { from: this.pose(), to: aim, begin: performance.now() };
    this.onChange();
  }

  pose() {
    const { camera, controls } = this;
    return { position: camera.position.clone(), target: controls.target.clone(), height: this.height, near: 0 };
  }

  /** Where to stand so that the whole motion fills the view. */
  aim(direction, camera) {
    const { axes, cloud, pad } = this;
    const right = new Vector3().crossVectors(axes.up, direction);
    if (right.lengthSq() < 1e-6) right.copy(axes.right);
    right.normalize();
    const up = new Vector3().crossVectors(direction, right);
    const target = this.follows ? this.follows.clone() : this.box.getCenter(new Vector3());
    const tan = Math.tan((ANGLE * Math.PI) / 360);
    const at = new Vector3();
    let height = 0, distance = 2 * this.size;
    // Straight views are done in one pass; in perspective near things look larger, so it is repeated.
    for (let pass = 0; pass < 5; pass++) {
      let [left, most, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
      let back = 0;
      for (let i = 0; i < cloud.length; i += 3) {
        at.fromArray(cloud, i).sub(target);
        const z = camera === this.deep ? at.dot(direction) : 0;
        const scale = distance / Math.max(distance - z, 1e-3 * distance);
        const x = scale * at.dot(right), y = scale * at.dot(up), p = scale * pad;
        left = Math.min(left, x - p);
        most = Math.max(most, x + p);
        low = Math.min(low, y - p);
        high = Math.max(high, y + p);
        back = Math.max(back, z + pad);
      }
      if (!this.follows) target.addScaledVector(right, (left + most) / 2).addScaledVector(up, (low + high) / 2);
      // The upper edge belongs to the buttons.
      height = MARGIN * Math.max((high - low) / (1 - this.inset), (most - left) / this.aspect) || this.size;
      if (camera === this.deep) distance = Math.max(0.5 * distance + 0.25 * (height / tan), 1.2 * back);
    }
    if (!this.follows) target.addScaledVector(up, (this.inset * height) / 2);
    return { position: target.clone().addScaledVector(direction, distance), target, height };
  }

  set(from, part, to) {
    const { camera, controls } = this;
    camera.position.lerpVectors(from.position, to.position, part);
    controls.target.lerpVectors(from.target, to.target, part);
    this.height = from.height + part * (to.height - from.height) || to.height;
    camera.zoom = 1;
    this.lens();
    camera.lookAt(controls.target);
    controls.update();
  }

  lens() {
    const { flat, deep, aspect, size } = this;
    deep.aspect = aspect;
    const distance = deep.position.distanceTo(this.controls.target);
    deep.near = Math.max(0.02 * distance, distance - 4 * size) || 0.01;
    deep.far = distance + 6 * size;
    deep.updateProjectionMatrix();
    const h = (this.height || size) / 2;
    flat.top = h;
    flat.bottom = -h;
    flat.right = h * aspect;
    flat.left = -h * aspect;
    flat.near = -4 * size;
    flat.far = 8 * size;
    flat.updateProjectionMatrix();
  }

  /** Called before each picture; true while it is still moving. */
  update(followed) {
    if (followed) {
      // Move with the body, whatever the reader has turned to.
      if (this.follows) {
        this.step.subVectors(followed, this.follows);
        this.camera.position.add(this.step);
        this.controls.target.add(this.step);
        this.follows.copy(followed);
      } else {
        this.controls.target.copy(followed);
        this.follows = followed.clone();
      }
      this.camera.lookAt(this.controls.target);
    }
    if (!this.moving) {
      this.lens();
      return false;
    }
    const part = Math.min(1, (performance.now() - this.moving.begin) / 280);
    const eased = part * part * (3 - 2 * part);
    this.set(this.moving.from, eased, this.moving.to);
    if (part >= 1) this.moving = null;
    return part < 1;
  }
}

/** Up, right and toward the reader, from the scene's up. */
export function axesOf(up) {
  const u = new Vector3().fromArray(up).normalize();
  const right = new Vector3(1, 0, 0);
  if (Math.abs(u.x) > 0.9) right.set(0, 1, 0);
  right.addScaledVector(u, -right.dot(u)).normalize();
  return { up: u, right, toward: new Vector3().crossVectors(right, u) };
}

/** The space of a motion: its box, places that parts pass through, and the reach around them. */
export function spaceOf(run, mechanism) {
  const box = new Box3();
  let radius = 0;
  const cloud = [];
  const here = new Box3(), half = new Vector3();
  const held = run.frame;
  const looks = Math.min(run.frames, 160);
  let first; // size of the mechanism at the start
  for (let k = 0; k < looks; k++) {
    run.show(Math.round((k * (run.frames - 1)) / Math.max(1, looks - 1)));
    mechanism.update();
    mechanism.growBox(here.makeEmpty());
    if (here.isEmpty()) continue;
    if (run.preview && k && !box.isEmpty() && box.clone().union(here).getSize(half).length() > AWAY * first) break;
    box.union(here);
    radius = Math.max(radius, here.getSize(half).length() / 2);
    first ??= 2 * radius;
    const { min, max } = here;
    for (let c = 0; c < 8; c++) cloud.push(c & 1 ? max.x : min.x, c & 2 ? max.y : min.y, c & 4 ? max.z : min.z);
  }
  run.show(held);
  mechanism.update();
  for (const part of box.isEmpty() ? [] : mechanism.groundBoxes()) {
    if (part.getSize(half).length() > STANDING * box.getSize(here.max).length()) continue;
    box.union(part);
    cloud.push(...part.min.toArray(), ...part.max.toArray());
  }
  if (box.isEmpty()) {
    const { centre, size } = run.scene;
    box.setFromCenterAndSize(new Vector3().fromArray(centre), new Vector3(size, size, size));
    radius = size / 2;
    cloud.push(...box.min.toArray(), ...box.max.toArray());
  }
  return { box, radius, cloud };
}
