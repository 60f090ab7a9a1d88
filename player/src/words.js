// What a model that runs in the page says: the sentences of dalembert, with the user's own names.

/** A number as %.<digits>g writes it. */
export function short(x, digits) {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf";
  if (x === 0) return "0";
  const [mantissa, power] = x.toExponential(digits - 1).split("e");
  const exponent = Number(power);
  const plain = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (exponent < -4 || exponent >= digits) {
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${plain(mantissa)}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  return plain(x.toFixed(Math.max(0, digits - 1 - exponent)));
}

/** Indices of the largest entries. */
const worst = (array, count, most) =>
  Array.from({ length: count }, (_, i) => i).sort((a, b) => Math.abs(array[b]) - Math.abs(array[a])).slice(0, most);

/** Why a step stopped, where by name, what to do. */
export function failureOf(live, status) {
  const { words, names } = live.spec;
  const { arrays } = live.engine;
  const [kind, meaning, remedy] = words.statuses[status] ?? ["?", `status ${status}`, ""];
  const failed = Number(arrays.sizes[words.failed]);
  let where = "", detail = "";
  if (kind === "NON_FINITE") where = [...names.q, ...names.v][failed] ?? "";
  else if (kind === "NOT_POSITIVE_DEFINITE") where = (names.v[failed] ?? "").replace(/\.dot$/, "");
  else if ((kind === "NO_CONVERGENCE" || kind === "INCONSISTENT") && words.holonomic) {
    const [row] = worst(arrays.phi, words.holonomic, 1);
    where = words.rows[row];
    if (Math.abs(arrays.phi[row]) > words.closed) detail = `largest residual ${short(Math.abs(arrays.phi[row]), 2)}`;
  }
  const place = where ? `, '${where}'` : "";
  return `Stopped at t = ${short(live.t, 10)} s${place}: ${meaning}${detail ? ` (${detail})` : ""}. ${remedy}`.trim();
}

const NOT_POSITIVE_DEFINITE = 2, NON_FINITE = 4;
/** A sentence with its gaps filled; doubled braces are braces. */
export const filled = (text, gaps) => text.replace(/\{\{|\}\}|\{(\w+)\}/g, (found, name) => (name ? gaps[name] : found[0]));
const finite = (array) => array.every(Number.isFinite);

/** Why there are no accelerations at a start; null where there are. */
export function startProblem(live, values, status) {
  if (status === NOT_POSITIVE_DEFINITE) return massProblem(live, values);
  const { words, names } = live.spec;
  const { arrays } = live.engine;
  if (status !== NON_FINITE && finite(arrays.trial_a)) return null;
  const places = [
    [arrays.checked_force, names.v, "the force on"],
    [arrays.checked_phi.subarray(0, words.holonomic), words.rows, "constraint"],
    [arrays.checked_rhs, words.rows, "the second derivative of constraint"],
  ];
  for (const [numbers, called, what] of places) {
    const bad = numbers.findIndex((x) => !Number.isFinite(x));
    if (bad >= 0) return filled(words.not_a_number, { what, name: `'${called[bad].replace(/\.dot$/, "")}'` });
  }
  return words.no_acceleration;
}

/** Numbers that the parameters take beyond their bounds; null where there are none. */
export function boundsProblem(live) {
  const { bounds } = live.spec;
  if (!bounds) return null;
  const { exports, arrays: { bounded } } = live.engine;
  exports.bounded(live.at("checked"), live.at("checked_sizes"), 0, live.at("bounded"));
  const found = bounds.entries.filter(({ at, low, high, strict }) => {
    const x = bounded[at];
    return !((low === null || x > low || (x === low && !strict)) && (high === null || x <= high));
  }).map(({ sentence, gaps }) => filled(sentence, Object.fromEntries(Object.entries(gaps).map(([name, at]) => [name, short(bounded[at], 6)]))));
  if (!found.length) return null;
  if (found.length === 1) return `${bounds.subject}: ${found[0]}`;
  return `${bounds.subject} has ${found.length} problems:\n${found.map((line) => `  - ${line}`).join("\n")}`;
}

function massProblem(live, values) {
  const { words, names } = live.spec;
  const failed = Number(live.engine.arrays.checked_sizes[words.failed]);
  const name = `'${(names.v[failed] ?? "").replace(/\.dot$/, "")}'`;
  const below = [...values].filter(([known, value]) => value <= 0 && words.inertial.includes(known)).map(([known, value]) => `${known} = ${short(value, 6)}`);
  return below.length ? filled(words.no_energy, { below: below.join(", "), name }) : filled(words.no_inertia, { name });
}

/** Why no state on the constraints was found: those that are farthest from being met. */
export function projectProblem(live, values, status) {
  const { words } = live.spec;
  const { checked_phi: phi } = live.engine.arrays;
  if (status === NOT_POSITIVE_DEFINITE) return massProblem(live, values);
  const rows = worst(phi, words.holonomic, 3).map((i) => `'${words.rows[i]}' (off by ${short(phi[i], 3)})`);
  return filled(words.unreachable, { rows: rows.join(", ") });
}
