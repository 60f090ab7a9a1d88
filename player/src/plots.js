// Curves under a cursor that is tied to the motion. A plot draws its curves once and then only the cursor.
import { niceStep } from "./stage.js";
import { clipped } from "./text.js";
import { curvesOf, groupTitle, openingPlots } from "./curves.js";

const COLORS = {
  light: ["#2f6fa8", "#c2681f", "#2c8a6b", "#9c5587", "#7a6a1d", "#5b5bb0"],
  dark: ["#7fb6e4", "#e9a468", "#6fc7a8", "#d79fc4", "#d8c46a", "#a9a9e8"],
};
const PAD = { left: 54, right: 10, top: 8, bottom: 20 };

export class Plots {
  constructor(holder, menu, runs, clock, settings) {
    this.holder = holder;
    this.menu = menu;
    this.runs = runs;
    this.clock = clock;
    this.theme = "light";
    this.plots = [];
    this.begun = false; // nothing is drawn before everything is there
    this.shown = runs.map((_, r) => r); // numbers of the runs whose curves are drawn
    this.curves = runs.map((run) => {
      const found = curvesOf(run);
      return { list: found, byId: new Map(found.map((curve) => [curve.id, curve])) };
    });
    this.series = new Map();
    this.fillMenu();
    this.showKey();
    for (const found of openingPlots(this.curves[0].list, settings.plots)) this.open(found.map((c) => c.id));
    new ResizeObserver(() => { for (const plot of this.plots) if (!plot.fits) plot.redraw(); }).observe(holder);
  }

  fillMenu() {
    const groups = new Map();
    for (const curve of this.curves[0].list) {
      if (!groups.has(curve.group)) groups.set(curve.group, []);
      groups.get(curve.group).push(curve);
    }
    for (const [group, list] of groups) {
      const box = document.createElement("optgroup");
      box.label = groupTitle(group);
      if (list.length > 1 && list.length <= 6) box.append(new Option(`all of ${groupTitle(group).toLowerCase()}`, `group:${group}`));
      for (const curve of list) box.append(new Option(`${curve.name}${curve.unit ? ` [${curve.unit}]` : ""}`, curve.id));
      this.menu.append(box);
    }
    this.menu.addEventListener("change", () => {
      const value = this.menu.value;
      this.menu.selectedIndex = 0;
      if (!value) return;
      if (value.startsWith("group:")) this.open(groups.get(value.slice(6)).map((c) => c.id));
      else this.add(value);
    });
  }

  /** Into the plot of the same group and unit opened last by hand, else a new one. */
  add(id) {
    const curve = this.curves[0].byId.get(id);
    const fit = this.plots.find((p) => p.group === curve.group && p.unit === curve.unit && p.ids.length < 6);
    if (!fit) return this.open([id]);
    if (!fit.ids.includes(id)) fit.setIds([...fit.ids, id]);
    fit.element.scrollIntoView({ block: "nearest" });
    return fit;
  }

  open(ids) {
    const plot = new Plot(this, ids);
    this.plots.push(plot);
    this.holder.append(plot.element);
    plot.redraw();
    return plot;
  }

  close(plot) {
    plot.element.remove();
    this.plots = this.plots.filter((p) => p !== plot);
  }

  /** Values of a curve of a run over all frames, worked out when first asked for. */
  seriesOf(r, id) {
    const key = `${r} ${id}`;
    if (!this.series.has(key)) {
      const curve = this.curves[r].byId.get(id);
      const run = this.runs[r];
      this.series.set(key, curve ? Float64Array.from({ length: run.frames }, (_, f) => curve.at(f)) : null);
    }
    return this.series.get(key);
  }

  setTheme(theme) {
    this.theme = theme;
    this.redraw();
  }

  setShown(runs) {
    this.shown = runs;
    this.showKey();
    this.redraw();
  }

  /** Which line is which run, where there are several. */
  showKey() {
    const several = this.shown.length > 1;
    this.key ??= Object.assign(document.createElement("p"), { id: "runs-key" });
    this.key.replaceChildren(...(several ? this.shown : []).map((r, k) => {
      const item = document.createElement("span");
      item.append(Object.assign(document.createElement("i"), { className: k ? "second" : "" }), clipped(this.runs[r].label, 34));
      return item;
    }));
    if (several) this.holder.before(this.key);
    else this.key.remove();
  }

  /** The curves of runs that have grown. */
  renew() {
    this.series.clear();
    this.redraw();
  }

  /** Draw from now on. */
  begin() {
    this.begun = true;
    this.redraw();
  }

  redraw() { for (const plot of this.plots) plot.redraw(); }
  update() { for (const plot of this.plots) plot.update(); }
}

