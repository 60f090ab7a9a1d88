// What dalembert/viewer/encode.py wrote, back into integers.

/** Bytes of a gzipped base64 text. */
export async function inflate(text) {
  const packed = atob(text.trim());
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = packed.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const entry = (value, i) => (Array.isArray(value) ? value[i] : value);

/** Columns over time: multiples of a quantum, row after row; `value` gives the number itself. */
export class Columns {
  constructor(spec, bytes) {
    const { frames, columns, planes, at } = spec;
    this.frames = frames;
    this.width = columns;
    this.quantum = new Float64Array(columns);
    this.origin = new Float64Array(columns);
    // Integers below 2^28 fit; only the time needs more.
    this.steps = new Int32Array(frames * columns);
    const plane = frames * columns;
    const sums = new Float64Array(4);
    for (let c = 0; c < columns; c++) {
      this.quantum[c] = entry(spec.quantum, c);
      this.origin[c] = entry(spec.origin, c);
      const order = entry(spec.order, c);
      sums.fill(0);
      for (let f = 0, from = at + c * frames; f < frames; f++, from++) {
        let folded = bytes[from];
        if (planes > 1) folded |= bytes[from + plane] << 8;
        if (planes > 2) folded |= bytes[from + 2 * plane] << 16;
        if (planes > 3) folded |= bytes[from + 3 * plane] << 24;
        let carry = (folded >>> 1) ^ -(folded & 1);
        for (let o = order - 1; o >= 0; o--) carry = sums[o] += carry;
        this.store(f * columns + c, carry);
      }
    }
  }

  store(i, value) {
    this.steps[i] = value;
  }

  value(frame, column) {
    return this.origin[column] + this.quantum[column] * this.steps[frame * this.width + column];
  }

  /** Between two frames, linearly. */
  between(frame, next, part, column) {
    const a = this.steps[frame * this.width + column];
    const b = this.steps[next * this.width + column];
    return this.origin[column] + this.quantum[column] * (a + part * (b - a));
  }
}

/** The moments: in double precision, as they are finer than 28 bits of a long run. */
export class Moments extends Columns {
  constructor(spec, bytes) {
    super(spec, bytes);
    this.steps = null;
  }

  store(i, value) {
    if (!this.moments) this.moments = new Float64Array(this.frames);
    this.moments[i] = this.origin[0] + this.quantum[0] * value;
  }
}

/** A part of the data as it is, copied so that it is aligned. */
export function raw(bytes, { at, count }, Kind) {
  return new Kind(bytes.slice(at, at + count * Kind.BYTES_PER_ELEMENT).buffer);
}
