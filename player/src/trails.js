// Paths behind points: ribbons of constant width on the screen that fade into the past.
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Group, Mesh, ShaderMaterial, Vector2 } from "three";

const MOST = 20000; // samples of one path; longer runs are thinned

const VERTEX = `
attribute vec3 before; attribute vec3 after; attribute float side; attribute float frame;
uniform vec2 resolution; uniform float width;
varying float vFrame;
void main() {
  vFrame = frame;
  vec4 here = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  vec4 a = projectionMatrix * modelViewMatrix * vec4(before, 1.0);
  vec4 b = projectionMatrix * modelViewMatrix * vec4(after, 1.0);
  vec2 along = (b.xy / b.w - a.xy / a.w) * resolution;
  float l = length(along);
  along = l > 1e-6 ? along / l : vec2(1.0, 0.0);
  here.xy += vec2(-along.y, along.x) * side * width / resolution * here.w;
  gl_Position = here;
}`;

const FRAGMENT = `
uniform vec3 color; uniform float now; uniform float span; uniform float opacity;
varying float vFrame;
void main() {
  if (vFrame > now || vFrame < now - span) discard;
  float age = (now - vFrame) / span;
  gl_FragColor = vec4(color, opacity * (1.0 - 0.85 * smoothstep(0.0, 1.0, age)));
  #include <colorspace_fragment>
}`;

export class Trails {
  constructor(run) {
    this.run = run;
    this.group = new Group();
    this.opacity = 0.95;
    this.seconds = 4;
    this.resolution = new Vector2(1, 1);
    this.lines = new Map();
  }

  has(key) { return this.lines.has(key); }

  /** Draw the path of a point or a body: key "point:3", "body:0". */
  add(key, color) {
    if (this.lines.has(key)) return;
    const [kind, index] = key.split(":");
    const path = this.run.path(kind, Number(index), MOST);
    const material = new ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false, side: DoubleSide,
      uniforms: {
        resolution: { value: this.resolution }, width: { value: 2.6 }, color: { value: new Color(color) },
        now: { value: 0 }, span: { value: 1 }, opacity: { value: 0.95 },
      },
    });
    const mesh = new Mesh(ribbon(path), material);
    mesh.frustumCulled = false;
    mesh.renderOrder = 2;
    this.group.add(mesh);
    this.lines.set(key, { mesh, path });
    this.update();
  }

  remove(key) {
    const line = this.lines.get(key);
    if (!line) return;
    this.group.remove(line.mesh);
    line.mesh.geometry.dispose();
    line.mesh.material.dispose();
    this.lines.delete(key);
  }

  /** Paths of a run that has grown. */
  renew() {
    for (const [key, line] of this.lines) {
      const [kind, index] = key.split(":");
      line.path = this.run.path(kind, Number(index), MOST);
      line.mesh.geometry.dispose();
      line.mesh.geometry = ribbon(line.path);
    }
  }

  update() {
    const { frame, frames, times } = this.run;
    const rate = frames > 1 ? (frames - 1) / (times[frames - 1] - times[0]) : 1;
    const span = Math.max(1, Math.min(this.seconds * rate, frames));
    for (const { mesh, path } of this.lines.values()) {
      mesh.material.uniforms.now.value = frame;
      mesh.material.uniforms.span.value = span;
      mesh.material.uniforms.opacity.value = this.opacity;
      const first = path.frames[0] ?? 0;
      const stride = path.count > 1 ? path.frames[1] - first : 1;
      const from = Math.max(0, Math.floor((frame - span - first) / stride));
      const to = Math.min(path.count - 1, Math.ceil((frame - first) / stride));
      mesh.geometry.setDrawRange(6 * from, 6 * Math.max(0, to - from));
    }
  }
}

function ribbon({ places, frames, count }) {
  const make = (width) => new Float32Array(2 * count * width);
  const here = make(3), before = make(3), after = make(3), side = make(1), frame = make(1);
  for (let k = 0; k < count; k++) {
    const a = Math.max(0, k - 1), b = Math.min(count - 1, k + 1);
    for (let s = 0; s < 2; s++) {
      const v = 2 * k + s;
      for (let c = 0; c < 3; c++) {
        here[3 * v + c] = places[3 * k + c];
        before[3 * v + c] = places[3 * a + c];
        after[3 * v + c] = places[3 * b + c];
      }
      side[v] = s ? 1 : -1;
      frame[v] = frames[k];
    }
  }
  const index = new Uint32Array(6 * Math.max(0, count - 1));
  for (let k = 0; k + 1 < count; k++) {
    const v = 2 * k;
    index.set([v, v + 1, v + 2, v + 2, v + 1, v + 3], 6 * k);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(here, 3));
  geometry.setAttribute("before", new BufferAttribute(before, 3));
  geometry.setAttribute("after", new BufferAttribute(after, 3));
  geometry.setAttribute("side", new BufferAttribute(side, 1));
  geometry.setAttribute("frame", new BufferAttribute(frame, 1));
  geometry.setIndex(new BufferAttribute(index, 1));
  return geometry;
}
