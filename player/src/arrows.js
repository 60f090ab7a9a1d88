// Forces, torques and contacts as arrows: a shaft and a head each, all in three draw calls.
import { Color, ConeGeometry, CylinderGeometry, Group, InstancedMesh, MeshStandardMaterial, Sphere, SphereGeometry, Vector3 } from "three";
import { ball, hidden, laid } from "./placing.js";

export const COLORS = { reaction: "#C23B4E", force: "#2F9E62", torque: "#8A5CC2", contact: "#E08A1E" };

export class Arrows {
  constructor(run, ghost = 0) {
    this.run = run;
    this.group = new Group();
    this.scale = 1;
    this.shown = { reaction: false, force: false, torque: false, contact: false };
    const { arrows, size } = run.scene;
    this.count = arrows.length;
    this.thick = 0.006 * size;
    this.kinds = [...new Set(arrows.map((arrow) => arrow.kind))];
    if (!this.count) return;
    const opacity = ghost || 1;
    // Over everything: a force along a bar would else be inside it.
    const material = new MeshStandardMaterial({ roughness: 0.6, metalness: 0, transparent: true, opacity, depthTest: false, depthWrite: false });
    const upright = (geometry, shift) => geometry.translate(0, shift, 0).rotateX(Math.PI / 2);
    this.shafts = this.mesh(upright(new CylinderGeometry(1, 1, 1, 14), 0.5), material);
    this.heads = this.mesh(upright(new ConeGeometry(1, 1, 20), 0.5), material);
    // A torque has a second head, a contact a ball where it acts.
    this.marks = this.mesh(upright(new ConeGeometry(1, 1, 20), 0.5), material);
    this.balls = this.mesh(new SphereGeometry(1, 16, 12), material);
    this.update();
  }

  mesh(geometry, material) {
    const mesh = new InstancedMesh(geometry, material, this.count);
    mesh.frustumCulled = false;
    mesh.boundingSphere = new Sphere(new Vector3(), Infinity);
    const color = new Color();
    this.run.scene.arrows.forEach((arrow, i) => mesh.setColorAt(i, color.set(COLORS[arrow.kind] ?? "#888888")));
    mesh.userData.tags = this.run.scene.arrows.map((_, index) => ({ kind: "arrow", index }));
    mesh.renderOrder = 4 + this.group.children.length;
    this.group.add(mesh);
    return mesh;
  }

  get any() { return this.kinds.some((kind) => this.shown[kind]); }

  /** Length an arrow is drawn with  [m]. */
  lengthOf(k) {
    const { kind, scale } = this.run.scene.arrows[k];
    const { vector } = this.run;
    return this.shown[kind] ? scale * this.scale * Math.hypot(vector[3 * k], vector[3 * k + 1], vector[3 * k + 2]) : 0;
  }

  update() {
    if (!this.count) return;
    const { tail, vector, scene } = this.run;
    if (!this.any) return;
    const thick = this.thick;
    const [shafts, heads, marks, balls] = [this.shafts, this.heads, this.marks, this.balls].map((m) => m.instanceMatrix.array);
    for (let k = 0; k < this.count; k++) {
      const i = 16 * k, c = 3 * k;
      const { kind, scale } = scene.arrows[k];
      const s = this.shown[kind] ? scale * this.scale : 0;
      const dx = s * vector[c], dy = s * vector[c + 1], dz = s * vector[c + 2];
      const length = Math.hypot(dx, dy, dz);
      hidden(marks, i);
      hidden(balls, i);
      if (!(length > 0.1 * thick)) {
        hidden(shafts, i);
        hidden(heads, i);
        if (kind === "contact" && this.shown[kind]) ball(balls, i, tail[c], tail[c + 1], tail[c + 2], 1.6 * thick);
        continue;
      }
      const head = Math.min(6 * thick, 0.45 * length);
      const shaft = (length - 0.9 * head) / length, part = head / length;
      const wide = Math.min(2.4 * thick, 0.4 * head);
      const x = tail[c], y = tail[c + 1], z = tail[c + 2];
      const tip = 1 - part;
      laid(shafts, i, x, y, z, shaft * dx, shaft * dy, shaft * dz, Math.min(thick, 0.4 * wide), UP);
      laid(heads, i, x + tip * dx, y + tip * dy, z + tip * dz, part * dx, part * dy, part * dz, wide, UP);
      if (kind === "torque") {
        const before = Math.max(0, 1 - 1.7 * part);
        laid(marks, i, x + before * dx, y + before * dy, z + before * dz, part * dx, part * dy, part * dz, wide, UP);
      }
      if (kind === "contact") ball(balls, i, x, y, z, 1.6 * thick);
    }
    for (const mesh of [this.shafts, this.heads, this.marks, this.balls]) mesh.instanceMatrix.needsUpdate = true;
  }
}

const UP = [0.36, 0.48, 0.8];
