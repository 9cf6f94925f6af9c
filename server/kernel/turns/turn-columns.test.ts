// A new column of a turn is written down in as few places as may be: each list that is forgotten shows old wagons for ever.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { TURN_COLUMNS } from "./turn-row";

const root = path.resolve(import.meta.dirname, "../../..");

/** Who names most of them, and so has to name all: the rest reads a few by name. */
const LISTS = [
  "server/contract/answers/turns.ts",
  "server/contract/bundle/lines.ts",
  "server/contract/frame.ts",
  "server/kernel/bundle/columns.ts",
  // The compiler names what is missing there.
  "server/kernel/turns/running-turn-row.ts",
  "server/kernel/turns/turn-frame-sql.ts",
  "server/kernel/turns/turn-row.ts",
];

test("a turn's columns are listed in seven files", () => {
  const files = ["server", "app", "components", "scripts"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name}`)
      .filter((name) => /\.(tsx?|mjs)$/.test(name) && !/\.test\.tsx?$|^server\/testing\//.test(name)),
  );
  const lists = files.filter((file) => {
    const words = new Set(readFileSync(path.join(root, file), "utf8").match(/\w+/g));
    return TURN_COLUMNS.filter((column) => words.has(column)).length > (TURN_COLUMNS.length * 2) / 3;
  });
  expect(lists.sort()).toEqual(LISTS);
});
