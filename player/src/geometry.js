// Solids of a scene: geometry by kind and size; the axis of round ones is z, as the scene says.
import {
  BufferAttribute, BufferGeometry, CapsuleGeometry, ConeGeometry, Curve,
  PlaneGeometry, SphereGeometry, TubeGeometry, Vector3,
} from "three";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import { raw } from "./decode.js";

const short = (x) => Number(x).toPrecision(4);

/** Shapes with the same key share a geometry and are drawn together. */
export function keyOf(shape) {
  if (shape.vertices) return null;
  if (shape.kind === "sphere" || shape.kind === "ellipsoid") return "sphere";
  return `${shape.kind}:${shape.size.map(short).join(":")}`;
}

/** How much the shared geometry is stretched for this shape. */
export function stretchOf(shape, into) {
  const [a, b, c] = shape.size;
  if (shape.kind === "sphere") return into.set(a, a, a);
  if (shape.kind === "ellipsoid") return into.set(a, b, c);
  return into.set(1, 1, 1);
}

/** The geometry; of many equal parts a coarser one. */
export function geometryOf(shape, bytes, count = 1) {
  const [a, b, c] = shape.size;
  const around = count > 24 ? 20 : 36;
  switch (shape.kind) {
    case "box": return roundedBox(a, b, c, 0.1 * Math.min(a, b, c));
    case "sphere":
    case "ellipsoid": return new SphereGeometry(1, around, Math.round(0.6 * around));
    case "cylinder": return bevelled(a, b, around);
    case "capsule": return new CapsuleGeometry(a, b, 8, around).rotateX(Math.PI / 2);
    case "cone": return new ConeGeometry(a, b, around).rotateX(Math.PI / 2);
    case "plane": return new PlaneGeometry(a, b);
    case "mesh": return meshed(raw(bytes, shape.vertices, Float32Array), raw(bytes, shape.faces, Uint32Array));
    case "polyline": return tube(raw(bytes, shape.vertices, Float32Array), a / 2);
    default: return new SphereGeometry(1e-9, 3, 2); // a kind of a later version: nothing to see
  }
}

const ROUND = 3; // rows of vertices over a rounded edge

/** A box with rounded edges: the sides of a cube in a few rows each, every vertex `radius` away from a smaller box. */
export function roundedBox(a, b, c, radius) {
  const rows = 2 * ROUND, inner = [a / 2 - radius, b / 2 - radius, c / 2 - radius];
  const places = new Float32Array(6 * rows * rows * 3), normals = new Float32Array(places.length);
  const faces = new Uint16Array(6 * (rows - 1) ** 2 * 6);
  let v = 0, f = 0;
  for (let side = 0; side < 6; side++) {
    const n = side >> 1, sign = side & 1 ? -1 : 1, first = v / 3;
    const across = [n, (n + 1) % 3, (n + 2) % 3];
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < rows; j++, v += 3) {
        const way = [sign, outward(i), outward(j)];
        const length = Math.hypot(...way);
        across.forEach((axis, k) => {
          normals[v + axis] = way[k] / length;
          places[v + axis] = Math.sign(way[k]) * inner[axis] + (radius * way[k]) / length;
        });
        if (i + 1 === rows || j + 1 === rows) continue;
        const at = first + i * rows + j;
        const [p, q] = sign > 0 ? [at + rows, at + 1] : [at + 1, at + rows];
        faces.set([at, p, at + rows + 1, at, at + rows + 1, q], f);
        f += 6;
      }
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(places, 3));
  geometry.setAttribute("normal", new BufferAttribute(normals, 3));
  geometry.setIndex(new BufferAttribute(faces, 1));
  return geometry;
}

/** How far a row of a side looks outward: 1 at the edge, next to nothing where the flat part begins. */
function outward(row) {
  const from = row < ROUND ? ROUND - 1 - row : row - ROUND;
  return (row < ROUND ? -1 : 1) * Math.max(Math.tan((from * Math.PI) / (4 * (ROUND - 1))), 1e-9);
}

/** A cylinder whose edges are broken a little, so that light catches them: strips about its axis, each flat along its outline. */
function bevelled(radius, length, around) {
  const edge = 0.12 * Math.min(radius, length / 2);
  const h = length / 2;
  const outline = [[0, -h], [radius - edge, -h], [radius, -h + edge], [radius, h - edge], [radius - edge, h], [0, h]];
  const places = [], normals = [], faces = [];
  for (let s = 0; s + 1 < outline.length; s++) {
    const [[r0, z0], [r1, z1]] = [outline[s], outline[s + 1]];
    const tall = Math.hypot(r1 - r0, z1 - z0) || 1;
    const [out, up] = [(z1 - z0) / tall, (r0 - r1) / tall];
    const first = places.length / 3;
    for (let k = 0; k <= around; k++) {
      const angle = (2 * Math.PI * k) / around, c = Math.cos(angle), n = Math.sin(angle);
      places.push(r0 * c, r0 * n, z0, r1 * c, r1 * n, z1);
      normals.push(out * c, out * n, up, out * c, out * n, up);
      if (k === around) break;
      const a = first + 2 * k;
      if (r0) faces.push(a, a + 2, a + 1);
      if (r1) faces.push(a + 1, a + 2, a + 3);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(places), 3));
  geometry.setAttribute("normal", new BufferAttribute(Float32Array.from(normals), 3));
  geometry.setIndex(faces);
  return geometry;
}

function meshed(vertices, faces) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(vertices, 3));
  geometry.setIndex(new BufferAttribute(faces, 1));
  return toCreasedNormals(geometry, 0.6);
}

/** Straight from vertex to vertex. */
class Polyline extends Curve {
  constructor(vertices) {
    super();
    this.vertices = vertices;
    this.pieces = vertices.length / 3 - 1;
  }

  getPoint(u, target = new Vector3()) {
    const i = Math.min(Math.floor(u * this.pieces), this.pieces - 1);
    const part = u * this.pieces - i;
    const v = this.vertices;
    const mix = (c) => v[3 * i + c] + part * (v[3 * i + 3 + c] - v[3 * i + c]);
    return target.set(mix(0), mix(1), mix(2));
  }

  getPointAt(u, target) { return this.getPoint(u, target); }
}

function tube(vertices, radius) {
  const line = new Polyline(vertices);
  return new TubeGeometry(line, Math.max(1, line.pieces), radius, 10, false);
}

/** A coil along z, from 0 to its length at rest; stretched along z it stays a coil. */
export function coil(radius, length, turns = 9) {
  class Helix extends Curve {
    getPoint(u, target = new Vector3()) {
      const lead = 0.08;
      const inside = Math.min(Math.max((u - lead) / (1 - 2 * lead), 0), 1);
      const r = radius * Math.min(1, 10 * Math.min(inside, 1 - inside) + 1e-3);
      const angle = 2 * Math.PI * turns * inside;
      return target.set(r * Math.cos(angle), r * Math.sin(angle), u * length);
    }
  }
  const wire = Math.min(0.16 * radius, (0.3 * length) / turns);
  return new TubeGeometry(new Helix(), 28 * turns, wire, 7, false);
}
