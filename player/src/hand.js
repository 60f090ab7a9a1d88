// The hand of a model that runs in the page: a spring from what is held to where it is pulled.
import { rank, solved } from "./algebra.js";

export class Pulled {
  /** Pull what `grip` says towards a place: {body, at, center} or {weights}, and {target}. */
  pull(grip) {
    const { hand } = this.spec;
    let mass;
    if (hand.kind === "body") {
      const center = grip.center ?? hand.centers[grip.body], kept = hand.kept[grip.body];
      const way = grip.at.map((x, i) => x - center[i]);
      // A rod is a line and a point mass a point: pulled beside it, nothing would resist.
      grip = { ...grip, arm: [0, 1, 2].map((i) => kept[0][i] * way[0] + kept[1][i] * way[1] + kept[2][i] * way[2]) };
      mass = hand.masses[grip.body];
    } else mass = this.weigh(grip);
    if (!(mass > 0)) return false;
    const swift = this.adaptive ? hand.swift : Math.min(hand.swift, hand.stable / this.step);
    this.hold({ ...grip, stiffness: mass * swift ** 2, damping: 2 * mass * swift });
    return true;
  }

  move(target) { if (this.grip) this.hold({ ...this.grip, target }); }

  release() {
    if (this.grip) this.hold({ ...this.grip, stiffness: 0, damping: 0 });
    this.grip = null;
  }

  hold(grip) {
    this.grip = grip;
    const { hand } = this.spec;
    const { arrays } = this.engine;
    if (hand.kind === "body") {
      // in the state that runs, and in those in which forces are looked at
      for (const name of this.works) {
        const places = hand[name === "work" ? "running" : name], work = arrays[name], sizes = arrays[name === "work" ? "sizes" : `${name}_sizes`];
        sizes[places.slot] = BigInt(grip.body);
        work.set(grip.target, places.record);
        work.set(grip.arm, places.record + hand.frame);
        const first = places.record + 2 * hand.frame;
        work.fill(grip.stiffness, first, first + 3);
        work.fill(grip.damping, first + 6, first + 9);
      }
      return;
    }
    this.weights(grip);
    this.parameter("k", grip.stiffness);
    this.parameter("c", grip.damping);
    ["x", "y", "z"].forEach((axis, i) => this.parameter(axis, grip.target[i]));
    this.renew("work");
    this.renew("checked");
  }

  weights({ weights, at = [0, 0, 0] }) {
    for (const name of this.spec.hand.names) this.parameter(`of.${name}`, weights[name] ?? 0);
    ["x", "y", "z"].forEach((axis, i) => this.parameter(`at.${axis}`, at[i]));
  }

  parameter(name, value) {
    const { running, checked } = this.spec.hand, { arrays } = this.engine;
    if (running[name] !== undefined) arrays.parameters[running[name]] = value;
    if (checked[name] !== undefined) arrays.checked_parameters[checked[name]] = value;
  }

  /** Effective mass of a point, (J M^-1 J^T)^-1: the mean over the directions it can go. */
  weigh(grip) {
    const { exports, arrays } = this.engine;
    const n = this.spec.hand.coordinates;
    this.weights(grip);
    this.renew("work");
    exports.grip(this.at("work"), this.at("sizes"), this.t, this.at("q"), this.at("v"), this.at("grip"));
    const J = [0, 1, 2].map((r) => [...arrays.grip.subarray(3 + r * n, 3 + (r + 1) * n)]);
    const M = Array.from({ length: n }, (_, r) => [...arrays.grip.subarray(3 + (3 + r) * n, 3 + (4 + r) * n)]);
    const X = J.map((row) => solved(M, row));
    const W = J.map((row) => X.map((x) => row.reduce((sum, value, i) => sum + value * x[i], 0)));
    const trace = W[0][0] + W[1][1] + W[2][2];
    return trace > 0 ? rank(W, 1e-9 * trace) / trace : 0;
  }

  /** Where the held point is now. */
  held() {
    const { grip } = this;
    if (!grip) return null;
    if (this.spec.hand.kind === "body") {
      const q = this.look(), b = 7 * grip.body;
      const [a, x, y, z] = q.subarray(b + 3, b + 7);
      const [p, r, s] = grip.arm;
      const [tx, ty, tz] = [y * s - z * r, z * p - x * s, x * r - y * p];
      return [
        q[b] + p + 2 * (a * tx + y * tz - z * ty),
        q[b + 1] + r + 2 * (a * ty + z * tx - x * tz),
        q[b + 2] + s + 2 * (a * tz + x * ty - y * tx),
      ];
    }
    const { exports, arrays } = this.engine;
    exports.grip(this.at("work"), this.at("sizes"), this.t, this.at("q"), this.at("v"), this.at("grip"));
    return [...arrays.grip.subarray(0, 3)];
  }
}
