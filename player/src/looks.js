// Shapes that follow parameters: numbers of the scene, between values that were tried when the page was made.

export class Looks {
  constructor(run) {
    this.run = run;
    this.looks = new Map(Object.entries(run.header.live.looks));
    this.changed = new Map(); // parameter -> its value
    this.own = new Map();
    for (const { numbers } of this.looks.values()) {
      for (const [path] of numbers) this.own.set(path.join("/"), leaf(run.scene, path));
    }
  }

  /** Take another value; true when something looks different. */
  turn(name, value) {
    if (!this.looks.has(name)) return false;
    this.changed.set(name, value);
    const sums = new Map();
    for (const [parameter, at] of this.changed) {
      const { values, numbers } = this.looks.get(parameter);
      let i = 0;
      while (i < values.length - 2 && values[i + 1] < at) i++;
      const part = values.length > 1 ? (at - values[i]) / (values[i + 1] - values[i]) : 0;
      for (const [path, changes] of numbers) {
        const change = changes[i] + part * ((changes[i + 1] ?? changes[i]) - changes[i]);
        const key = path.join("/");
        sums.set(key, { path, sum: (sums.get(key)?.sum ?? 0) + change });
      }
    }
    for (const [key, { path, sum }] of sums) {
      const holder = path.slice(0, -1).reduce((part, step) => part[step], this.run.scene);
      holder[path.at(-1)] = this.own.get(key) + sum;
    }
    return true;
  }
}

const leaf = (scene, path) => path.reduce((part, step) => part[step], scene);