class Plot {
  constructor(plots, ids) {
    this.plots = plots;
    this.element = document.createElement("figure");
    this.element.className = "plot";
    const head = document.createElement("figcaption");
    this.title = document.createElement("strong");
    this.legend = document.createElement("span");
    this.legend.className = "legend";
    const close = document.createElement("button");
    close.type = "button";
    close.className = "quiet";
    close.textContent = "×";
    close.title = "Close this plot";
    close.setAttribute("aria-label", "Close this plot");
    close.addEventListener("click", () => plots.close(this));
    head.append(this.title, this.legend, close);
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("role", "img");
    this.element.append(head, this.canvas);
    this.still = document.createElement("canvas");
    this.setIds(ids, false);
    this.drag();
  }

  setIds(ids, draw = true) {
    this.ids = ids;
    const known = ids.map((id) => this.plots.curves[0].byId.get(id));
    this.group = known[0].group;
    this.unit = known[0].unit;
    this.log = known.every((curve) => curve.log);
    // "error" may be an error or a change: the curve itself says which.
    const title = this.group === "error" ? capital(known[0].name) : groupTitle(this.group);
    this.title.textContent = `${title}${this.unit ? ` [${this.unit}]` : ""}`;
    this.canvas.setAttribute("aria-label", `${this.title.textContent}: ${known.map((c) => c.name).join(", ")} over time`);
    this.legend.replaceChildren(...known.map((curve) => {
      const item = document.createElement("span");
      item.title = curve.name;
      item.append(document.createElement("i"), `${clipped(curve.name, 34)} `);
      const value = document.createElement("b");
      item.append(value);
      return item;
    }));
    this.readings = [...this.legend.querySelectorAll("b")];
    this.swatches = [...this.legend.querySelectorAll("i")];
    if (draw) this.redraw();
  }

