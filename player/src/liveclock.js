// Time of a page that simulates: playing goes on from the present, the past can be looked at.
import { Clock } from "./clock.js";

const BUDGET = 11; // milliseconds of a frame that the models may take together
const KEPT = 1 / 60, PIECES = 16; // seconds between moments that are kept, and how many there are in a frame at most
const LEAST = 5; // seconds that plots show at least

export class LiveClock extends Clock {
  /** `failed(sentence)` is called when a model stops. */
  constructor(runs, onChange, failed) {
    super(runs[0].begin, runs[0].begin, onChange);
    this.runs = runs;
    this.failed = failed;
    this.slow = false;
  }

  get horizon() { return Math.max(this.end, this.begin + LEAST); }

  tick(now) {
    if (!this.playing) return;
    const passed = this.last === null ? 0 : Math.min(now - this.last, 100) / 1000;
    this.last = now;
    this.drive(passed * this.speed);
    this.onChange();
  }

  /** All models go on together: none runs ahead of one that takes longer. */
  drive(duration, budget = BUDGET) {
    const [first, ...others] = this.runs;
    const until = performance.now() + budget;
    const pieces = Math.min(PIECES, Math.max(1, Math.ceil(duration / KEPT)));
    this.slow = false;
    for (let k = 0; k < pieces && !this.slow; k++) {
      this.slow = !first.live.advance(duration / pieces, (until - performance.now()) / this.runs.length);
      for (const run of others) run.live.advance(Math.max(0, first.live.t - run.live.t), 4 * budget);
      if (this.arrive()) return;
    }
  }

  once() {
    for (const run of this.runs) run.live.once();
    this.arrive();
    this.onChange();
  }

  /** The present is kept and shown; true when a model has stopped. */
  arrive() {
    for (const run of this.runs) run.keep();
    this.take();
    const problem = this.runs.map((run) => run.live.failure && (this.runs.length > 1 ? `${run.label}: ${run.live.failure}` : run.live.failure)).find(Boolean);
    if (problem) {
      this.playing = false;
      this.failed(problem);
    }
    return Boolean(problem);
  }

  take() {
    this.begin = this.runs[0].begin;
    this.end = this.time = this.runs[0].end;
  }

  play() {
    if (this.runs.some((run) => run.live.failure)) return;
    this.time = this.end;
    this.playing = true;
    this.last = null;
    this.onChange();
  }

  seek(time) {
    this.playing = false;
    super.seek(time);
  }
}
