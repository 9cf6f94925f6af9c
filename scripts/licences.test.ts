import fs from "node:fs";
import { expect, test } from "vitest";
import { componentsOf, noticesOf, unread } from "./licences";
import { lockFile } from "./lock";

const { packages } = JSON.parse(fs.readFileSync(lockFile, "utf8"));

test("every package that runs in production is under a licence that was read", () => {
  const components = componentsOf(packages);
  expect(components.length).toBeGreaterThan(100);
  expect(unread(components)).toEqual([]);
});

test("a licence that is not known is named; of a choice one is enough, of a sum all are needed", () => {
  const of = (license: string) => ({ name: license, version: "1.0.0", license });
  const strange = ["none", "AGPL-3.0-only", "MIT AND SSPL-1.0", "(SSPL-1.0 OR BUSL-1.1)"].map(of);
  expect(unread([...strange, of("(AFL-2.1 OR BSD-3-Clause)"), of("MIT and ISC"), of("MIT")])).toEqual(strange);
});

test("components are what is not for development, each version once, with the text of its licence", () => {
  const entries = {
    "": {},
    "node_modules/b": { version: "2.0.0", license: "MIT" },
    "node_modules/a/node_modules/b": { version: "1.0.0", license: "ISC" },
    "node_modules/c/node_modules/b": { version: "1.0.0", license: "ISC" },
    "node_modules/tool": { version: "1.0.0", license: "MIT", dev: true },
  };
  const components = componentsOf(entries);
  expect(components.map((one) => `${one.name} ${one.version}`)).toEqual(["b 2.0.0", "b 1.0.0"]);
  const text = noticesOf(components, (_name, version) => (version === "2.0.0" ? "do as you like" : null));
  expect(text).toContain("b 2.0.0 (MIT)\n\ndo as you like");
  expect(text).toContain("Licensed under ISC.");
});
