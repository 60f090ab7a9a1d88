// Names and numbers of what is pointed at or tapped.
import { reading } from "./plots.js";

export class Pointer {
  constructor(app, tip) {
    this.app = app;
    this.tip = tip;
    this.found = null;
    this.undo = null;
    this.down = null;
    const { canvas } = app;
    canvas.addEventListener("pointermove", (event) => {
      if (event.pointerType === "touch" || event.buttons) return;
      this.look(event.offsetX, event.offsetY);
    });
    canvas.addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") this.forget(); });
    canvas.addEventListener("pointerdown", (event) => {
      this.down = [event.offsetX, event.offsetY];
      app.eye.touched = true;
    });
    canvas.addEventListener("wheel", () => { app.eye.touched = true; }, { passive: true });
    canvas.addEventListener("pointerup", (event) => {
      // A tap, not the end of a drag.
      const [x, y] = this.down ?? [NaN, NaN];
      if (Math.hypot(event.offsetX - x, event.offsetY - y) < 8) this.look(event.offsetX, event.offsetY);
    });
  }

  look(x, y) {
    const found = this.app.pick(x, y);
    this.place = [x, y];
    const key = found && `${found.run} ${found.tag.kind} ${found.tag.index}`;
    if (key !== this.key) {
      this.forget();
      this.key = key;
      this.found = found;
      if (found) {
        const { mechanism, ghost } = this.app.views[found.run];
        const back = [mechanism, ghost].filter(Boolean).map((m) => m.highlight(found.tag));
        this.undo = () => back.forEach((undo) => undo());
      }
      this.app.frames.pointed = found;
      this.app.dirty = true;
    }
    this.update();
  }

  forget() {
    this.undo?.();
    this.undo = null;
    this.key = null;
    this.found = null;
    this.app.frames.pointed = null;
    this.tip.classList.remove("on");
    this.app.dirty = true;
  }

  update() {
    if (!this.found) return;
    const { tip, app } = this;
    const [head, text] = this.describe();
    tip.replaceChildren(Object.assign(document.createElement("b"), { textContent: head }), text && `\n${text}`);
    tip.classList.add("on");
    const [x, y] = this.place;
    const { clientWidth: width, clientHeight: height } = app.view;
    const left = Math.max(4, Math.min(x + 14, width - tip.offsetWidth - 4));
    const top = y + 18 + tip.offsetHeight > height ? y - tip.offsetHeight - 12 : y + 18;
    tip.style.transform = `translate(${left}px, ${Math.max(4, top)}px)`;
  }

  describe() {
    const run = this.app.runs[this.found.run];
    const { kind, index } = this.found.tag;
    const { scene } = run;
    const place = (a, i) => [0, 1, 2].map((c) => reading(a[3 * i + c])).join(", ");
    const bodyName = (b) => (b < 0 ? "world" : scene.bodies[b].name);
    if (kind === "body") {
      const body = scene.bodies[index];
      const mass = body.mass ? `\n${reading(body.mass)} kg` : "";
      return [body.name, `at ${place(run.p, index)} m${mass}`];
    }
    if (kind === "joint") {
      const joint = scene.joints[index];
      const force = scene.arrows.findIndex((a) => a.kind === "reaction" && a.name.startsWith(joint.name));
      const size = force < 0 ? "" : `\nreaction ${reading(length(run.vector, force))} ${scene.arrows[force].unit}`;
      return [joint.name, `${joint.kind}: ${bodyName(joint.body_a)} – ${bodyName(joint.body_b)}${size}`];
    }
    if (kind === "point") return [scene.points[index].name, `at ${place(run.at, index)} m`];
    if (kind === "arrow") {
      const arrow = scene.arrows[index];
      const note = arrow.note ? `\n${arrow.note}` : "";
      return [arrow.name, `${arrow.kind} ${reading(length(run.vector, index))} ${arrow.unit}${note}`];
    }
    const link = scene.links[index];
    return [link.name || link.points.map((p) => scene.points[p].name).join(" – "), link.kind];
  }
}

const length = (a, i) => Math.hypot(a[3 * i], a[3 * i + 1], a[3 * i + 2]);
