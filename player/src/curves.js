// Every curve that can be plotted: those carried with the run, and those read off the motion.

const AXES = ["x", "y", "z"];
const GROUPS = {
  energy: "Energy", error: "Energy error", drift: "Drift", reaction: "Reactions", coordinate: "Coordinates",
  velocity: "Velocities", motor: "Motors", constraint: "Constraint forces", contact: "Contact forces", body: "Bodies", point: "Points", arrow: "Forces and reactions",
};

export const groupTitle = (group) => GROUPS[group] ?? group;

/** All curves of a run: {id, name, unit, group, log, at(frame)}. */
export function curvesOf(run) {
  const { scene } = run;
  const found = [];
  scene.signals.forEach((signal, i) => {
    found.push({ id: `${signal.group}/${signal.name}`, ...signal, at: (frame) => run.curve(i, frame) });
  });
  scene.arrows.forEach((arrow, k) => {
    const part = (frame, c) => run.vectors.value(frame, 3 * k + c);
    const group = arrow.kind === "reaction" ? "reaction" : "arrow";
    const base = { unit: arrow.unit, group, log: false };
    const name = arrow.name;
    found.push({ ...base, id: `${group}/|${name}|`, name: `|${name}|`, at: (f) => Math.hypot(part(f, 0), part(f, 1), part(f, 2)) });
    AXES.forEach((axis, c) => found.push({ ...base, id: `${group}/${name}.${axis}`, name: `${name} ${axis}`, at: (f) => part(f, c) }));
  });
  scene.bodies.forEach((body, b) => {
    const place = (frame, c) => run.positions.value(frame, 3 * b + c);
    const base = { group: "body", log: false };
    AXES.forEach((axis, c) => found.push({ ...base, unit: "m", id: `body/${body.name}.${axis}`, name: `${body.name} ${axis}`, at: (f) => place(f, c) }));
    found.push({ ...base, unit: "m/s", id: `body/${body.name}.speed`, name: `${body.name} speed`, at: (f) => speed(run, place, f) });
    found.push({ ...base, unit: "rad", id: `body/${body.name}.turn`, name: `${body.name} turned from start`, at: (f) => turned(run, b, f) });
  });
  scene.points.forEach((point, k) => {
    if (point.body !== null) return; // of a body: its own curves tell it
    const column = run.column.points[k];
    const place = (frame, c) => run.points.value(frame, 3 * column + c);
    AXES.forEach((axis, c) => found.push({ group: "point", log: false, unit: "m", id: `point/${point.name}.${axis}`, name: `${point.name} ${axis}`, at: (f) => place(f, c) }));
    found.push({ group: "point", log: false, unit: "m/s", id: `point/${point.name}.speed`, name: `${point.name} speed`, at: (f) => speed(run, place, f) });
  });
  return found;
}

function speed(run, place, frame) {
  if (run.frames < 2) return NaN;
  const a = Math.max(0, frame - 1), b = Math.min(run.frames - 1, frame + 1);
  const dt = run.times[b] - run.times[a];
  return Math.hypot(place(b, 0) - place(a, 0), place(b, 1) - place(a, 1), place(b, 2) - place(a, 2)) / dt;
}

function turned(run, b, frame) {
  let dot = 0, first = 0, here = 0;
  for (let c = 4 * b; c < 4 * b + 4; c++) {
    const x = run.rotations.value(0, c), y = run.rotations.value(frame, c);
    dot += x * y;
    first += x * x;
    here += y * y;
  }
  return 2 * Math.acos(Math.min(1, Math.abs(dot) / Math.sqrt(first * here)));
}

/** The curves that are open at first: names or groups asked for, else energy and drift. */
export function openingPlots(curves, wanted) {
  const groups = new Map();
  for (const curve of curves) {
    if (!groups.has(curve.group)) groups.set(curve.group, []);
    groups.get(curve.group).push(curve);
  }
  if (wanted) {
    return wanted
      .map((name) => groups.get(name)?.slice(0, 6) ?? curves.filter((c) => c.name === name || c.id === name))
      .filter((found) => found.length);
  }
  return ["energy", "error", "drift"].filter((g) => groups.has(g)).map((g) => groups.get(g).slice(0, 4));
}
