// Links with the settings in them: what was turned stands behind the # of the address.
import { say } from "./notes.js";

const KINDS = { p: "parameter", s: "start" };

/** Whether the page has an address of its own; a frame in a notebook or a lesson has none. */
export const hasAddress = () => location.protocol !== "about:";

/** What is different from how the page was made, as the text behind the #. */
export function settingsOf({ lives }, { clock, layout, follow, settings }) {
  const [live] = lives, found = new URLSearchParams();
  for (const { name, value } of live.spec.knobs) {
    if (live.values.get(name) !== value) found.set(`p.${name}`, String(live.values.get(name)));
  }
  for (const [name, value] of live.start) found.set(`s.${name}`, String(value));
  if (clock.speed !== settings.speed) found.set("speed", String(clock.speed));
  if (layout !== settings.layout) found.set("layout", layout);
  if ((follow ?? null) !== (settings.follow ?? null)) found.set("follow", follow ?? "");
  return found.toString();
}

/** Parameters, start and the rest of a link: {parameters, start, speed, layout, follow, unknown}. */
export function readSettings(text, { knobs, initial }) {
  const made = { parameters: new Map(), start: new Map(), unknown: [] };
  for (const [key, value] of new URLSearchParams(text)) {
    const [kind, ...rest] = key.split("."), name = rest.join(".");
    const number = value.trim() === "" ? NaN : Number(value);
    const knob = kind === "p" && knobs.find((each) => each.name === name);
    const entry = kind === "s" && initial.turned.find((each) => each.name === name);
    if (knob && Number.isFinite(number)) made.parameters.set(name, number);
    else if (entry && Number.isFinite(number)) made.start.set(name, number);
    else if (key === "speed" && number > 0 && Number.isFinite(number)) made.speed = number;
    else if (key === "layout" && /^(side|ghost|only-\d)$/.test(value)) made.layout = value;
    else if (key === "follow") made.follow = value;
    else made.unknown.push(KINDS[kind] && name ? `${KINDS[kind]} ${name} = ${value}` : `${key} = ${value}`);
  }
  return made;
}

/** The sentence on what of a link cannot be followed. */
export const unknownSentence = (unknown) => `The link says ${unknown.join(", ")}, which this page cannot follow. The rest of it holds.`;

/** The address with the settings, put where it can be copied from, and copied where that is allowed. */
export async function copyLink(text) {
  history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link with these settings was copied.", true);
  } catch {
    say("The address of this page now holds these settings: copy it from the address bar.", true);
  }
  return location.href;
}
