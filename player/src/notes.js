// Sentences on the page.

/** In the middle of the picture, or small at its lower edge. */
export function say(text, low = false) {
  const note = document.getElementById("note");
  note.textContent = text;
  note.classList.toggle("low", low);
  note.hidden = !text;
}

const short = (x) => (x === 0 ? "0" : Number(x).toExponential(1));

/** One line on how far the run can be trusted. */
export function fidelityLine(report) {
  if (!report) return "";
  const parts = [report.verdict];
  if (report.verdict === "good" && report.status !== "OK") parts.push(report.status.toLowerCase().replaceAll("_", " "));
  if (report.worst_phi !== null && report.constraint_rows) parts.push(report.worst_phi === 0 ? "φ = 0" : `|φ| ≤ ${short(report.worst_phi)}`);
  else if (report.worst_phi_dot !== null && report.constraint_rows) parts.push(`|φ′| ≤ ${short(report.worst_phi_dot)}`);
  const { conservative, energy_change_relative: relative, energy_balance_relative: balance } = report;
  if (conservative && relative !== null) parts.push(`energy ${short(relative)}`);
  else if (!conservative && balance !== null && balance !== undefined) parts.push(`energy balance ${short(balance)}`);
  return parts.join(" · ");
}

/** How many of several runs are not good, by their verdicts. */
export function ofOthers(reports) {
  const said = ["failed", "doubtful"].map((word) => [reports.filter((report) => report.verdict === word).length, word]);
  const bad = said.filter(([count]) => count).map(([count, word]) => `${count} ${word}`);
  return bad.length ? `${bad.join(", ")} of ${reports.length} runs` : `${reports.length} runs`;
}

/** Everything there is to say about a run: pairs of label and text. */
export function fidelityRows(report) {
  const rows = [["verdict", report.verdict]];
  for (const reason of report.reasons) rows.push(["", `${reason.text} ${reason.remedy}`.trim()]);
  rows.push(["method", report.method]);
  if (report.integrator) rows.push(["integrator", report.integrator]);
  rows.push(["step", report.step === null ? "by error control" : `${report.step} s`]);
  if (report.steps !== null) rows.push(["steps", `${report.steps}`]);
  if (report.degrees_of_freedom !== null) rows.push(["freedom", `${report.degrees_of_freedom} of ${report.coordinates} coordinates, ${report.constraint_rows} constraint rows`]);
  if (report.worst_phi !== null && report.constraint_rows) rows.push(["worst |φ|", `${short(report.worst_phi)}${report.worst_phi_row ? ` in ${report.worst_phi_row}` : ""}`]);
  if (report.worst_phi_dot !== null && report.constraint_rows) rows.push(["worst |φ′|", `${short(report.worst_phi_dot)}${report.worst_phi_dot_row ? ` in ${report.worst_phi_dot_row}` : ""}`]);
  if (report.energy_change !== null) {
    const share = report.energy_change_relative === null ? "" : `, relative ${short(report.energy_change_relative)}`;
    rows.push([report.conservative ? "energy error" : "energy change", `${short(report.energy_change)} J${share}`]);
  }
  if (report.energy_balance !== null) rows.push(["energy and work", `off by ${short(report.energy_balance)} J`]);
  for (const event of report.events.slice(0, 4)) rows.push(["event", `${event.name} at ${event.t.toPrecision(6)} s`]);
  rows.push(["status", `${report.status}. ${report.message}`]);
  return rows;
}
