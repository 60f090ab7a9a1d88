// Smooth edges of shadows: three's own filter takes five samples in a random turn, which looks grainy. Here every pixel takes
// the same sixteen; the graphics card blends four texels in each. A blurred shadow map would cost some fifty times as much.
import { ShaderChunk } from "three";

const SAMPLES = 16;
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** Places of a disk, evenly spread (Vogel's spiral), as an array of GLSL. */
function disk(count) {
  const places = Array.from({ length: count }, (_, i) => {
    const r = Math.sqrt((i + 0.5) / count), angle = i * GOLDEN;
    return `vec2(${(r * Math.cos(angle)).toFixed(4)}, ${(r * Math.sin(angle)).toFixed(4)})`;
  });
  return `vec2[${count}](${places.join(", ")})`;
}

/** Before the first material is made. */
export function smoothShadows() {
  const theirs = /float phi = interleavedGradientNoise[^;]*;\s*shadow = \([^;]*\) \* 0\.2;/;
  const chunk = ShaderChunk.shadowmap_pars_fragment;
  if (!theirs.test(chunk)) console.warn("three filters shadows in another way now: see shadow.js");
  ShaderChunk.shadowmap_pars_fragment = chunk.replace(theirs, `
    const vec2 places[${SAMPLES}] = ${disk(SAMPLES)};
    shadow = 0.0;
    for (int i = 0; i < ${SAMPLES}; i++) shadow += texture(shadowMap, vec3(shadowCoord.xy + places[i] * radius, shadowCoord.z));
    shadow /= ${SAMPLES.toFixed(1)};`);
}
