// Time that runs: play, pause, speed, loop. Everything else follows it.

export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32];

export class Clock {
  constructor(begin, end, onChange) {
    this.begin = begin;
    this.end = end;
    this.time = begin;
    this.speed = 1;
    this.loop = true;
    this.playing = false;
    this.onChange = onChange;
    this.last = null;
  }

  /** Up to where plots are drawn. */
  get horizon() { return this.end; }

  /** A tick of the screen; `now` in milliseconds. */
  tick(now) {
    if (!this.playing) return;
    // A tab that slept does not leap.
    const passed = this.last === null ? 0 : Math.min(now - this.last, 250) / 1000;
    this.last = now;
    let time = this.time + passed * this.speed;
    if (time >= this.end) {
      const span = this.end - this.begin;
      if (this.loop && span > 0) time = this.begin + ((time - this.begin) % span);
      else {
        time = this.end;
        this.playing = false;
      }
    }
    this.time = time;
    this.onChange();
  }

  play() {
    if (this.time >= this.end) this.time = this.begin;
    this.playing = true;
    this.last = null;
    this.onChange();
  }

  pause() {
    this.playing = false;
    this.onChange();
  }

  toggle() { if (this.playing) this.pause(); else this.play(); }

  seek(time) {
    this.time = Math.min(this.end, Math.max(this.begin, time));
    this.onChange();
  }

  setSpeed(speed) {
    this.speed = speed;
    this.onChange();
  }

  faster(sign) {
    const at = SPEEDS.reduce((best, s, i) => (Math.abs(Math.log(s / this.speed)) < Math.abs(Math.log(SPEEDS[best] / this.speed)) ? i : best), 0);
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + sign))]);
  }
}
