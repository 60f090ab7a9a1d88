// Matrices of instances, written straight into their arrays (column after column, as WebGL wants).

/** Body placement (row-major R, origin p) times a local matrix of 16 numbers. */
export function carried(R, r, p, o, local, l, out, i) {
  for (let c = 0; c < 4; c++) {
    const x = local[l + 4 * c], y = local[l + 4 * c + 1], z = local[l + 4 * c + 2];
    const shift = c === 3 ? 1 : 0;
    out[i + 4 * c] = R[r] * x + R[r + 1] * y + R[r + 2] * z + shift * p[o];
    out[i + 4 * c + 1] = R[r + 3] * x + R[r + 4] * y + R[r + 5] * z + shift * p[o + 1];
    out[i + 4 * c + 2] = R[r + 6] * x + R[r + 7] * y + R[r + 8] * z + shift * p[o + 2];
    out[i + 4 * c + 3] = shift;
  }
}

/** A thing of unit radius along z from 0 to 1, laid from a along d (not a unit vector). */
export function laid(out, i, ax, ay, az, dx, dy, dz, radius, reference) {
  const length = Math.hypot(dx, dy, dz);
  if (!(length > 1e-300)) return hidden(out, i);
  // First axis across d and the reference: steady as long as d does not point along it.
  let [rx, ry, rz] = reference;
  let ux = ry * dz - rz * dy, uy = rz * dx - rx * dz, uz = rx * dy - ry * dx;
  let u = Math.hypot(ux, uy, uz);
  if (u < 1e-6 * length) {
    [rx, ry, rz] = Math.abs(dx) < 0.9 * length ? [1, 0, 0] : [0, 1, 0];
    ux = ry * dz - rz * dy; uy = rz * dx - rx * dz; uz = rx * dy - ry * dx;
    u = Math.hypot(ux, uy, uz);
  }
  const s = radius / u;
  ux *= s; uy *= s; uz *= s;
  out[i] = ux; out[i + 1] = uy; out[i + 2] = uz; out[i + 3] = 0;
  out[i + 4] = (dy * uz - dz * uy) / length;
  out[i + 5] = (dz * ux - dx * uz) / length;
  out[i + 6] = (dx * uy - dy * ux) / length;
  out[i + 7] = 0;
  out[i + 8] = dx; out[i + 9] = dy; out[i + 10] = dz; out[i + 11] = 0;
  out[i + 12] = ax; out[i + 13] = ay; out[i + 14] = az; out[i + 15] = 1;
}

/** A ball. */
export function ball(out, i, x, y, z, radius) {
  out.fill(0, i, i + 16);
  out[i] = out[i + 5] = out[i + 10] = radius;
  out[i + 12] = x; out[i + 13] = y; out[i + 14] = z; out[i + 15] = 1;
}

/** Nothing to see. */
export function hidden(out, i) {
  out.fill(0, i, i + 16);
  out[i + 15] = 1;
}
