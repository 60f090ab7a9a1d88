// Materials of the picture: of solids, of the grid, of shadows on the ground.
import { Color, DoubleSide, FrontSide, MeshStandardMaterial, ShaderMaterial, ShadowMaterial, Vector3 } from "three";

const GRID_VERTEX = `
varying vec2 place;
void main() { place = position.xy; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`;

// Lines of one pixel whatever the distance, every fifth stronger; a ground that bodies stand on is filled. All fades out far away.
const GRID_FRAGMENT = `
uniform vec3 color; uniform vec3 fill; uniform float filled; uniform float cell; uniform float reach; uniform vec2 middle;
varying vec2 place;
float lines(float width) {
  vec2 at = place / width;
  vec2 near = abs(fract(at - 0.5) - 0.5) / fwidth(at);
  return 1.0 - min(min(near.x, near.y), 1.0);
}
void main() {
  float fade = 1.0 - smoothstep(0.35 * reach, reach, distance(place, middle));
  float strength = max(0.35 * lines(cell), 0.75 * lines(5.0 * cell));
  float alpha = strength + filled * (1.0 - strength);
  if (alpha * fade < 0.01) discard;
  gl_FragColor = vec4(mix(fill, color, strength / alpha), alpha * fade);
  #include <colorspace_fragment>
}`;

/** Of bodies, joints, bars. */
export function solid(opacity = 1, twoSided = false) {
  const clear = opacity < 1;
  return new MeshStandardMaterial({
    roughness: 0.52, metalness: 0.06, transparent: clear, opacity, depthWrite: !clear,
    side: twoSided ? DoubleSide : FrontSide,
  });
}

/** Of the grid; `fill` is the colour of a ground that bodies stand on, `filled` how opaque that is. */
export function grid({ fill = "#000000", filled = 0, cell = 1, reach = 1, middle = new Vector3() }) {
  return new ShaderMaterial({
    vertexShader: GRID_VERTEX, fragmentShader: GRID_FRAGMENT, transparent: true, depthWrite: false, side: DoubleSide,
    uniforms: {
      color: { value: new Color() }, fill: { value: new Color(fill) }, filled: { value: filled },
      cell: { value: cell }, reach: { value: reach }, middle: { value: middle },
    },
  });
}

/** Of a ground on which only shadows are seen. */
export const shade = () => new ShadowMaterial({ transparent: true, depthWrite: false });
