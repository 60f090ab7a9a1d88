// Light, shadow, the grid, and the renderer.
import {
  AmbientLight, BackSide, Color, DirectionalLight, HemisphereLight, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial, MeshDepthMaterial,
  NeutralToneMapping, PCFShadowMap, PerspectiveCamera, PlaneGeometry, Scene, Vector3, WebGLRenderer, WebGLRenderTarget,
} from "three";
import { grid, shade, solid } from "./materials.js";
import { smoothShadows } from "./shadow.js";

export const THEMES = {
  light: { back: "#f4f5f7", grid: "#9aa5b4", ink: "#4b5563", sky: "#ffffff", earth: "#c9ced6", shade: 0.17 },
  dark: { back: "#15181d", grid: "#596474", ink: "#c3ccd6", sky: "#dbe6f5", earth: "#3a4250", shade: 0.45 },
};

const FILLED = 0.2; // opacity of a ground that bodies stand on

/** The stage, as large as the element around its canvas; null where there is no WebGL. */
export function stageOf(canvas) {
  try {
    return new Stage(canvas);
  } catch {
    return null;
  }
}

class Stage {
  constructor(canvas) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    smoothShadows();
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.autoUpdate = false; // only when something moved: turning the view costs less
    this.renderer.setScissorTest(true);
    this.scene = new Scene();
    this.scene.background = new Color();
    this.sky = new HemisphereLight("#ffffff", "#888888", 1.9);
    this.fill = new AmbientLight("#ffffff", 0.6);
    this.key = new DirectionalLight("#fffaf2", 2.6);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(2048, 2048);
    this.key.shadow.radius = 5;
    this.key.shadow.bias = -4e-4;
    this.rim = new DirectionalLight("#cfe0ff", 0.7);
    this.scene.add(this.sky, this.fill, this.key, this.key.target, this.rim);
    this.resize(canvas.parentElement.clientWidth, canvas.parentElement.clientHeight);
    this.ask();
  }

  /** Programs that every scene has are asked for at once: the graphics card makes them while the model is unpacked. */
  ask() {
    const { renderer, scene } = this;
    const plane = new PlaneGeometry(), camera = new PerspectiveCamera();
    const instance = (material) => {
      const mesh = new InstancedMesh(plane, material, 1);
      mesh.setColorAt(0, new Color());
      return mesh;
    };
    this.asked = [instance(solid()), new Mesh(plane, shade()), new Mesh(plane, grid({}))]; // kept: a program stays as long as a material has it
    for (const mesh of this.asked) mesh.receiveShadow = true;
    scene.add(...this.asked);
    renderer.compile(scene, camera);
    scene.remove(...this.asked);
    const thrown = instance(new MeshDepthMaterial({ side: BackSide })); // of shadows, which are drawn into a picture of their own
    const target = new WebGLRenderTarget(1, 1);
    renderer.setRenderTarget(target);
    renderer.compile(thrown, camera, scene);
    renderer.setRenderTarget(null);
    target.dispose();
    this.asked.push(thrown);
    for (const { program } of renderer.info.programs) renderer.state.useProgram(program); // only what is used is made
    renderer.getContext().flush(); // else it waits until something is read
    renderer.debug.checkShaderErrors = false; // their logs: each is waited for
  }

  /** Whether all programs were made is looked at when there is time: problems are told to the console. */
  check() {
    const { debug, info } = this.renderer, gl = this.renderer.getContext();
    for (const { program, name } of info.programs) {
      if (!gl.getProgramParameter(program, gl.LINK_STATUS)) console.error(`a program of the picture was not made: ${name} ${gl.getProgramInfoLog(program)}`);
    }
    debug.checkShaderErrors = true;
  }

  /** Another size, where it is one: what is drawn so far would be lost, and the card waited for. */
  resize(width, height) {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const wanted = `${width} ${height} ${ratio}`;
    if (!width || !height || wanted === this.sized) return;
    this.sized = wanted;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
  }

  /** Set up for the space of a motion: axes of the view, a box, whether it is planar, and the floor of the scene: null when it has none, without height where plates stand for it. */
  frame(axes, box, planar, normal, thick, solid) {
    this.axes = axes;
    const size = box.getSize(new Vector3()).length() || 1;
    const centre = box.getCenter(new Vector3());
    this.size = size;
    this.sky.position.copy(axes.up);
    this.toLight = new Vector3().addScaledVector(axes.up, 1.0).addScaledVector(axes.right, -0.45).addScaledVector(axes.toward, 0.75).normalize();
    this.rim.position.copy(centre).addScaledVector(axes.toward, -size).addScaledVector(axes.right, size).addScaledVector(axes.up, 0.4 * size);
    this.cell = niceStep(size / (planar ? 12 : 14));
    const floor = new Matrix4().makeBasis(axes.right, new Vector3().crossVectors(axes.up, axes.right), axes.up);
    this.plates = solid && solid.height === undefined;
    if (this.plates) solid = null;
    const low = solid ? solid.height : lowest(box, axes.up) - 0.004 * size;
    this.grounds = [this.addGround(centre, floor, axes.up, low, size, solid?.color)];
    this.lights = [this.toLight];
    if (planar) {
      // Seen from the front, a wall behind the plane of motion: the mechanism throws its shadow on it,
      // from a light in front, beside and below.
      const across = new Vector3().fromArray(normal);
      const right = new Vector3().crossVectors(axes.up, across).normalize();
      const wall = new Matrix4().makeBasis(right, new Vector3().crossVectors(across, right), across);
      const behind = lowest(box, across) - Math.max(0.35 * thick, 0.012 * size);
      this.grounds.push(this.addGround(centre, wall, across, behind, size));
      if (solid) this.addSection(centre, wall, across, behind, size, solid);
      this.lights.push(new Vector3().addScaledVector(axes.up, 0.55).addScaledVector(right, -0.35).addScaledVector(across, 1.0).normalize());
    }
    this.gridShown = true;
    this.setWall(planar);
    this.lightAt(centre, 0.6 * size);
  }

  /** The wall (of a planar motion) or the floor; true when that is a change. */
  setWall(wall) {
    const chosen = wall && this.grounds.length > 1 ? 1 : 0;
    if (chosen === this.chosen) return false;
    this.chosen = chosen;
    this.toLight = this.lights[chosen];
    this.lit = null;
    this.showGrid(this.gridShown);
    return true;
  }

  /** Whether a grid can be seen: plates that are no floor would be cut by one. */
  get hasGrid() { return !this.plates || this.grounds.length > 1; }

  showGrid(shown) {
    this.gridShown = shown;
    this.grounds.forEach(({ grid, shade, solid, section }, i) => {
      const here = i === this.chosen && !(this.plates && i === 0);
      grid.visible = (shown || solid) && here;
      grid.material.uniforms.cell.value = shown ? this.cell : 1e9; // a floor stays when its lines go
      shade.visible = here;
      for (const mesh of section) mesh.visible = i === this.chosen;
    });
  }

  /** The floor of a planar motion as it is cut by the wall: a line, and all below it. */
  addSection(centre, basis, normal, behind, size, { height, color }) {
    const reach = 1.5 * size;
    const middle = centre.clone().applyMatrix4(basis.clone().invert());
    const strip = (top, tall, opacity) => {
      const geometry = new PlaneGeometry(2 * reach, tall).translate(middle.x, top - tall / 2, 0);
      const mesh = new Mesh(geometry, new MeshBasicMaterial({ color, opacity, transparent: true, depthWrite: false, toneMapped: false }));
      mesh.matrixAutoUpdate = false;
      mesh.matrix.copy(basis).setPosition(normal.clone().multiplyScalar(behind));
      mesh.renderOrder = -1;
      this.scene.add(mesh);
      return mesh;
    };
    this.grounds[1].section = [strip(height, reach, FILLED), strip(height, 0.005 * size, 0.9)];
  }

  addGround(centre, basis, normal, height, size, fill) {
    const middle = centre.clone().applyMatrix4(basis.clone().invert());
    const reach = 1.5 * size;
    const geometry = new PlaneGeometry(2 * reach, 2 * reach).translate(middle.x, middle.y, 0);
    const lines = new Mesh(geometry, grid({ fill, filled: fill ? FILLED : 0, cell: this.cell, reach, middle }));
    const shadow = new Mesh(geometry, shade());
    shadow.receiveShadow = true;
    for (const mesh of [shadow, lines]) {
      mesh.matrixAutoUpdate = false;
      mesh.matrix.copy(basis).setPosition(normal.clone().multiplyScalar(height));
      mesh.renderOrder = -1;
      this.scene.add(mesh);
    }
    return { grid: lines, shade: shadow, solid: Boolean(fill), section: [] };
  }

  /** The key light falls on a sphere; shadows are sharp enough only inside it. */
  lightAt(centre, radius) {
    const { key, toLight } = this;
    key.target.position.copy(centre);
    key.position.copy(centre).addScaledVector(toLight, 3 * radius);
    if (radius !== this.lit) {
      this.lit = radius;
      const camera = key.shadow.camera;
      camera.left = camera.bottom = -radius;
      camera.right = camera.top = radius;
      camera.near = 0.5 * radius;
      camera.far = 6.5 * radius;
      camera.updateProjectionMatrix();
      key.shadow.normalBias = 0.004 * radius;
    }
  }

  setTheme(name) {
    const theme = THEMES[name];
    this.scene.background.set(theme.back);
    this.sky.color.set(theme.sky);
    this.sky.groundColor.set(theme.earth);
    for (const { grid, shade } of this.grounds) {
      grid.material.uniforms.color.value.set(theme.grid);
      shade.material.opacity = theme.shade;
    }
  }
}

function lowest(box, direction) {
  let low = Infinity;
  for (let c = 0; c < 8; c++) {
    const corner = new Vector3(c & 1 ? box.max.x : box.min.x, c & 2 ? box.max.y : box.min.y, c & 4 ? box.max.z : box.min.z);
    low = Math.min(low, corner.dot(direction));
  }
  return low;
}

/** 1, 2 or 5 times a power of ten. */
export function niceStep(about) {
  const power = 10 ** Math.floor(Math.log10(about));
  const lead = about / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}
