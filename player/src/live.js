// A model that runs in the page: steps, parameters, a start of one's own, a hand. Knows no picture.
import { Pulled } from "./hand.js";
import { heldStart } from "./starting.js";
import { Touching } from "./touching.js";
import { boundsProblem, failureOf, projectProblem, startProblem } from "./words.js";

const OK = 0, MORE = 100, NEEDS_ROOM = 103;
const FAR = 1e9; // end of a run with fixed steps [s]
const PACE = 16, CHUNK = 4; // steps of the first call, milliseconds of the others
// How far a coordinate may go at once when a parameter is turned, and into how many pieces that is divided.
const JUMP = 0.2, PIECES = 64;
const TURN = 2 * Math.PI;

const finite = (array) => array.every(Number.isFinite);

const largest = (array, count = array.length) => {
  let found = 0;
  for (let i = 0; i < count; i++) {
    const size = Math.abs(array[i]);
    if (!(size <= found)) found = size;
  }
  return found;
};

export class Live extends Pulled {
  constructor(engine) {
    super();
    this.engine = engine;
    this.spec = engine.spec;
    this.values = new Map(this.spec.knobs.map((knob) => [knob.name, knob.value]));
    this.knobs = new Map(this.spec.knobs.map((knob) => [knob.name, knob]));
    this.start = new Map(); // coordinates and velocities of the start that were turned: name -> value
    this.grip = null;
    this.pace = PACE;
    this.failure = null;
    this.begin = this.t;
    this.goal = this.t;
    this.first = this.state(); // with which the run began
    this.given = this.counted(); // angles of the start that came with the page
    this.touching = this.spec.touching ? new Touching(this) : null;
  }

  get t() { return this.engine.arrays.clock[this.spec.clock.t]; }
  /** Coordinates and velocities of the run now. */
  state() {
    const { q, v } = this.engine.arrays;
    return { q: q.slice(), v: v.slice() };
  }

  /** Angles counted through full turns: those of the equations, and those of hinges. */
  counted() {
    const { angles, work } = this.engine.arrays;
    return { angles: angles.slice(), hinges: this.spec.hinges.map((at) => work[at]) };
  }

  get adaptive() { return this.spec.step === null; }
  get step() { return this.engine.arrays.clock[this.spec.clock.step]; }

  /** Arrays of the state that runs, of the one with which starts are tried, and of the one in which forces are looked at. */
  get works() { return this.spec.measured ? ["work", "checked", "measured"] : ["work", "checked"]; }

  at(name) { return this.spec.arrays[name].at; }

  // ---- going on ----------------------------------------------------------------------------

  /** Go on for some seconds, at most `budget` milliseconds of the wall clock; false when it was too long. */
  advance(duration, budget = Infinity) {
    if (this.failure) return true;
    const began = performance.now();
    this.goal = Math.max(this.goal, this.t) + duration;
    for (;;) {
      const due = this.due();
      if (due < 1) return true;
      const before = performance.now();
      const steps = Math.min(this.pace, due);
      const taken = this.take(steps, began + budget);
      if (this.failure) return true;
      const now = performance.now();
      this.pace = Math.ceil(Math.min(Math.max((taken * CHUNK) / Math.max(now - before, 1e-3), 1), 4 * this.pace, 2 ** 30));
      if (now - began > budget) {
        this.goal = this.t; // what was missed is not made up for
        return false;
      }
    }
  }

  /** One step. */
  once() {
    if (this.failure) return;
    if (this.adaptive) this.aim(this.t + Math.max(1, 10 * this.step));
    this.take(1);
    this.goal = this.t;
  }

  due() {
    const left = this.goal - this.t;
    if (!this.adaptive) return Math.floor(left / this.step + 1e-6);
    if (left <= 1e-12 * Math.max(1, Math.abs(this.goal))) return 0;
    this.aim(this.goal);
    return Infinity;
  }

  aim(end) { this.engine.arrays.clock[this.spec.clock.until] = end; }

  /** So many steps, with contact as many as fit in the time `until`; how many there were. */
  take(steps, until = Infinity) {
    let done = 0;
    for (const place of Object.values(this.spec.counts)) this.engine.arrays.counts[place] = 0n;
    let status;
    try {
      // with contact step by step: what touches for one of them alone is an event, too
      const count = this.touching ? 1 : steps;
      while (done < steps) {
        status = this.engine.call("run", count);
        if (status !== OK && status !== MORE) break;
        done += count;
        this.touching?.note();
        if (status === OK || performance.now() > until) break;
      }
    } catch (problem) {
      // An index out of the memory: a state that no step can leave.
      this.failure = `Stopped at t = ${this.t} s: ${problem.message}. Reset.`;
      return done;
    }
    if (status === OK || status === MORE) return done;
    this.failure = status === NEEDS_ROOM ? this.spec.words.room : failureOf(this, status);
    return done;
  }

