import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeScratch } from "@/server/testing/scratch";
import { componentsOf } from "./licences";
import { lockFile } from "./lock";
import { type Bom, productionOf } from "./sbom";

const { packages } = JSON.parse(fs.readFileSync(lockFile, "utf8"));
let dir: string;
beforeAll(() => {
  dir = makeScratch();
});
afterAll(() => fs.rmSync(dir, { recursive: true }));

test("the list that npm makes has every package that runs in production, with its digest, and none for development", () => {
  const file = path.join(dir, "sbom.json");
  const cwd = path.dirname(lockFile);
  execFileSync(process.execPath, ["--import", "tsx", "scripts/sbom.ts", file], { cwd, stdio: "pipe" });
  const bom = JSON.parse(fs.readFileSync(file, "utf8")) as Bom;
  expect(bom.bomFormat).toBe("CycloneDX");
  const names = bom.components.map(({ name, version }) => `${name}@${version}`).sort();
  expect(names).toEqual(
    componentsOf(packages)
      .map(({ name, version }) => `${name}@${version}`)
      .sort(),
  );
  expect(names.some((name) => name.startsWith("vitest@"))).toBe(false);
}, 30_000);

test("one that lacks a package, or a digest, is refused", () => {
  const entries = { "": {}, "node_modules/a": { version: "1.0.0", license: "MIT" } };
  const own = { bomFormat: "CycloneDX", metadata: { component: { "bom-ref": "x" } }, dependencies: [] };
  expect(() => productionOf({ ...own, components: [] }, entries)).toThrow(
    "missing from the list, but used in production: a@1.0.0",
  );
  const bare = { "bom-ref": "a", name: "a", version: "1.0.0" };
  expect(() => productionOf({ ...own, components: [bare] }, entries)).toThrow("listed without a digest: a");
});
