// `npm run sbom -- [file]`: what runs in production as CycloneDX, made by npm from the lock file. Of all packages, and what is
// for development taken out here: with `--omit dev` npm leaves out whatever a development package needs too, a third of the
// product. A list that lacks a package or its digest is no list.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { componentsOf } from "./licences";
import { type LockEntries, lockFile } from "./lock";

export type Bom = {
  bomFormat: string;
  metadata: { component: { "bom-ref": string } };
  components: { "bom-ref": string; name: string; version: string; hashes?: unknown[] }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
};

const args = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--package-lock-only"];

/** Throws where a package that runs in production is not in it, or is there without a digest. */
export function productionOf(bom: Bom, entries: LockEntries): Bom {
  const wanted = new Set(componentsOf(entries).map(({ name, version }) => `${name}@${version}`));
  const components = bom.components.filter(({ name, version }) => wanted.has(`${name}@${version}`));
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const missing = [...wanted].filter((one) => !listed.has(one));
  const bare = components.filter((one) => (one.hashes ?? []).length === 0).map(({ name }) => name);
  if (missing.length > 0) throw new Error(`missing from the list, but used in production: ${missing.join(", ")}`);
  if (bare.length > 0) throw new Error(`listed without a digest: ${bare.join(", ")}`);
  const refs = new Set([...components.map((one) => one["bom-ref"]), bom.metadata.component["bom-ref"]]);
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map((one) => ({ ...one, dependsOn: one.dependsOn?.filter((ref) => refs.has(ref)) }));
  return { ...bom, components, dependencies };
}

if (process.argv[1] === import.meta.filename) {
  const cwd = path.dirname(lockFile);
  const text = execFileSync("npm", args, { cwd, stdio: ["ignore", "pipe", "inherit"], maxBuffer: 67_108_864 });
  const { packages } = JSON.parse(fs.readFileSync(lockFile, "utf8"));
  const bom = productionOf(JSON.parse(text.toString()), packages);
  const file = process.argv[2] ?? "sbom.cdx.json";
  fs.writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
  console.log(`${file}: ${bom.components.length} packages`);
}