  /** Run ahead for some milliseconds and begin anew: browsers compile a function when it is first called, and playing would wait. */
  rehearse(budget) {
    if (this.t !== this.begin || this.failure || this.grip || this.changed) return;
    const until = performance.now() + budget;
    do this.once(); while (!this.failure && performance.now() < until);
    this.open(null);
  }

  // ---- what there is to see ----------------------------------------------------------------

  /** Coordinates and velocities of the model itself. */
  look() {
    if (this.spec.entries.bodies) this.engine.call("bodies");
    const { arrays, exports } = this.engine;
    const state = [this.at("work"), this.at("sizes"), this.t, this.at("bodies_q"), this.at("bodies_v")];
    if (this.spec.seen.turns) {
      this.engine.call("count");
      exports.raw(...state, this.at("raw"));
      for (let k = 0; k < arrays.raw.length; k++) arrays.turns[k] = TURN * Math.round((arrays.hinges[k] - arrays.raw[k]) / TURN);
    }
    exports.seen(...state, this.at("turns"), this.at("seen"));
    return arrays.bodies_q;
  }

  /** Multipliers of the constraints at the present state, after `look`; NaN where the equations cannot be solved. */
  forces() {
    const { arrays } = this.engine, { measured } = this.spec;
    if (measured) {
      // on a tree of joints: by the equations of its bodies
      arrays.measured_q.set(arrays.bodies_q);
      arrays.measured_v.set(arrays.bodies_v);
      measured.angles.forEach((hinge, k) => { if (hinge !== null) arrays.measured_angles[k] = arrays.hinges[hinge]; });
      if (this.engine.call("measure", this.t) !== OK) arrays.measured_lam.fill(NaN);
      return arrays.measured_lam;
    }
    arrays.checked_angles.set(arrays.angles.subarray(0, arrays.checked_angles.length));
    arrays.trial_q.set(arrays.q);
    arrays.trial_v.set(arrays.v);
    const status = this.engine.call("accelerate", this.t);
    if (status !== OK) arrays.trial_lam.fill(NaN);
    return arrays.trial_lam;
  }

  get kinetic() { return this.seen(this.spec.seen.kinetic); }
  get potential() { return this.seen(this.spec.seen.potential); }
  seen(place) { return place === null ? NaN : this.engine.arrays.seen[place]; }

  /** Largest violation of positions and of velocities. */
  get drift() {
    const { phi, phi_dot: rates } = this.engine.arrays;
    return [largest(phi, this.spec.words.holonomic), largest(rates)];
  }

  // ---- steering ----------------------------------------------------------------------------

  /** Whether parameters or the start are other than the model has them. */
  get changed() {
    return this.start.size > 0 || [...this.values].some(([name, value]) => value !== this.knobs.get(name).value);
  }

  /** Back to the start with the present parameters; throws the sentence where there is no such state. */
  reset() {
    if (!this.changed) {
      this.open(null);
      return;
    }
    // near the angles that came with the page, not those which the run has come to
    let found = this.tried(this.values, this.begin, ...this.asked(this.spec.initial), this.given.angles);
    if (found && this.start.size) found = heldStart(this, { ...found, hinges: this.given.hinges });
    if (!found) throw new Error(this.problem);
    this.open({ t: this.begin, ...found });
  }

  /** The start that the model asks for with its present parameters. */
  asked(initial) {
    const q = Float64Array.from(initial.q), v = Float64Array.from(initial.v);
    if (initial.formulas) {
      this.write(this.values, "checked");
      this.engine.exports.start(this.at("checked"), this.at("checked_sizes"), this.begin, this.at("free"), this.at("start"));
      const { start } = this.engine.arrays;
      q.set(start.subarray(0, q.length));
      v.set(start.subarray(q.length));
    }
    // Of bodies: between starts that were tried when the page was made.
    for (const [name, moved] of Object.entries(initial.moved)) {
      const { values } = moved, at = this.values.get(name);
      let i = 0;
      while (i < values.length - 2 && values[i + 1] < at) i++;
      const part = values.length > 1 ? (at - values[i]) / (values[i + 1] - values[i]) : 0;
      for (const [array, changes] of [[q, moved.q], [v, moved.v]]) {
        for (let k = 0; k < array.length; k++) array[k] += changes[i][k] + part * ((changes[i + 1] ?? changes[i])[k] - changes[i][k]);
      }
    }
    return [q, v];
  }

