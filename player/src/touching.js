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
    this.events = [];
  }

  /** Look at the step that has just been taken. */
  note() {
    const { counts, smooth, pairs, table, shapes } = this.spec;
    const { work, sizes } = this.live.engine.arrays, { t } = this.live;
    const count = sizes[smooth] ? 0 : Number(sizes[counts[0]] + sizes[counts[1]]);
    for (let k = 0; k < count; k++) {
      const at = table.at + k * table.width, push = at + table.impulse;
      if (!work[push] && !work[push + 1] && !work[push + 2]) continue;
      const pair = pairs.at + k * pairs.width;
      const a = Number(sizes[pair + pairs.a]), b = Number(sizes[pair + pairs.b]);
      const key = `${a} ${b}`;
      if (!this.open.has(key) && !(this.first && work[at + table.speed] > -MEETING)) this.add(t, `touch: ${shapes[a]}, ${shapes[b]}${speedOf(work[at + table.speed])}`);
      this.open.set(key, t);
    }
    this.first = false;
    for (const [key, last] of this.open) {
      if (t - last < PARTED) continue;
      this.open.delete(key);
      const [a, b] = key.split(" ");
      this.add(last, `apart: ${shapes[a]}, ${shapes[b]}`);
    }
  }

  add(t, text) {
    this.events.push([t, text]);
    if (this.events.length > MOST) this.events.shift();
  }
}

/** How fast they met; nothing where that is slow. */
const speedOf = (speed) => (speed < -MEETING ? ` at ${short(-speed, 3)} m/s` : "");
