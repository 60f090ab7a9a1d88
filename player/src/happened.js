// What happened to contacts: ticks on the time axis, and a bar of phases for each contact.
import { clipped } from "./text.js";

const COLORS = {
  light: { open: "#e1e5ea", closed: "#2f6fa8", stick: "#2c8a6b", slip: "#e09a2b" },
  dark: { open: "#303843", closed: "#7fb6e4", stick: "#6fc7a8", slip: "#e9b45f" },
};
const NEAR = 0.008; // part of the axis
const ROW = 30, BAR = 10, PAD = { left: 8, right: 10 };

export class Happened {
  /** `track` lies over the slider of time, `holder` takes the bars, `tip` says what a tick means. */
  constructor(runs, clock, track, holder, tip) {
    this.clock = clock;
    this.track = track;
    this.tip = tip;
    this.theme = "light";
    const told = runs.map((run) => run.header.happened).filter(Boolean);
    this.phases = told.flatMap((one) => one.phases);
    track.hidden = !told.length;
    this.ticks = told.flatMap((one) => one.ticks).sort((a, b) => a[0] - b[0]);
    this.fill();
    if (this.phases.length) this.open(holder, told);
    document.addEventListener("pointerdown", (event) => { if (!event.target.closest?.("#ticks")) this.say(null); });
  }

  part(t) {
    const { begin, end } = this.clock;
    return (t - begin) / (end - begin || 1);
  }

  // ---- ticks -------------------------------------------------------------------------------

  /** Other ticks, and another axis: those of a model that goes on. */
  renew(ticks) {
    this.ticks = ticks;
    this.track.hidden = !ticks.length;
    this.track.replaceChildren();
    this.fill();
  }

  /** Ticks that fall on one place of the axis are one. */
  fill() {
    const places = new Map();
    for (const [t, lines] of this.ticks) {
      const place = Math.round(400 * this.part(t));
      if (!places.has(place)) places.set(place, []);
      places.get(place).push([t, lines]);
    }
    for (const group of places.values()) {
      const tick = document.createElement("button");
      tick.type = "button";
      tick.className = "tick";
      tick.tabIndex = -1;
      tick.style.left = `${100 * this.part(group[0][0])}%`;
      // neighbours lie under the same finger: the label tells of them, too
      const text = said(this.ticks.filter(([t]) => Math.abs(this.part(t) - this.part(group[0][0])) < NEAR));
      tick.setAttribute("aria-label", text);
      tick.addEventListener("pointerenter", (event) => { if (event.pointerType !== "touch") this.say(tick, text); });
      tick.addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") this.say(null); });
      tick.addEventListener("click", () => {
        this.clock.pause();
        this.clock.seek(group[0][0]);
        this.say(tick, text);
      });
      this.track.append(tick);
    }
  }

  say(tick, text = "") {
    this.tip.hidden = !tick;
    if (!tick) return;
    this.tip.textContent = text;
    const box = tick.getBoundingClientRect();
    const width = Math.min(this.tip.offsetWidth, window.innerWidth - 16);
    this.tip.style.left = `${Math.max(8, Math.min(box.left + box.width / 2 - width / 2, window.innerWidth - width - 8))}px`;
    this.tip.style.bottom = `${window.innerHeight - box.top + 6}px`;
  }

  // ---- bars --------------------------------------------------------------------------------

  open(holder, told) {
    const figure = document.createElement("figure");
    figure.className = "plot";
    figure.id = "phases";
    const head = document.createElement("figcaption");
    const title = Object.assign(document.createElement("strong"), { textContent: "Contacts" });
    this.legend = Object.assign(document.createElement("span"), { className: "legend" });
    head.append(title, this.legend);
    const hidden = told.reduce((sum, one) => sum + one.hidden, 0);
    if (hidden) title.textContent += `, ${hidden} more`;
    this.canvas = document.createElement("canvas");
    this.canvas.style.height = `${ROW * this.phases.length + 4}px`;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `Phases of contacts over time: ${this.phases.map((p) => p.contact).join(", ")}`);
    figure.append(head, this.canvas);
    holder.prepend(figure);
    const seek = (event) => {
      const box = this.canvas.getBoundingClientRect();
      const part = (event.clientX - box.left - PAD.left) / (box.width - PAD.left - PAD.right);
      const { begin, end } = this.clock;
      this.clock.seek(begin + Math.min(1, Math.max(0, part)) * (end - begin));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.canvas.addEventListener("pointermove", (event) => { if (this.canvas.hasPointerCapture(event.pointerId)) seek(event); });
    new ResizeObserver(() => this.update()).observe(this.canvas);
  }

  setTheme(theme) {
    this.theme = theme;
    if (!this.legend) return;
    const used = new Set(this.phases.flatMap((p) => p.spans.map((span) => span[2])));
    this.legend.replaceChildren(...Object.entries(COLORS[theme]).filter(([mode]) => used.has(mode)).map(([mode, color]) => {
      const item = document.createElement("span");
      const swatch = document.createElement("i");
      swatch.style.background = color;
      item.append(swatch, mode);
      return item;
    }));
    this.update();
  }

  update() {
    if (!this.canvas?.clientWidth) return;
    const { canvas, clock } = this;
    const width = canvas.clientWidth, height = canvas.clientHeight, dpr = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * dpr) || canvas.height !== Math.round(height * dpr)) {
      canvas.width = Math.round(width * dpr);
      canvas.height = Math.round(height * dpr);
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(dpr, 0, 0, dpr, 0, 0);
    pen.clearRect(0, 0, width, height);
    const style = getComputedStyle(canvas);
    pen.font = `11px ${style.fontFamily}`;
    pen.textBaseline = "alphabetic"; // of "top" letters with ascenders lose theirs
    const w = width - PAD.left - PAD.right;
    const x = (t) => PAD.left + w * this.part(t);
    this.phases.forEach(({ contact, spans }, row) => {
      pen.fillStyle = style.getPropertyValue("--soft");
      pen.fillText(clipped(contact, Math.floor(w / 6)), PAD.left, ROW * row + 12);
      for (const [from, to, mode] of spans) {
        pen.fillStyle = COLORS[this.theme][mode];
        pen.fillRect(x(from), ROW * row + 16, Math.max(0.5, x(to) - x(from)), BAR);
      }
    });
    pen.strokeStyle = style.getPropertyValue("--accent");
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(x(clock.time), 2);
    pen.lineTo(x(clock.time), height - 2);
    pen.stroke();
  }
}

const MOST = 6; // lines of a label

/** All that happened at one place of the axis, in words. */
function said(group) {
  const lines = group.flatMap(([t, entries]) => entries.map((line) => `${t.toPrecision(6)} s  ${line}`));
  const left = lines.length - MOST;
  return left > 1 ? [...lines.slice(0, MOST), `and ${left} more`].join("\n") : lines.join("\n");
}
