// Names beside bodies and points, and of the runs when there are several.
import { clipped } from "./text.js";

export class Labels {
  constructor(app, holder) {
    this.app = app;
    this.holder = holder;
    this.shown = false;
    this.names = [];
    this.at = new Float64Array(3);
  }

  layout() {
    const { app, holder } = this;
    for (const element of holder.querySelectorAll(".run, .cut")) element.remove();
    if (app.runs.length < 2) return;
    app.runs.forEach((run, r) => {
      if (!app.shows(r)) return;
      const label = document.createElement("span");
      label.className = "run";
      const room = Math.floor(app.view.clientWidth / app.runs.length / 9); // characters
      const name = clipped(run.label, Math.max(12, room - (app.columns > 1 ? 0 : 7)));
      label.textContent = app.layout === "ghost" ? `${r ? "faint: " : "solid: "}${name}` : name;
      label.style.left = app.alone === null ? `${(100 * (r + 0.5)) / app.runs.length}%` : "50%";
      label.style.maxWidth = `calc(${100 / app.runs.length}% - 12px)`;
      holder.append(label);
      if (app.columns > 1 && r) {
        const cut = document.createElement("span");
        cut.className = "cut";
        cut.style.left = `${(100 * r) / app.runs.length}%`;
        holder.append(cut);
      }
    });
  }

  show(shown) {
    this.shown = shown;
    for (const { element } of this.names) element.remove();
    this.names = [];
    if (!shown) return;
    this.app.runs.forEach((run, r) => {
      if (!this.app.shows(r) || (r && this.app.layout === "ghost")) return; // overlaid runs have the same names
      run.scene.bodies.forEach((body, index) => this.add(r, "body", index, body.name));
      run.scene.points.forEach((point, index) => { if (point.body === null) this.add(r, "point", index, point.name); });
    });
  }

  add(r, kind, index, name) {
    const element = document.createElement("span");
    element.className = "name";
    element.textContent = clipped(name, 24);
    this.holder.append(element);
    this.names.push({ r, kind, index, element });
  }

  update() {
    for (const { r, kind, index, element } of this.names) {
      const run = this.app.runs[r];
      if (kind === "body") run.fixed(index, run.scene.bodies[index].center, this.at, 0);
      else for (let c = 0; c < 3; c++) this.at[c] = run.at[3 * index + c];
      const [x, y, z] = this.app.project(this.at, r);
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(6px, -120%)`;
      element.style.visibility = z > -1 && z < 1 ? "" : "hidden";
    }
  }
}
