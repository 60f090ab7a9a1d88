// Beats of the screen, only while they are asked for and somebody can see the page.

export class Pulse {
  /** `beat(now)` is called once for any number of `ask`; `turned(awake)` when the page is hidden or seen again. */
  constructor(beat, turned, root) {
    this.beat = beat;
    this.turned = turned;
    this.waiting = 0; // number of the frame that was requested
    this.wanted = false; // asked for while asleep
    this.within = true;
    document.addEventListener("visibilitychange", () => this.look());
    // A frame of a notebook that is scrolled out of view plays for nobody.
    new IntersectionObserver((seen) => {
      this.within = seen[seen.length - 1].isIntersecting;
      this.look();
    }).observe(root);
    this.awake = !document.hidden;
  }

  ask() {
    this.wanted = true;
    if (this.waiting || !this.awake) return;
    this.waiting = requestAnimationFrame((now) => {
      this.waiting = 0;
      this.wanted = false;
      this.beat(now);
    });
  }

  look() {
    const awake = !document.hidden && this.within;
    if (awake === this.awake) return;
    this.awake = awake;
    if (!awake) {
      cancelAnimationFrame(this.waiting);
      this.waiting = 0;
    }
    this.turned(awake);
    if (awake && this.wanted) this.ask();
  }
}
