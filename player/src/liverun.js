// A run that grows: the states of a model that runs in the page, kept as far back as there is room.
import { Run } from "./run.js";

const ROOM = 4096; // moments that are kept; of more the older half is forgotten

/** Columns over time in full precision. */
class Growing {
  constructor(width) {
    this.width = width;
    this.numbers = new Float64Array(ROOM * width);
  }

  row(frame) { return this.numbers.subarray(frame * this.width, (frame + 1) * this.width); }
  value(frame, column) { return this.numbers[frame * this.width + column]; }
  between(frame, next, part, column) {
    const a = this.value(frame, column);
    return a + part * (this.value(next, column) - a);
  }
  forget(count) { this.numbers.copyWithin(0, count * this.width); }
}

export class LiveRun extends Run {
  /** Opened on the motion that came with the page, which tells how much room it takes; then live. */
  attach(live) {
    this.live = live;
    this.preview = true;
  }

  /** From here on the frames are those of the model. */
  goLive() {
    this.preview = false;
    for (const name of ["positions", "rotations", "points", "tails", "vectors", "values"]) this[name] = new Growing(this[name].width);
    this.values = new Growing(this.scene.signals.length);
    this.states = new Growing(this.live.engine.arrays.q.length + this.live.engine.arrays.v.length);
    this.times = new Float64Array(ROOM);
    this.restart();
  }

  /** The past of another run of the same model. */
  takeOver(other) {
    for (const name of ["positions", "rotations", "points", "values", "states"]) this[name].numbers.set(other[name].numbers);
    this.times.set(other.times);
    this.frames = other.frames;
    this.first = other.first;
    this.frame = -1;
    this.keep();
  }

  restart() {
    this.frames = 0;
    this.frame = -1;
    this.first = null; // energy at the start
    this.keep();
  }

  /** The present state as one more moment, or in the place of the last where time stands still. */
  keep() {
    const { live } = this;
    if (this.frames && this.times[this.frames - 1] === live.t) this.frames--;
    if (this.frames === ROOM) this.forget(ROOM / 2);
    const f = this.frames++;
    this.times[f] = live.t;
    this.frame = -1;
    const q = live.look();
    this.placeBodies(f, q);
    const { arrays, spec } = live.engine;
    for (let i = 0; i < 3 * spec.seen.points; i++) this.points.numbers[f * this.points.width + i] = arrays.seen[i];
    const states = this.states.row(f);
    states.set(arrays.q);
    states.set(arrays.v, arrays.q.length);
    this.measure(this.values.row(f), arrays);
  }

  placeBodies(f, q) {
    const { bodies } = this.scene;
    const places = this.positions.row(f), turns = this.rotations.row(f);
    const angles = this.header.live.angles; // bodies described by roll, pitch and yaw
    for (let b = 0; b < bodies.length; b++) {
      const turn = turns.subarray(4 * b, 4 * b + 4);
      if (angles) {
        for (let c = 0; c < 3; c++) places[3 * b + c] = q[6 * b + c];
        ofAngles(q, 6 * b + 3, turn);
        continue;
      }
      turn.set(q.subarray(7 * b + 3, 7 * b + 7));
      if (f && turn.reduce((sum, x, c) => sum + x * this.rotations.value(f - 1, 4 * b + c), 0) < 0) turn.forEach((x, c) => { turn[c] = -x; });
      const [w, x, y, z] = turn, [p, r, s] = bodies[b].center;
      const [tx, ty, tz] = [y * s - z * r, z * p - x * s, x * r - y * p];
      places[3 * b] = q[7 * b] - (p + 2 * (w * tx + y * tz - z * ty));
      places[3 * b + 1] = q[7 * b + 1] - (r + 2 * (w * ty + z * tx - x * tz));
      places[3 * b + 2] = q[7 * b + 2] - (s + 2 * (w * tz + x * ty - y * tx));
    }
  }

  /** Values of the curves. */
  measure(row, arrays) {
    const { live } = this;
    const kinetic = live.kinetic, potential = live.potential;
    const total = kinetic + potential;
    this.first ??= total;
    const [phi, rates] = live.drift;
    const known = { kinetic, potential, total, change: Math.abs(total - this.first), phi, rates };
    const sources = { q: arrays.q, v: arrays.v, seen: arrays.seen, contact: live.touching?.forces, lam: live.spec.forces.length ? live.forces() : null };
    this.scene.signals.forEach(({ from, index }, i) => { row[i] = sources[from] ? sources[from][index] : known[from]; });
  }

  forget(count) {
    for (const columns of [this.positions, this.rotations, this.points, this.values, this.states]) columns.forget(count);
    this.times.copyWithin(0, count);
    this.frames -= count;
  }

  curve(number, frame) { return this.preview ? NaN : this.values.value(frame, number); }

  /** The last part of the path: trails show no more. */
  path(kind, index, most) {
    if (this.preview) return super.path(kind, index, most);
    const count = Math.min(this.frames, 900), from = this.frames - count;
    const made = { places: new Float32Array(3 * count), frames: new Float32Array(count), count };
    const held = this.frame;
    const source = kind === "point" ? this.at : this.p;
    for (let k = 0; k < count; k++) {
      this.show(from + k);
      made.frames[k] = from + k;
      for (let c = 0; c < 3; c++) made.places[3 * k + c] = source[3 * index + c];
    }
    this.frame = -1;
    if (held >= 0) this.show(Math.min(held, this.frames - 1));
    return made;
  }

  /** Everything that is kept, as a table. */
  csv() {
    const { names } = this.live.spec;
    const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const signals = this.scene.signals.map((signal, i) => [signal, i]).filter(([{ from }]) => from !== "q" && from !== "v");
    const lines = [["t", ...names.q, ...names.v, ...signals.map(([{ name }]) => name)].map(quoted).join(",")];
    for (let f = 0; f < this.frames; f++) {
      lines.push([this.times[f], ...this.states.row(f), ...signals.map(([, i]) => this.values.value(f, i))].join(","));
    }
    return `${lines.join("\n")}\n`;
  }
}

/** Unit quaternion of roll, pitch, yaw. */
function ofAngles(q, at, out) {
  const [cr, cp, cy] = [0, 1, 2].map((i) => Math.cos(q[at + i] / 2));
  const [sr, sp, sy] = [0, 1, 2].map((i) => Math.sin(q[at + i] / 2));
  out[0] = cr * cp * cy + sr * sp * sy;
  out[1] = sr * cp * cy - cr * sp * sy;
  out[2] = cr * sp * cy + sr * cp * sy;
  out[3] = cr * cp * sy - sr * sp * cy;
}
