// Which shapes touch, step by step: what begins and ends becomes an event of the log.
import { short } from "./words.js";

const PARTED = 0.02; // seconds without a force after which two shapes are apart
const MEETING = 1e-3; // metres a second from which on shapes meet
const MOST = 500; // events that are kept

export class Touching {
  constructor(live) {
    this.live = live;
    this.spec = live.spec.touching;
    this.clear();
  }

  clear() {
    this.open = new Map(); // pair -> when a force was last seen
    this.first = true; // what touches from the start on is no event
    this.before = this.live.engine.arrays.clock[this.live.spec.clock.t];
    this.forces = new Float64Array(4 * this.spec.bodies.length); // on each body: x, y, z, length  [N]
    this.events = [];
  }

  /** Look at the step that has just been taken. */
  note() {
    const { counts, smooth, pairs, table, shapes } = this.spec;
    const { work, sizes } = this.live.engine.arrays, { t } = this.live;
    const count = sizes[smooth] ? 0 : Number(sizes[counts[0]] + sizes[counts[1]]);
    const length = t - this.before;
    this.before = t;
    this.forces.fill(0);
    for (let k = 0; k < count; k++) {
      const at = table.at + k * table.width, push = at + table.impulse;
      if (!work[push] && !work[push + 1] && !work[push + 2]) continue;
      const pair = pairs.at + k * pairs.width;
      const a = Number(sizes[pair + pairs.a]), b = Number(sizes[pair + pairs.b]);
      for (let c = 0; c < 3; c++) this.push(a, b, c, work[push + c] / length);
      const key = `${a} ${b}`;
      if (!this.open.has(key) && !(this.first && work[at + table.speed] > -MEETING)) this.add(t, `touch: ${shapes[a]}, ${shapes[b]}${speedOf(work[at + table.speed])}`);
      this.open.set(key, t);
    }
    this.first = false;
    for (let at = 0; at < this.forces.length; at += 4) this.forces[at + 3] = Math.hypot(this.forces[at], this.forces[at + 1], this.forces[at + 2]);
    for (const [key, last] of this.open) {
      if (t - last < PARTED) continue;
      this.open.delete(key);
      const [a, b] = key.split(" ");
      this.add(last, `apart: ${shapes[a]}, ${shapes[b]}`);
    }
  }

  /** A part of a force on the second of two shapes, and its opposite on the first. */
  push(a, b, c, force) {
    const { owners } = this.spec;
    if (owners[b] >= 0) this.forces[4 * owners[b] + c] += force;
    if (owners[a] >= 0) this.forces[4 * owners[a] + c] -= force;
  }

  add(t, text) {
    this.events.push([t, text]);
    if (this.events.length > MOST) this.events.shift();
  }
}

/** How fast they met; nothing where that is slow. */
const speedOf = (speed) => (speed < -MEETING ? ` at ${short(-speed, 3)} m/s` : "");
