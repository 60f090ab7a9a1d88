// What is seen, kept: a PNG of the picture, a video of the run as it plays, the whole screen.
import { say } from "./notes.js";

const KINDS = ["video/webm;codecs=vp9", "video/webm", "video/mp4"];
const FPS = 60;
const ENDING = 150; // ms after the last frame, so that it is in the video

export class Capture {
  constructor(app) {
    this.app = app;
    this.film = null;
  }

  /** Whether this browser can record the picture. */
  get canFilm() { return typeof MediaRecorder !== "undefined" && "captureStream" in this.app.canvas; }

  name(ending) {
    const title = this.app.header.title.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 80).replace(/^-|-$/g, "") || "run";
    return `${title}.${ending}`;
  }

  /** The picture at this moment, as a file. */
  png() {
    const sheet = this.sheet();
    this.app.draw(); // a canvas keeps its picture only until the browser has shown it
    this.copy(sheet);
    return new Promise((done) => sheet.canvas.toBlob((blob) => done(this.keep(blob, "png")), "image/png"));
  }

  sheet() {
    const { width, height } = this.app.canvas;
    return Object.assign(document.createElement("canvas"), { width, height }).getContext("2d", { alpha: false });
  }

  /** The picture with the names that stand over it. */
  copy(sheet) {
    const { canvas, view } = this.app;
    const scale = canvas.width / view.clientWidth;
    sheet.setTransform(1, 0, 0, 1, 0, 0);
    sheet.drawImage(canvas, 0, 0, sheet.canvas.width, sheet.canvas.height);
    sheet.setTransform(scale, 0, 0, scale, 0, 0);
    const { left, top } = view.getBoundingClientRect();
    for (const label of view.querySelectorAll("#labels span, #corner")) {
      const style = getComputedStyle(label);
      const box = label.getBoundingClientRect();
      if (style.visibility === "hidden" || !box.width) continue;
      sheet.fillStyle = "#0000"; // kept by a browser that does not know the next
      sheet.fillStyle = style.backgroundColor;
      sheet.beginPath();
      sheet.roundRect(box.left - left, box.top - top, box.width, box.height, Math.min(parseFloat(style.borderRadius) || 0, box.height / 2));
      sheet.fill();
      sheet.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
      sheet.textBaseline = "middle";
      sheet.fillStyle = style.color;
      const pad = parseFloat(style.paddingLeft) || 0;
      sheet.fillText(label.textContent, box.left - left + pad, (box.top + box.bottom) / 2 - top, Math.max(1, box.width - 2 * pad));
    }
  }

  /** Record the run from its start to its end at the chosen speed; again: stop and keep what there is. */
  video() {
    if (this.film) {
      this.stop();
      return this.done;
    }
    if (!this.canFilm) {
      say("This browser cannot record a video. dl.save_video(solution, path) writes one.", true);
      return Promise.resolve(null);
    }
    const { clock } = this.app;
    const kind = KINDS.find((each) => MediaRecorder.isTypeSupported(each)) ?? "";
    const parts = [];
    this.reel = this.sheet();
    const film = new MediaRecorder(this.reel.canvas.captureStream(FPS), { ...(kind && { mimeType: kind }), videoBitsPerSecond: 8e6 });
    film.addEventListener("dataavailable", (event) => { if (event.data.size) parts.push(event.data); });
    this.done = new Promise((done) => {
      film.addEventListener("stop", () => {
        this.film = this.reel = null;
        const { type } = film.mimeType ? { type: film.mimeType.split(";")[0] } : { type: "video/webm" };
        this.show(false);
        done(this.keep(new Blob(parts, { type }), type.endsWith("mp4") ? "mp4" : "webm"));
      });
    });
    this.loop = clock.loop;
    clock.loop = false;
    if (!this.app.live) clock.seek(clock.begin);
    film.start(250);
    clock.play();
    this.film = film; // from here on a pause ends it
    this.app.draw();
    this.show(true);
    return this.done;
  }

  /** Called whenever the clock changes: the film ends with the run, or when it is paused. */
  update() {
    if (!this.film || this.ending || this.app.clock.playing) return;
    this.ending = setTimeout(() => this.stop(), ENDING);
  }

  /** Called after every picture. */
  drawn() { if (this.reel) this.copy(this.reel); }

  /** Nothing is recorded while nobody looks: the motion stands still. */
  rest(resting) {
    if (this.film?.state === "recording" && resting) this.film.pause();
    else if (this.film?.state === "paused" && !resting) this.film.resume();
  }

  stop() {
    clearTimeout(this.ending);
    this.ending = null;
    this.app.clock.loop = this.loop;
    if (this.film.state !== "inactive") this.film.stop();
  }

  show(filming) {
    const button = document.getElementById("film-button");
    button.setAttribute("aria-pressed", String(filming));
    button.title = filming ? "Stop and keep the video (v)" : "Video of the run (v)";
  }

  keep(blob, ending) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = this.name(ending);
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    return { name: link.download, size: blob.size, type: blob.type };
  }

  fullScreen() {
    if (document.fullscreenElement) return document.exitFullscreen();
    return document.documentElement.requestFullscreen?.().catch(() => say("The browser does not give the whole screen to this page.", true));
  }
}