  /** Another value, from the nearest state that fits it; throws the sentence where there is none. */
  set(name, value) {
    const now = this.values.get(name);
    if (now === value) return;
    const wanted = new Map(this.values).set(name, value);
    if (this.knobs.get(name).restarts) {
      this.values = wanted;
      this.reset();
      return;
    }
    const { arrays } = this.engine;
    const t = this.t, counted = this.counted();
    const found = this.nearest(wanted, name, now, value, t, arrays.q.slice(), arrays.v.slice());
    if (!found) throw new Error(this.problem);
    this.values = wanted;
    this.open({ t, ...found, ...counted });
  }

  /** Directly where that is near, else in pieces, each halved until it moves the mechanism only a little. */
  nearest(wanted, name, now, value, t, q, v) {
    const allowed = JUMP * Math.max(1, largest(q));
    const direct = this.tried(wanted, t, q, v);
    if (direct && direct.moved <= allowed) return direct;
    let done = 0, piece = 0.5, at = { q, v };
    while (piece >= 1 / PIECES) {
      const share = Math.min(1, done + piece);
      const found = this.tried(new Map(wanted).set(name, share === 1 ? value : now + share * (value - now)), t, at.q, at.v);
      if (!found || found.moved > allowed) {
        piece /= 2;
        continue;
      }
      at = found;
      done = share;
      if (share === 1) return found;
      if (found.moved < 0.25 * allowed) piece *= 2;
    }
    if (!direct) this.tried(wanted, t, q, v); // what is in the way is told from there
    return direct;
  }

  /** The state on the constraints nearest to another; null where none is found. */
  tried(values, t, q, v, angles = this.engine.arrays.angles) {
    const { arrays } = this.engine;
    this.write(values, "checked");
    arrays.checked_angles.set(angles.subarray(0, arrays.checked_angles.length));
    arrays.trial_q.set(q);
    arrays.trial_v.set(v);
    this.problem = boundsProblem(this) ?? startProblem(this, values, this.engine.call("accelerate", t));
    for (let pass = 0; pass < 2 && !this.problem; pass++) {
      const status = this.engine.call("project", t);
      if (status === OK && finite(arrays.trial_q) && finite(arrays.trial_v)) continue;
      // What is in the way is told from where it was to begin.
      arrays.trial_q.set(q);
      arrays.trial_v.set(v);
      this.engine.call("accelerate", t);
      this.problem = projectProblem(this, values, status);
    }
    this.problem ??= startProblem(this, values, this.engine.call("accelerate", t));
    if (this.problem) return null;
    let moved = 0;
    for (let i = 0; i < q.length; i++) moved = Math.max(moved, Math.abs(arrays.trial_q[i] - q[i]));
    return { q: arrays.trial_q.slice(), v: arrays.trial_v.slice(), moved };
  }

  /** Parameters into the arrays of one of the states, and what follows from them. */
  write(values, work) {
    const array = this.engine.arrays[work === "work" ? "parameters" : `${work}_parameters`];
    for (const [name, value] of values) {
      const { index, free } = this.knobs.get(name);
      if (free === null) array[index] = value;
      else this.engine.arrays.free[free] = value;
    }
    this.renew(work);
  }

  renew(work) {
    for (const [name, arrays, sizes] of this.spec.renew) {
      if (arrays === work) this.engine.exports[name](this.at(arrays), this.at(sizes), 0);
    }
  }

  /** Go on from where another run of the same model is, with its parameters. */
  follow(other) {
    this.values = new Map(other.values);
    this.start = new Map(other.start);
    this.first = other.first;
    this.grip = other.grip;
    this.open({ t: other.t, ...other.state(), ...other.counted() });
  }

  /** A new run; from the very start, or from a state. */
  open(from) {
    const { engine, spec } = this;
    const { arrays } = engine;
    engine.restore();
    this.failure = null;
    if (!from || from.t === this.begin) this.touching?.clear();
    if (from) {
      for (const work of this.works) this.write(this.values, work);
      arrays.q.set(from.q);
      arrays.v.set(from.v);
      arrays.clock[spec.clock.t] = arrays.clock[spec.clock.start] = from.t;
      arrays.clock[spec.clock.until] = from.t + (this.adaptive ? 1 : FAR);
      if (from.angles) arrays.angles.set(from.angles);
      if (from.hinges) spec.hinges.forEach((at, k) => { arrays.work[at] = from.hinges[k]; });
      engine.call("begin", from.t);
      engine.call("watch", from.t);
    }
    this.goal = this.t;
    if (this.t === this.begin) this.first = this.state();
    if (this.grip) this.hold(this.grip);
  }
}
