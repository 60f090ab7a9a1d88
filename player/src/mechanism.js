// The bodies, joints, points and links of one run, in few draw calls: equal shapes are instances.
import {
  Box3, Color, CylinderGeometry, Group, InstancedMesh, Matrix4, Quaternion, Sphere, SphereGeometry, Vector3,
} from "three";
import { coil, geometryOf, keyOf, roundedBox, stretchOf } from "./geometry.js";
import { solid } from "./materials.js";
import { ball, carried, laid } from "./placing.js";

const EVERYWHERE = new Sphere(new Vector3(), Infinity);
const PALETTE = ["#4C86B8", "#D98A4B", "#4FA58A", "#B97AA5", "#7DB3D6", "#C9A24B", "#8C8CC0"];

export class Mechanism {
  /** `ghost`: 0 for solid, else how faint. */
  constructor(run, ghost = 0) {
    this.run = run;
    this.ghost = ghost;
    this.group = new Group();
    this.batches = [];
    this.materials = new Map();
    this.inks = []; // instances in the ink of the page
    this.reference = run.scene.planar ? run.scene.normal : [0.36, 0.48, 0.8];
    this.solids();
    this.points();
    this.links();
    this.update();
  }

  // ---- making ------------------------------------------------------------------------------

  material(opacity, twoSided = false) {
    const key = `${opacity}|${twoSided}`;
    if (!this.materials.has(key)) this.materials.set(key, solid(opacity, twoSided));
    return this.materials.get(key);
  }

  batch(geometry, opacity, parts, place, twoSided = false) {
    const faint = this.ghost ? this.ghost * opacity : opacity;
    const mesh = new InstancedMesh(geometry, this.material(faint, twoSided), parts.length);
    mesh.frustumCulled = false;
    mesh.boundingSphere = EVERYWHERE; // moved parts are found by the pointer too
    mesh.castShadow = faint > 0.5;
    mesh.receiveShadow = faint > 0.5;
    mesh.renderOrder = faint < 1 ? 1 : 0;
    const color = new Color();
    parts.forEach((part, i) => {
      if (!part.color) this.inks.push({ mesh, i });
      mesh.setColorAt(i, color.set(part.color ?? "#808080"));
    });
    mesh.userData.tags = parts.map((part) => part.tag);
    mesh.userData.layer = parts[0].layer;
    this.group.add(mesh);
    this.batches.push({ mesh, place });
  }

  solids() {
    const { scene, bytes } = this.run;
    const groups = new Map();
    const add = (shape, owner, color, tag, layer) => {
      const key = keyOf(shape);
      const name = `${key ?? groups.size}|${shape.opacity}|${layer}`;
      if (!groups.has(name)) groups.set(name, { shape, parts: [] });
      const part = { shape, owner: owner < 0 ? scene.bodies.length : owner, color: shape.color ?? color, tag, layer };
      groups.get(name).parts.push(part);
    };
    scene.bodies.forEach((body, index) => {
      for (const shape of body.shapes) add(shape, index, body.color, { kind: "body", index }, "bodies");
    });
    scene.joints.forEach((joint, index) => {
      const tag = { kind: "joint", index };
      for (const shape of joint.shapes) add(shape, joint.body_b, "#5B6470", tag, "joints");
      for (const shape of joint.shapes_a) add(shape, joint.body_a, "#5B6470", tag, "joints");
    });
    // Level ground without end is the floor of the stage.
    scene.ground.forEach((shape, k) => {
      if (!scene.level.includes(k)) add(shape, -1, "#8A929C", { kind: "ground", index: 0 }, "ground");
    });
    for (const { shape, parts } of groups.values()) {
      const local = new Float64Array(16 * parts.length);
      const matrix = new Matrix4(), at = new Vector3(), turn = new Quaternion(), stretch = new Vector3();
      parts.forEach((part, i) => {
        const [w, x, y, z] = part.shape.rotation;
        matrix.compose(at.fromArray(part.shape.position), turn.set(x, y, z, w), stretchOf(part.shape, stretch));
        matrix.toArray(local, 16 * i);
      });
      const owners = Int32Array.from(parts, (part) => part.owner);
      const { p, R } = this.run;
      const flat = shape.kind === "plane" || shape.kind === "mesh";
      this.batch(geometryOf(shape, bytes, parts.length), shape.opacity, parts, (out) => {
        for (let i = 0; i < owners.length; i++) {
          carried(R, 9 * owners[i], p, 3 * owners[i], local, 16 * i, out, 16 * i);
        }
      }, flat);
    }
  }