  drag() {
    const { canvas, plots } = this;
    const seek = (event) => {
      const box = canvas.getBoundingClientRect();
      const part = (event.clientX - box.left - PAD.left) / (box.width - PAD.left - PAD.right);
      const { begin, horizon: end } = plots.clock;
      plots.clock.seek(begin + Math.min(1, Math.max(0, part)) * (end - begin));
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      seek(event);
    });
    canvas.addEventListener("pointermove", (event) => { if (canvas.hasPointerCapture(event.pointerId)) seek(event); });
  }

  /** Lowest and highest value of all curves, widened a little; decades on a logarithmic axis. */
  bounds() {
    let low = Infinity, high = -Infinity;
    for (const r of this.plots.shown) {
      for (const id of this.ids) {
        for (const value of this.plots.seriesOf(r, id) ?? []) {
          const y = this.log ? (value > 1e-29 ? Math.log10(value) : NaN) : value;
          if (y < low) low = y;
          if (y > high) high = y;
        }
      }
    }
    if (!(low <= high)) return this.log ? [-16, 0] : [-1, 1];
    if (this.log) return [Math.floor(low - 0.1), Math.max(Math.ceil(high + 0.1), Math.floor(low) + 2)];
    const room = 0.06 * (high - low) || 0.1 * Math.abs(high) || 1;
    return [low - room, high + room];
  }

  get sizes() { return `${this.canvas.clientWidth} ${this.canvas.clientHeight} ${window.devicePixelRatio}`; }
  /** Whether what is drawn has the size of its place. */
  get fits() { return this.sized === this.sizes; }

  redraw() {
    if (!this.plots.begun) return; // sizes are not asked for either: that would lay out the page
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (!width || !height) return;
    const dpr = window.devicePixelRatio || 1;
    this.sized = this.sizes;
    for (const canvas of [this.canvas, this.still]) {
      canvas.width = Math.round(width * dpr);
      canvas.height = Math.round(height * dpr);
    }
    const pen = this.still.getContext("2d");
    pen.setTransform(dpr, 0, 0, dpr, 0, 0);
    const style = getComputedStyle(this.element);
    this.ink = style.getPropertyValue("--ink").trim();
    const soft = style.getPropertyValue("--soft").trim(), line = style.getPropertyValue("--line").trim();
    this.accent = style.getPropertyValue("--accent").trim();
    const { begin, horizon: end } = this.plots.clock;
    const [low, high] = this.bounds();
    const w = width - PAD.left - PAD.right, h = height - PAD.top - PAD.bottom;
    this.x = (t) => PAD.left + (w * (t - begin)) / (end - begin || 1);
    this.y = (v) => PAD.top + h * (1 - (v - low) / (high - low));
    pen.font = `11px ${style.fontFamily}`;
    pen.lineWidth = 1;
    pen.strokeStyle = line;
    pen.fillStyle = soft;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    const step = this.log ? Math.max(1, Math.ceil((high - low) / (h / 18))) : niceStep((high - low) / Math.max(2, h / 26));
    for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + 1e-9 * step; v += step) {
      const y = Math.round(this.y(v)) + 0.5;
      pen.beginPath();
      pen.moveTo(PAD.left, y);
      pen.lineTo(width - PAD.right, y);
      pen.stroke();
      pen.fillText(this.log ? `1e${Math.round(v)}` : tick(v, step), PAD.left - 6, y);
    }
    pen.textAlign = "center";
    pen.textBaseline = "top";
    const every = niceStep((end - begin || 1) / Math.max(2, w / 70));
    for (let t = Math.ceil(begin / every - 1e-9) * every; t <= end + 1e-9; t += every) {
      pen.fillText(tick(t, every), this.x(t), height - PAD.bottom + 5);
    }
    pen.save();
    pen.beginPath();
    pen.rect(PAD.left, PAD.top - 2, w, h + 4);
    pen.clip();
    for (const r of [...this.plots.shown].reverse()) this.curvesOfRun(pen, r, w);
    pen.restore();
    this.swatches.forEach((swatch, i) => { swatch.style.background = this.color(i); });
    this.update();
  }

  color(i) {
    const colors = COLORS[this.plots.theme];
    return colors[i % colors.length];
  }

  curvesOfRun(pen, r, w) {
    const run = this.plots.runs[r];
    pen.lineJoin = "round";
    const second = r !== this.plots.shown[0];
    pen.globalAlpha = second ? 0.65 : 1;
    pen.setLineDash(second ? [5, 3] : []);
    this.ids.forEach((id, i) => {
      const series = this.plots.seriesOf(r, id);
      if (!series) return;
      pen.strokeStyle = this.color(i);
      pen.lineWidth = 1.6;
      pen.beginPath();
      this.trace(pen, run, series, w);
      pen.stroke();
    });
    pen.globalAlpha = 1;
    pen.setLineDash([]);
  }

  /** The curve, at most four strokes a pixel: first, lowest, highest, last of each column. */
  trace(pen, run, series, w) {
    const value = (f) => (this.log ? Math.log10(Math.max(series[f], 1e-30)) : series[f]);
    const { times, frames } = run;
    let down = false;
    const to = (f) => {
      const v = value(f);
      if (Number.isNaN(v)) { down = false; return; }
      const x = this.x(times[f]), y = this.y(v);
      if (down) pen.lineTo(x, y); else pen.moveTo(x, y);
      down = true;
    };
    const bin = Math.floor(frames / w);
    if (bin < 4) {
      for (let f = 0; f < frames; f++) to(f);
      return;
    }
    for (let begin = 0; begin < frames; begin += bin) {
      const end = Math.min(frames, begin + bin);
      let low = begin, high = begin;
      for (let f = begin + 1; f < end; f++) {
        if (series[f] < series[low]) low = f;
        if (series[f] > series[high]) high = f;
      }
      to(begin);
      to(Math.min(low, high));
      to(Math.max(low, high));
      to(end - 1);
    }
  }

  update() {
    if (!this.x || !this.canvas.width) return;
    const pen = this.canvas.getContext("2d");
    const dpr = window.devicePixelRatio || 1;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(this.still, 0, 0);
    pen.setTransform(dpr, 0, 0, dpr, 0, 0);
    const { clock, runs, shown: [first] } = this.plots;
    const x = this.x(clock.time);
    this.cursor = x;
    pen.strokeStyle = this.accent;
    pen.lineWidth = 1.25;
    pen.beginPath();
    pen.moveTo(x, PAD.top - 4);
    pen.lineTo(x, this.canvas.clientHeight - PAD.bottom + 2);
    pen.stroke();
    const frame = Math.round(runs[first].frameAt(clock.time));
    this.ids.forEach((id, i) => {
      const series = this.plots.seriesOf(first, id);
      const value = series ? series[frame] : NaN;
      this.readings[i].textContent = reading(value);
      const v = this.log ? Math.log10(Math.max(value, 1e-30)) : value;
      if (!Number.isFinite(v)) return;
      pen.fillStyle = this.color(i);
      pen.beginPath();
      pen.arc(x, this.y(v), 3, 0, 2 * Math.PI);
      pen.fill();
    });
  }
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function tick(value, step) {
  if (Math.abs(value) < 1e-9 * step) return "0";
  const size = Math.max(Math.abs(value), step);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(Math.max(0, Math.min(3, Math.round(Math.log10(Math.abs(value) / step)))));
  return value.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
}

export function reading(value) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e5 || size < 1e-3)) return value.toExponential(2);
  return value.toPrecision(4);
}
