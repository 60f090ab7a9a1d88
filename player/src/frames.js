// Three axes on bodies: x red, y green, z blue. All bodies when asked for, else the one pointed at.
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments } from "three";

const COLORS = [[0.82, 0.2, 0.24], [0.18, 0.6, 0.3], [0.2, 0.42, 0.85]];

export class Frames {
  constructor(app) {
    this.app = app;
    this.all = false;
    this.pointed = null; // {run, tag}
    this.sets = app.runs.map((run) => {
      const count = run.scene.bodies.length;
      const named = run.scene.bodies.flatMap((body, b) => body.frames.map((frame) => ({ b, frame })));
      const places = new Float32Array(18 * (count + named.length));
      const colors = new Float32Array(places.length);
      for (let v = 0; v < places.length / 3; v++) colors.set(COLORS[Math.floor(v / 2) % 3], 3 * v);
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(places, 3));
      geometry.setAttribute("color", new BufferAttribute(colors, 3));
      const lines = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true }));
      lines.frustumCulled = false;
      lines.renderOrder = 5;
      app.stage.scene.add(lines);
      return { run, lines, places, named, count };
    });
  }

  update() {
    this.sets.forEach(({ run, lines, places, named, count }, r) => {
      const one = this.pointed?.run === r && this.pointed.tag.kind === "body" ? this.pointed.tag.index : -1;
      lines.userData.wanted = this.all || one >= 0;
      if (!lines.userData.wanted) return;
      const length = 0.07 * run.scene.size;
      for (let b = 0; b < count; b++) axes(places, 18 * b, run, b, null, this.all || b === one ? length : 0);
      named.forEach(({ b, frame }, k) => {
        axes(places, 18 * (count + k), run, b, frame, this.all || b === one ? 0.6 * length : 0);
      });
      lines.geometry.attributes.position.needsUpdate = true;
    });
  }

  /** Only those of one run; -1 for all. */
  showFor(run) {
    this.sets.forEach(({ lines }, r) => { lines.visible = lines.userData.wanted && (run < 0 || r === run); });
  }
}

const here = new Float64Array(3), there = new Float64Array(3), offset = [0, 0, 0];

function axes(places, at, run, body, frame, length) {
  const origin = frame ? frame.position : [0, 0, 0];
  run.fixed(body, origin, here, 0);
  for (let axis = 0; axis < 3; axis++) {
    unit(frame, axis, offset);
    for (let c = 0; c < 3; c++) offset[c] = origin[c] + length * offset[c];
    run.fixed(body, offset, there, 0);
    places.set(here, at + 6 * axis);
    places.set(there, at + 6 * axis + 3);
  }
}

/** Unit vector of an axis of a frame, in its body. */
function unit(frame, axis, into) {
  into[0] = into[1] = into[2] = 0;
  if (!frame) {
    into[axis] = 1;
    return;
  }
  const [w, x, y, z] = frame.rotation;
  const columns = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
  for (let c = 0; c < 3; c++) into[c] = columns[axis][c];
}