  points() {
    const { scene, at } = this.run;
    const parts = [];
    const carts = [];
    scene.points.forEach((point, index) => {
      if (!(point.radius > 0)) return;
      (point.slide ? carts : parts).push({ point, index, color: point.color, tag: { kind: "point", index }, layer: "bodies" });
    });
    if (carts.length) this.carts(carts);
    if (!parts.length) return;
    this.batch(new SphereGeometry(1, 28, 20), 1, parts, (out) => {
      for (let i = 0; i < parts.length; i++) {
        const k = 3 * parts[i].index;
        ball(out, 16 * i, at[k], at[k + 1], at[k + 2], parts[i].point.radius);
      }
    });
  }

  /** Points that move on a straight line: carts on a rail as long as their way. */
  carts(parts) {
    const { at } = this.run;
    const axes = parts.map(({ point }) => cartAxes(point, this.reference, this.run.scene.up));
    const riding = (geometry, x, y, color) => {
      const local = new Matrix4().makeTranslation(x, y, 0), matrix = new Matrix4();
      this.batch(geometry, 1, parts.map((part) => ({ ...part, color: color ?? part.color })), (out) => {
        for (let i = 0; i < parts.length; i++) {
          const k = 3 * parts[i].index;
          matrix.copy(axes[i]).setPosition(at[k], at[k + 1], at[k + 2]).multiply(local).toArray(out, 16 * i);
        }
      });
    };
    riding(roundedBox(3.6, 1.9, 2.2, 0.3), 0, 0);
    for (const side of [-1, 1]) riding(new CylinderGeometry(0.5, 0.5, 2.4, 24).rotateX(Math.PI / 2), 1.1 * side, -0.95, "#4A525C");
    const rails = parts.map((part, i) => ({ ...part, color: "#9AA2AC", layer: "joints", ...railOf(this.run, part, axes[i]) }));
    this.batch(new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0).rotateX(Math.PI / 2), 1, rails, (out) => {
      rails.forEach(({ from, way, point }, i) => laid(out, 16 * i, from.x, from.y, from.z, way.x, way.y, way.z, 0.16 * point.radius, this.reference));
    });
  }

  links() {
    const { scene } = this.run;
    const kinds = new Map();
    scene.links.forEach((link, index) => {
      for (let s = 0; s + 1 < link.points.length; s++) {
        const radius = (link.width || 0.02 * scene.size) / 2;
        const part = {
          a: 3 * link.points[s], b: 3 * link.points[s + 1], radius,
          color: link.color ?? PALETTE[index % PALETTE.length],
          tag: { kind: "link", index }, layer: "bodies",
        };
        // Every spring has a coil of its own length.
        const kind = link.kind === "spring" ? `spring ${index}.${s}` : link.kind === "bar" ? "bar" : "thin";
        if (!kinds.has(kind)) kinds.set(kind, []);
        kinds.get(kind).push(part);
      }
    });
    for (const [kind, parts] of kinds) this.laidParts(kind, parts);
  }

  laidParts(kind, parts) {
    const { at } = this.run;
    const { reference } = this;
    const spring = kind.startsWith("spring");
    let geometry = new CylinderGeometry(1, 1, 1, 20).translate(0, 0.5, 0).rotateX(Math.PI / 2);
    if (spring) {
      const { a, b, radius } = parts[0];
      const length = Math.hypot(at[b] - at[a], at[b + 1] - at[a + 1], at[b + 2] - at[a + 2]) || 4 * radius;
      geometry = coil(1, length / radius).scale(1, 1, radius / length);
    }
    this.batch(geometry, 1, parts, (out) => {
      for (let i = 0; i < parts.length; i++) {
        const { a, b, radius } = parts[i];
        const r = kind === "thin" ? 0.5 * radius : radius;
        laid(out, 16 * i, at[a], at[a + 1], at[a + 2], at[b] - at[a], at[b + 1] - at[a + 1], at[b + 2] - at[a + 2], r, reference);
      }
    });
    if (spring) return;
    // Round ends.
    this.batch(new SphereGeometry(1, 20, 14), 1, parts.flatMap((part) => [part, part]), (out) => {
      for (let i = 0; i < parts.length; i++) {
        const { a, b, radius } = parts[i];
        const r = kind === "thin" ? 0.5 * radius : radius;
        ball(out, 32 * i, at[a], at[a + 1], at[a + 2], r);
        ball(out, 32 * i + 16, at[b], at[b + 1], at[b + 2], r);
      }
    });
  }

  // ---- showing -----------------------------------------------------------------------------

  update() {
    for (const { mesh, place } of this.batches) {
      place(mesh.instanceMatrix.array);
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  /** Let go of what the graphics card holds. */
  dispose() {
    for (const { mesh } of this.batches) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    for (const material of this.materials.values()) material.dispose();
  }

  setInk(color) {
    const ink = new Color(color);
    for (const { mesh, i } of this.inks) {
      mesh.setColorAt(i, ink);
      mesh.instanceColor.needsUpdate = true;
    }
  }

  setLayer(layer, visible) {
    for (const { mesh } of this.batches) if (mesh.userData.layer === layer) mesh.visible = visible;
  }

  /** Lighten all instances with a tag; returns a function that puts the colours back. */
  highlight(tag) {
    const undo = [];
    const light = new Color("#ffffff"), color = new Color();
    for (const { mesh } of this.batches) {
      mesh.userData.tags.forEach((other, i) => {
        if (other.kind !== tag.kind || other.index !== tag.index) return;
        mesh.getColorAt(i, color);
        const before = color.clone();
        mesh.setColorAt(i, color.lerp(light, 0.35));
        mesh.instanceColor.needsUpdate = true;
        undo.push(() => {
          mesh.setColorAt(i, before);
          mesh.instanceColor.needsUpdate = true;
        });
      });
    }
    return () => undo.forEach((back) => back());
  }

  /** Place and axes of the first drawn shape of a body, as the picture has it. */
  drawnAt(index) {
    for (const { mesh } of this.batches) {
      const i = mesh.userData.tags.findIndex((tag) => tag.kind === "body" && tag.index === index);
      if (i >= 0) return [...mesh.instanceMatrix.array.slice(16 * i, 16 * i + 16)];
    }
    return null;
  }

  /** The space that is filled at the frame shown: grows `box` by every part's own box. */
  growBox(box) {
    const low = box.min.toArray(), high = box.max.toArray();
    for (const { mesh } of this.batches) {
      if (mesh.userData.layer === "ground") continue;
      mesh.userData.reach ??= reachOf(mesh.geometry);
      widen(low, high, mesh.instanceMatrix.array, mesh.count, mesh.userData.reach);
    }
    box.min.fromArray(low);
    box.max.fromArray(high);
    return box;
  }

  /** Boxes of what stands on the ground, of each shape one. */
  groundBoxes() {
    return this.batches.filter(({ mesh }) => mesh.userData.layer === "ground").map(({ mesh }) => {
      const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
      widen(low, high, mesh.instanceMatrix.array, mesh.count, reachOf(mesh.geometry));
      return new Box3(new Vector3(...low), new Vector3(...high));
    });
  }
}

/** Middle and half the edges of a geometry's own box. */
function reachOf(geometry) {
  const { array } = geometry.attributes.position;
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < array.length; i += 3) {
    for (let c = 0; c < 3; c++) {
      const x = array[i + c];
      if (x < low[c]) low[c] = x;
      if (x > high[c]) high[c] = x;
    }
  }
  return low.map((x, c) => [(x + high[c]) / 2, (high[c] - x) / 2]);
}

