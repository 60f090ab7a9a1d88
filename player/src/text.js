// Text that has to fit.

/** A long name with its middle left out: names of one file differ at their ends. */
export function clipped(name, most) {
  if (name.length <= most) return name;
  const tail = Math.ceil(0.6 * (most - 1));
  return `${name.slice(0, most - 1 - tail)}…${name.slice(-tail)}`;
}
