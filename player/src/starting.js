// A start with coordinates and velocities that were asked for: the mechanism is moved along their ways
// and projected onto its constraints until it has them; everything else follows.
import { solved } from "./algebra.js";
import { filled, short } from "./words.js";

const OK = 0, TURN = 2 * Math.PI;
const CLOSE = 1e-12, MOST = 80; // difference that is none, steps of Newton's method
const LONGEST = 0.25; // way that is gone at once  [m], [rad]
const STUCK = 1e-9; // share of a way below which the constraints hold a coordinate
const BESIDE = [0.03, 0.003]; // how far aside one looks whether a coordinate is held everywhere
const MOVED = 10; // velocities along which such ways are tried
const NUDGES = [0.1, -0.1, 0.3, -0.3, 0.8, -0.8]; // ways out of a position in which a coordinate cannot begin to move

/** The state with what `live.start` asks for, from a consistent one; null, and `live.problem`, where there is none. */
export function heldStart(live, from) {
  const entries = live.spec.initial.turned.filter(({ name }) => live.start.has(name));
  const held = entries.filter(({ kind }) => kind === "q");
  const asked = new Map(live.start);
  let at = from;
  if (held.length) {
    at = placed(live, held, from);
    const near = nearest(held, from.v.length);
    for (let k = 0; !at && k < NUDGES.length * near.length; k++) {
      const way = new Float64Array(from.v.length);
      way[near[Math.floor(k / NUDGES.length)]] = NUDGES[k % NUDGES.length];
      const beside = projected(live, from.q, from.v, way);
      at = beside && placed(live, held, { ...beside, hinges: hingesAt(live, beside, from.hinges) });
    }
    if (!at) return refused(live, held, from);
    // what was asked to begin elsewhere is as fast there as it was
    const names = new Set(entries.map(({ name }) => name));
    for (const { index, of, name } of held) {
      const rate = live.spec.initial.turned.find((entry) => entry.kind === "v" && rateOf(entry, index, of, name));
      if (!rate || names.has(rate.name)) continue;
      entries.push(rate);
      asked.set(rate.name, value(live, rate, from));
    }
  }
  const speeds = entries.filter(({ kind }) => kind === "v");
  if (speeds.length) at = fast(live, speeds, asked, at) ?? (speeds.some(({ name }) => live.start.has(name)) ? null : at);
  return at ? { ...at, angles: anglesAt(live, at) } : refused(live, speeds, from);
}

/** Angles that the equations count, at a state near the last one that was looked at. */
function anglesAt(live, { q, v }) {
  const { arrays } = live.engine;
  arrays.trial_q.set(q);
  arrays.trial_v.set(v);
  live.engine.call("accelerate", live.begin);
  return arrays.checked_angles.slice();
}

/** Angles of hinges at a state, with the full turns that bring them nearest to those before; on a tree the run has them from its coordinates. */
function hingesAt(live, { q, v }, before) {
  const { arrays, exports } = live.engine;
  if (!live.spec.seen.turns || live.spec.entries.bodies) return before;
  arrays.trial_q.set(q);
  arrays.trial_v.set(v);
  exports.raw(live.at("work"), live.at("sizes"), live.begin, live.at("trial_q"), live.at("trial_v"), live.at("raw"));
  return before.map((angle, k) => arrays.raw[k] + TURN * Math.round((angle - arrays.raw[k]) / TURN));
}

/** Velocities beside those along which coordinates change: of the same body, as a rule. */
function nearest(held, count) {
  const own = held.flatMap(({ of, way }) => (of === "state" ? way : way.map(([, k]) => k)));
  const far = (k) => Math.min(...own.map((other) => Math.abs(k - other)));
  return Array.from({ length: count }, (_, k) => k).sort((a, b) => far(a) - far(b)).slice(0, MOVED);
}

/** Names of coordinates and velocities that the constraints hold wherever the mechanism is: also beside a dead centre. */
export function heldNames(live, from) {
  if (!live.spec.words.rows.length) return new Set();
  const beside = BESIDE.map((size) => projected(live, from.q, from.v, Float64Array.from(from.v, (_, k) => size * Math.sin(1 + 2.4 * k))));
  const places = [from, ...beside.filter(Boolean)];
  if (places.length === 1) return new Set();
  const { turned } = live.spec.initial;
  const stuck = turned.filter((entry) => entry.kind === "q" && places.every((at) => !combined(live, [entry], at, [1])));
  const ways = new Set(stuck.map(({ way }) => String(way)));
  return new Set(turned.filter(({ way }) => ways.has(String(way))).map(({ name }) => name));
}

const rateOf = (entry, index, of, name) => entry.name === `${name}.dot` && entry.of === of;

function refused(live, entries, from) {
  const rows = entries.map((entry) => [entry, live.start.get(entry.name) - value(live, entry, from)]).filter(([entry]) => live.start.has(entry.name));
  live.problem = filled(live.spec.words.unreachable, { rows: rows.map(([{ name }, off]) => `'${name}' (off by ${short(off, 3)})`).join(", ") });
  return null;
}

