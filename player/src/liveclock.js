// Time of a page that simulates: playing goes on from the present, the past can be looked at.
import { Clock } from "./clock.js";

const BUDGET = 11; // milliseconds of a frame that the models may take together
const LONGEST = 0.1; // seconds of the wall that are made up for at once
const KEPT = 1 / 60, PIECES = 16; // seconds between moments that are kept, and how many there are in a frame at most
const LEAST = 5; // seconds that plots show at least
const WATCHED = 1, BEHIND = 0.9; // seconds over which the speed is looked at, share of what was asked below which it is told

export class LiveClock extends Clock {
  /** `failed(sentence)` is called when a model stops. */
  constructor(runs, onChange, failed) {
    super(runs[0].begin, runs[0].begin, onChange);
    this.runs = runs;
    this.failed = failed;
    this.look();
  }

  get horizon() { return Math.max(this.end, this.begin + LEAST); }

  tick(now) {
    if (!this.playing) return;
    const passed = this.last === null ? 0 : (now - this.last) / 1000, before = this.end;
    this.last = now;
    this.drive(Math.min(passed, LONGEST) * this.speed);
    this.watch(passed, this.end - before);
    this.onChange();
  }

  /** Begin to look how fast time goes here. */
  look() {
    this.pace = null; // seconds here a second of the wall, where that is less than asked
    this.watched = { passed: 0, gone: 0 };
  }

  watch(passed, gone) {
    const { watched } = this;
    watched.passed += passed;
    watched.gone += gone;
    if (watched.passed < WATCHED) return;
    const pace = watched.gone / watched.passed;
    this.look();
    if (pace < BEHIND * this.speed) this.pace = pace;
  }

  setSpeed(speed) {
    this.look();
    super.setSpeed(speed);
  }

  /** All models go on together: none runs ahead of one that takes longer. */
  drive(duration, budget = BUDGET) {
    const [first, ...others] = this.runs;
    const until = performance.now() + budget;
    const pieces = Math.min(PIECES, Math.max(1, Math.ceil(duration / KEPT)));
    for (let k = 0, done = true; k < pieces && done; k++) {
      done = first.live.advance(duration / pieces, (until - performance.now()) / this.runs.length);
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
    this.look();
    this.onChange();
  }

  seek(time) {
    this.playing = false;
    super.seek(time);
  }
}
