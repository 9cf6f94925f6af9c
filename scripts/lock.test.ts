import fs from "node:fs";
import { expect, test } from "vitest";
import { isOfOurPlatforms, type LockEntries, lockFile, missingEntries, withoutIntegrity } from "./lock";

test("the lock file names the packages of every platform, or `npm ci` fails: repair it with `npm run lock`", () => {
  const { packages } = JSON.parse(fs.readFileSync(lockFile, "utf8"));
  expect(Object.keys(missingEntries(packages))).toEqual([]);
});

test("a missing package gets its platform from its name; one that is there, nested or above, gets nothing", () => {
  const optionalDependencies = {
    "@x/a-linux-x64-musl": "1.0.0",
    "@x/a-win32-arm64-msvc": "1.0.0",
    "@x/a-darwin-x64": "1.0.0",
  };
  const entries = {
    "": { optionalDependencies: { unseen: "1" } },
    "node_modules/a": { dev: true, license: "MIT", optionalDependencies },
    "node_modules/a/node_modules/@x/a-darwin-x64": {},
    "node_modules/b/node_modules/c": { optionalDependencies: { a: "1" } },
  };
  expect(missingEntries(entries)).toEqual({
    "node_modules/@x/a-linux-x64-musl": {
      version: "1.0.0",
      cpu: ["x64"],
      dev: true,
      libc: ["musl"],
      license: "MIT",
      optional: true,
      os: ["linux"],
    },
    "node_modules/@x/a-win32-arm64-msvc": {
      version: "1.0.0",
      cpu: ["arm64"],
      dev: true,
      license: "MIT",
      optional: true,
      os: ["win32"],
    },
  });
});

test("what is installed in production, in CI and in the image has an integrity, and no entry names a registry", () => {
  const text = fs.readFileSync(lockFile, "utf8");
  const { packages } = JSON.parse(text) as { packages: LockEntries };
  const bare = withoutIntegrity(packages).map((place) => [place, packages[place] ?? {}] as const);
  // Build tools of other platforms that the registry at hand did not have: `npm run lock` asks for them again.
  expect(bare.filter(([, entry]) => !entry.dev || !entry.optional || isOfOurPlatforms(entry))).toEqual([]);
  for (const { integrity = "sha512-" } of Object.values(packages)) expect(integrity).toMatch(/^sha512-/);
  expect(text).not.toContain('"resolved"');
});

test("the image's platforms are Linux with glibc", () => {
  expect([{}, { os: ["linux"], cpu: ["arm64"], libc: ["glibc"] }, { cpu: ["x64"] }].map(isOfOurPlatforms)).toEqual([
    true,
    true,
    true,
  ]);
  expect([{ os: ["darwin"] }, { libc: ["musl"] }, { cpu: ["riscv64"] }].map(isOfOurPlatforms)).toEqual([
    false,
    false,
    false,
  ]);
});
