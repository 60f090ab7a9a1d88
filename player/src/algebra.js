// Small dense matrices.

/** x of A x = b, with pivots. */
export function solved(A, b) {
  const n = b.length, rows = A.map((row, i) => [...row, b[i]]);
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(rows[i][k]) > Math.abs(rows[best][k])) best = i;
    [rows[k], rows[best]] = [rows[best], rows[k]];
    for (let i = k + 1; i < n; i++) {
      const factor = rows[i][k] / rows[k][k];
      for (let c = k; c <= n; c++) rows[i][c] -= factor * rows[k][c];
    }
  }
  const x = new Array(n).fill(0);
  for (let k = n - 1; k >= 0; k--) {
    let sum = rows[k][n];
    for (let c = k + 1; c < n; c++) sum -= rows[k][c] * x[c];
    x[k] = sum / rows[k][k];
  }
  return x;
}

/** Rank of a symmetric 3 x 3 matrix that has no negative eigenvalue. */
export function rank(W, small) {
  const A = W.map((row) => [...row]);
  let found = 0;
  for (let k = 0; k < 3; k++) {
    let p = -1;
    for (let i = 0; i < 3; i++) if (A[i] && A[i][i] > small && (p < 0 || A[i][i] > A[p][p])) p = i;
    if (p < 0) break;
    found++;
    const pivot = A[p];
    for (let i = 0; i < 3; i++) {
      if (i === p || !A[i]) continue;
      const factor = A[i][p] / pivot[p];
      for (let c = 0; c < 3; c++) A[i][c] -= factor * pivot[c];
    }
    A[p] = null;
  }
  return found;
}
