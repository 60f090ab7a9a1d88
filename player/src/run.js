// One run: the scene, its motion, and where everything is at a moment. No allocation per frame.
import { Columns, Moments } from "./decode.js";

export class Run {
  constructor(header, bytes) {
    this.header = header;
    this.bytes = bytes;
    this.label = header.label;
    this.scene = header.scene;
    const { arrays, scene } = header;
    this.times = new Moments(arrays.t, bytes).moments;
    this.frames = this.times.length;
    for (const name of ["positions", "rotations", "points", "tails", "vectors", "values"]) {
      this[name] = new Columns(arrays[name], bytes);
    }
    const { bodies, points, arrows } = scene;
    this.column = { points: slots(points, header.freePoints), arrows: slots(arrows, header.freeArrows) };
    // The state shown: body origins, quaternions, rotation matrices (rows), then what hangs on them.
    // The world is one more body behind the last.
    this.p = new Float64Array(3 * (bodies.length + 1));
    this.q = new Float64Array(4 * (bodies.length + 1));
    this.R = new Float64Array(9 * (bodies.length + 1));
    this.q[4 * bodies.length] = 1;
    matrix(this.q, 4 * bodies.length, this.R, 9 * bodies.length);
    this.at = new Float64Array(3 * points.length);
    this.tail = new Float64Array(3 * arrows.length);
    this.vector = new Float64Array(3 * arrows.length);
    this.frame = -1;
    this.show(0);
  }

  get begin() { return this.times[0]; }
  get end() { return this.times[this.frames - 1]; }

  /** Fractional frame number of a moment; clamped to the run. */
  frameAt(t) {
    const { times, frames } = this;
    if (!(t > times[0])) return 0;
    if (t >= times[frames - 1]) return frames - 1;
    // Evenly spaced as a rule: the guess is right, or next to it.
    let i = Math.floor(((t - times[0]) / (times[frames - 1] - times[0])) * (frames - 1));
    while (i > 0 && times[i] > t) i--;
    while (i < frames - 2 && times[i + 1] <= t) i++;
    return i + (t - times[i]) / (times[i + 1] - times[i]);
  }

  timeOf(frame) {
    const i = Math.min(Math.floor(frame), this.frames - 1);
    const next = Math.min(i + 1, this.frames - 1);
    return this.times[i] + (frame - i) * (this.times[next] - this.times[i]);
  }

  /** Put bodies, points and arrows where they are at a (fractional) frame. */
  show(frame) {
    if (frame === this.frame) return;
    this.frame = frame;
    const i = Math.floor(frame);
    const next = Math.min(i + 1, this.frames - 1);
    const part = frame - i;
    const { p, q, R, positions, rotations, scene } = this;
    for (let c = 0; c < positions.width; c++) p[c] = positions.between(i, next, part, c);
    for (let b = 0; b < scene.bodies.length; b++) {
      let length = 0;
      for (let c = 4 * b; c < 4 * b + 4; c++) {
        q[c] = rotations.between(i, next, part, c);
        length += q[c] * q[c];
      }
      length = Math.sqrt(length) || 1;
      for (let c = 4 * b; c < 4 * b + 4; c++) q[c] /= length;
      matrix(q, 4 * b, R, 9 * b);
    }
    this.place(scene.points, this.column.points, this.points, this.at, i, next, part);
    this.place(scene.arrows, this.column.arrows, this.tails, this.tail, i, next, part);
    const { vector, vectors } = this;
    for (let c = 0; c < vectors.width; c++) vector[c] = vectors.between(i, next, part, c);
  }

  place(items, column, free, into, i, next, part) {
    for (let k = 0; k < items.length; k++) {
      if (items[k].body === null) {
        const from = 3 * column[k];
        for (let c = 0; c < 3; c++) into[3 * k + c] = free.between(i, next, part, from + c);
      } else this.fixed(items[k].body, items[k].offset, into, 3 * k);
    }
  }

  /** A point fixed in a body (-1 is the world), in world coordinates. */
  fixed(body, offset, into, at) {
    const b = body < 0 ? this.scene.bodies.length : body;
    const { p, R } = this;
    for (let r = 0; r < 3; r++) {
      const row = 9 * b + 3 * r;
      into[at + r] = p[3 * b + r] + R[row] * offset[0] + R[row + 1] * offset[1] + R[row + 2] * offset[2];
    }
  }

  /** Value of a carried curve at a frame; NaN where it has none. */
  curve(number, frame) {
    const signal = this.scene.signals[number];
    for (const [from, to] of signal.missing) if (frame >= from && frame < to) return NaN;
    const value = this.values.value(frame, number);
    return signal.log ? 10 ** value : value;
  }

  /** Path of a point or body over the whole run, at most `most` samples: Float32Array of x, y, z. */
  path(kind, index, most) {
    const stride = Math.ceil(this.frames / most);
    const count = Math.ceil((this.frames - 1) / stride) + 1;
    const made = { places: new Float32Array(3 * count), frames: new Float32Array(count), count };
    const held = this.frame;
    const source = kind === "point" ? this.at : this.p;
    for (let k = 0; k < count; k++) {
      const frame = Math.min(k * stride, this.frames - 1);
      this.show(frame);
      made.frames[k] = frame;
      for (let c = 0; c < 3; c++) made.places[3 * k + c] = source[3 * index + c];
    }
    this.frame = -1;
    this.show(Math.max(held, 0));
    return made;
  }
}

function slots(items, free) {
  const column = new Int32Array(items.length).fill(-1);
  free.forEach((item, k) => { column[item] = k; });
  return column;
}

/** Rotation matrix of a unit quaternion (w, x, y, z), by rows. */
function matrix(q, at, R, to) {
  const w = q[at], x = q[at + 1], y = q[at + 2], z = q[at + 3];
  R[to] = 1 - 2 * (y * y + z * z);
  R[to + 1] = 2 * (x * y - w * z);
  R[to + 2] = 2 * (x * z + w * y);
  R[to + 3] = 2 * (x * y + w * z);
  R[to + 4] = 1 - 2 * (x * x + z * z);
  R[to + 5] = 2 * (y * z - w * x);
  R[to + 6] = 2 * (x * z - w * y);
  R[to + 7] = 2 * (y * z + w * x);
  R[to + 8] = 1 - 2 * (x * x + y * y);
}
