// One word, one meaning: what the legend says is what the glossary says.
import fs from "node:fs";
import { expect, test } from "vitest";
import { legendWords } from "./legend-words";

const glossary = fs.readFileSync(new URL("../../../docs/glossary.md", import.meta.url), "utf8");

test.each(Object.entries(legendWords))("%s means in the legend what it means in the glossary", (word, meaning) => {
  const row = glossary.split("\n").find((line) => line.startsWith(`| **${word}**`));
  expect(row?.split("|")[2]?.trim().replaceAll("**", "")).toBe(meaning);
});
