// `npm run notices`: the packages that the product is made of, under which licences, with their texts; for whoever hands the
// product on. It refuses a licence that nobody here has read.
import fs from "node:fs";
import path from "node:path";
import { type LockEntries, lockFile } from "./lock";

/** Read, and fit for a product under Apache-2.0 that is handed on whole. */
const read = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "Unlicense",
  "Zlib",
  // Fonts, and a table of browsers: data that is handed on as it is, with its notice.
  "OFL-1.1",
  "CC-BY-4.0",
  // Used as libraries of their own files, unchanged: a graph layout, and image code that the image leaves out.
  "EPL-2.0",
  "LGPL-3.0-or-later",
]);
/** The lock file does not say; the package's own text does. */
const said: Record<string, string> = { "seq-queue": "MIT" };

export type Component = { name: string; version: string; license: string };

/** What runs in production, by name; a package may be there in several versions. */
export function componentsOf(entries: LockEntries): Component[] {
  const all = Object.entries(entries).flatMap(([place, { version = "", license, dev }]) => {
    if (place === "" || dev) return [];
    const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
    return [{ name, version, license: license ?? said[name] ?? "none" }];
  });
  const each = new Map(all.map((one) => [`${one.name}@${one.version}`, one]));
  return [...each.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Those whose licence, or one they all apply of, is not among the ones that were read. */
export const unread = (components: Component[]): Component[] =>
  components.filter(({ license }) => {
    const choices = license.replace(/^\((.*)\)$/, "$1").split(/ OR /);
    return !choices.some((choice) => choice.split(/ and /i).every((one) => read.has(one)));
  });

/** `textOf`: the licence text of an installed package, or null. */
export function noticesOf(components: Component[], textOf: (name: string, version: string) => string | null): string {
  const parts = components.map(({ name, version, license }) => {
    const text =
      textOf(name, version) ?? `Licensed under ${license}. (Not installed on this platform, or without a text.)`;
    return `${"=".repeat(100)}\n${name} ${version} (${license})\n\n${text.trim()}\n`;
  });
  return `Switchyard contains the following third-party packages.\n\n${parts.join("\n")}`;
}

/** Beside the first installed copy of that version. */
function textIn(folders: string[]) {
  return (name: string, version: string): string | null => {
    for (const folder of folders.filter((one) => one.endsWith(`node_modules/${name}`))) {
      const manifest = path.join(folder, "package.json");
      if (!fs.existsSync(manifest) || JSON.parse(fs.readFileSync(manifest, "utf8")).version !== version) continue;
      const files = fs.readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
      const texts = files.sort().filter((file) => fs.statSync(path.join(folder, file)).isFile());
      if (texts.length > 0) return texts.map((file) => fs.readFileSync(path.join(folder, file), "utf8")).join("\n");
    }
    return null;
  };
}

if (process.argv[1] === import.meta.filename) {
  const { packages } = JSON.parse(fs.readFileSync(lockFile, "utf8")) as { packages: LockEntries };
  const components = componentsOf(packages);
  const strange = unread(components);
  for (const { name, version, license } of strange)
    console.error(
      `${name} ${version}: licence ${license} has not been reviewed; read it, and add it in scripts/licences.ts`,
    );
  if (strange.length > 0) process.exit(1);
  const root = path.dirname(lockFile);
  const file = process.argv[2] ?? "THIRD-PARTY-NOTICES.txt";
  fs.writeFileSync(file, noticesOf(components, textIn(Object.keys(packages).map((place) => path.join(root, place)))));
  console.log(`${file}: ${components.length} packages`);
}
