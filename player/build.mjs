// Builds the player into the Python package; with --check compares instead of writing.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const assets = join(here, "..", "src", "dalembert", "viewer", "assets");

const options = {
  absWorkingDir: here, // nothing of the machine gets into the bundle
  bundle: true,
  minify: true,
  write: false,
  charset: "ascii",
  legalComments: "eof",
  target: ["chrome111", "firefox114", "safari16.4"],
  logLevel: "warning",
};

const bundle = async (entry, more) => (await build({ ...options, ...more, entryPoints: [entry] })).outputFiles[0].text;

// A bundle stands inside a script element: it must not contain the end of one.
const script = async (entry) => (await bundle(entry, { format: "iife" })).replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

const files = {
  "player.js": await script("src/main.js"),
  "player.css": await bundle("src/player.css", {}),
  "lesson.js": await script("src/lesson.js"),
  "lesson.css": await bundle("src/lesson.css", {}),
  "lesson.html": readFileSync(join(here, "src", "lesson.html"), "utf8"),
  "page.html": readFileSync(join(here, "src", "page.html"), "utf8"),
};

const hash = (text) => createHash("sha256").update(text).digest("hex");
files["SHA256SUMS"] = Object.entries(files).map(([name, text]) => `${hash(text)}  ${name}\n`).join("");

let different = 0;
mkdirSync(assets, { recursive: true });
for (const [name, text] of Object.entries(files)) {
  const path = join(assets, name);
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (readFileSync(path, "utf8") !== text) {
    different++;
    console.error(`${name} differs from what the sources give; run: make player`);
  }
}
process.exitCode = different ? 1 : 0;