/** Corners that are moved out by instances with matrices `m`. */
function widen(low, high, m, count, [[x, a], [y, b], [z, c]]) {
  for (let i = 0; i < 16 * count; i += 16) {
    for (let r = 0; r < 3; r++) {
      const p = m[i + r], q = m[i + 4 + r], s = m[i + 8 + r];
      const centre = p * x + q * y + s * z + m[i + 12 + r];
      const reach = Math.abs(p) * a + Math.abs(q) * b + Math.abs(s) * c;
      if (centre - reach < low[r]) low[r] = centre - reach;
      if (centre + reach > high[r]) high[r] = centre + reach;
    }
  }
}

/** Axes of a cart, as long as its radius: along its way, up as far as possible, across. */
function cartAxes({ slide, radius }, reference, up) {
  const along = new Vector3().fromArray(slide).normalize();
  const high = new Vector3().fromArray(reference).cross(along);
  if (high.lengthSq() < 1e-6) high.set(along.y, along.z, along.x).cross(along);
  high.normalize();
  if (high.dot(new Vector3().fromArray(up)) < -1e-6) high.negate();
  return new Matrix4().makeBasis(along, high, new Vector3().crossVectors(along, high)).scale(new Vector3(radius, radius, radius));
}

/** Begin and direction of the rail below a cart: its whole way and a little more. */
function railOf(run, { index, point }, axes) {
  const { places, count } = run.path("point", index, 400);
  const along = new Vector3(), high = new Vector3(), at = new Vector3();
  axes.extractBasis(along, high, new Vector3());
  let low = 0, most = 0;
  const start = new Vector3().fromArray(places);
  for (let k = 0; k < count; k++) {
    const s = at.fromArray(places, 3 * k).sub(start).dot(along) / along.lengthSq();
    low = Math.min(low, s);
    most = Math.max(most, s);
  }
  const from = start.addScaledVector(along, low - 2.4).addScaledVector(high, -1.6);
  return { from, way: along.multiplyScalar(most - low + 4.8), point };
}
