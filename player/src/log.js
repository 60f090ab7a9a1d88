// The log of a page that simulates: contacts that begin and end, what was turned and pulled, why it stopped.

const SHOWN = 60; // lines of the list

export class Log {
  /** `box` takes the list; `happened` the ticks of the time axis. */
  constructor(box, runs, happened) {
    this.runs = runs;
    this.happened = happened;
    this.own = []; // what was done by hand: [t, text]
    this.details = document.createElement("details");
    this.details.className = "turn log";
    this.details.append(Object.assign(document.createElement("summary"), { textContent: "Events" }));
    this.list = document.createElement("ol");
    this.list.setAttribute("aria-label", "Events, the last one first");
    this.details.append(this.list);
    this.details.hidden = true;
    box.append(this.details);
  }

  clear() {
    this.own = [];
    this.update();
  }

  add(t, text) {
    const last = this.own[this.own.length - 1];
    // a slider that is dragged is one event
    if (last && last[0] === t && last[1].split(" = ")[0] === text.split(" = ")[0]) last[1] = text;
    else this.own.push([t, text]);
    this.update();
  }

  /** All of them in the order of time. */
  get events() {
    const several = this.runs.length > 1;
    const touched = this.runs.flatMap((run) => (run.live.touching?.events ?? []).map(([t, text]) => [t, several ? `${run.label}: ${text}` : text]));
    return [...touched, ...this.own].sort((a, b) => a[0] - b[0]);
  }

  update() {
    const { events } = this, [run] = this.runs;
    this.details.hidden = !events.length;
    const seen = events.filter(([t]) => t >= run.begin);
    this.happened.renew(seen.map(([t, text]) => [t, [text]]));
    if (!this.details.open) return;
    this.list.replaceChildren(...events.slice(-SHOWN).reverse().map(([t, text]) => {
      const line = document.createElement("li");
      const time = Object.assign(document.createElement("span"), { textContent: `${t.toFixed(3)} s` });
      line.append(time, ` ${text}`);
      return line;
    }));
  }
}