/** A coordinate or velocity of the start at a state. */
export function value(live, { kind, of, index }, { q, v }) {
  if (of === "state") return (kind === "q" ? q : v)[index];
  return named(live, q, v)[index];
}

function named(live, q, v) {
  const { arrays, exports } = live.engine;
  arrays.trial_q.set(q);
  arrays.trial_v.set(v);
  exports.named(live.at("checked"), live.at("checked_sizes"), live.begin, live.at("trial_q"), live.at("trial_v"), live.at("named"));
  return arrays.named;
}

/** Velocities along which a coordinate changes. */
function wayOf(live, entry, { q, v }) {
  const way = new Float64Array(v.length);
  if (entry.of === "state") for (const k of entry.way) way[k] = 1;
  else {
    const found = named(live, q, v);
    for (const [at, k] of entry.way) way[k] = found[at];
  }
  return way;
}

/** The state moved along a way, on its constraints again; null where there is none. */
function projected(live, q, v, way) {
  const { arrays } = live.engine;
  arrays.trial_q.set(q);
  arrays.trial_v.set(v);
  if (way) {
    arrays.along.set(way);
    live.engine.call("displace", 1);
  }
  live.engine.call("accelerate", live.begin); // factors of this place: those of another would lead to the constraints along other ways
  if (live.engine.call("project", live.begin) !== OK) return null;
  const made = { q: arrays.trial_q.slice(), v: arrays.trial_v.slice() };
  return made.q.every(Number.isFinite) && made.v.every(Number.isFinite) ? made : null;
}

const between = ({ angle }, difference) => (angle ? difference - TURN * Math.round(difference / TURN) : difference);

/** How fast a coordinate changes at a state. */
const rate = (live, entry, state) => (entry.of === "state" ? state.v[entry.way[0]] : named(live, state.q, state.v)[live.spec.initial.rates + entry.index]);

/** Newton's method for coordinates, in short ways; null where it does not get to their values. */
function placed(live, held, from) {
  const missing = (state) => held.map((entry) => between(entry, live.start.get(entry.name) - value(live, entry, state)));
  const size = (parts) => Math.max(...parts.map((x, k) => Math.abs(x) / Math.max(1, Math.abs(live.start.get(held[k].name)))));
  let at = from, left = missing(at);
  for (let step = 0; step < MOST; step++) {
    if (size(left) <= CLOSE) return at;
    const way = combined(live, held, at, left);
    const longest = way && Math.max(...way.map(Math.abs));
    const next = way && projected(live, at.q, at.v, longest > LONGEST ? way.map((x) => (x * LONGEST) / longest) : way);
    if (!next) return null;
    const rest = missing(next);
    if (!(size(rest) < size(left))) return size(left) <= 1e3 * CLOSE ? at : null;
    [at, left] = [{ ...next, hinges: hingesAt(live, next, at.hinges) }, rest];
  }
  return null;
}

/** The way along which coordinates change by so much, the constraints kept; null where these hold them. */
function combined(live, entries, at, wanted) {
  const still = projected(live, at.q, at.v, null);
  const ways = [], matrix = entries.map(() => []);
  for (const entry of entries) {
    const way = wayOf(live, entry, at);
    const moved = still && projected(live, at.q, still.v.map((x, i) => x + way[i]), null);
    if (!moved) return null;
    ways.push(moved.v.map((x, i) => x - still.v[i]));
    entries.forEach((other, r) => matrix[r].push(rate(live, other, moved) - rate(live, other, still)));
  }
  if (entries.some((_, k) => Math.abs(matrix[k][k]) < STUCK)) return null;
  const shares = solved(matrix, wanted);
  return shares.every(Number.isFinite) ? ways[0].map((_, i) => ways.reduce((sum, way, k) => sum + shares[k] * way[i], 0)) : null;
}

/** Velocities brought to their values; they are linear in what is asked for. */
function fast(live, speeds, asked, at) {
  const target = ({ name }) => asked.get(name);
  let now = projected(live, at.q, at.v, null);
  const ways = speeds.map((entry) => wayOf(live, entry, at));
  const columns = ways.map((way) => {
    const moved = now && projected(live, at.q, now.v.map((x, i) => x + way[i]), null);
    return moved && speeds.map((entry) => value(live, entry, moved) - value(live, entry, now));
  });
  if (columns.some((column) => !column)) return null;
  const matrix = speeds.map((_, r) => columns.map((column) => column[r]));
  if (speeds.some((_, k) => Math.abs(matrix[k][k]) < STUCK)) return null;
  for (let pass = 0; pass < 3; pass++) {
    const shares = solved(matrix, speeds.map((entry) => target(entry) - value(live, entry, now)));
    if (!shares.every(Number.isFinite)) return null;
    const v = now.v.slice();
    ways.forEach((way, k) => way.forEach((x, i) => { v[i] += shares[k] * x; }));
    now = projected(live, at.q, v, null);
    if (!now) return null;
  }
  const off = Math.max(...speeds.map((entry) => Math.abs(target(entry) - value(live, entry, now)) / Math.max(1, Math.abs(target(entry)))));
  return off <= 1e-9 ? { ...at, v: now.v } : null;
}
