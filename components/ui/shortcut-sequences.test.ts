// A sequence means one thing: "g l" led to the alarms and chose a fork, and which of them won hung on what was drawn last.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

test("no two shortcuts have the same sequence", () => {
  const components = path.join(import.meta.dirname, "..");
  const found = readdirSync(components, { recursive: true, encoding: "utf8" })
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name) && !name.startsWith("ui/"))
    .flatMap((name) =>
      [...readFileSync(path.join(components, name), "utf8").matchAll(/(?:\bkey\(|^\s*(?:.*keys: )?)"(g [a-z])"/gm)].map(
        ([, keys]) => `${keys}`,
      ),
    );
  expect(found.length).toBeGreaterThan(10);
  expect(found.filter((keys, i) => found.indexOf(keys) !== i)).toEqual([]);
});
