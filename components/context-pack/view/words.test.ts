import { expect, test } from "vitest";
import { changeCounts, changedSections } from "./changes";
import { sourceWords } from "./source-words";
import { verdictWords, warningWords } from "./words";

test("a verification that failed names the place or the digests, and the remedy", () => {
  expect(verdictWords({ verdict: "same" })).toEqual({
    title: "Rebuilt, same bytes",
    cause: "Its stored input gives these bytes again.",
  });
  expect(verdictWords({ verdict: "digest_mismatch", pointer: "/docRefs/0" }).cause).toBe(
    "First difference: /docRefs/0.",
  );
  expect(verdictWords({ verdict: "digest_mismatch", pointer: "" }).cause).toMatch(/the pack as a whole/);
  const missing = ["a", "b", "c", "d"].map((digit) => digit.repeat(64));
  expect(verdictWords({ verdict: "source_missing", missing }).cause).toBe(
    "Not stored: aaaaaaaaaaaa, bbbbbbbbbbbb, cccccccccccc and 1 more.",
  );
});

test("a source leads to where it is", () => {
  expect(sourceWords("a b", { pointer: "", kind: "doc", ref: "card://card_0123456789" })).toEqual({
    kind: "card",
    text: "…23456789",
    href: "/p/a%20b/cards/card_0123456789",
  });
  expect(sourceWords("p", { pointer: "", kind: "doc", ref: "notes/plan.txt" })).toEqual({
    kind: "doc",
    text: "notes/plan.txt",
  });
});

test("a warning is split into what and of what", () => {
  expect(warningWords("missing_doc:/notes/plan.txt")).toEqual({ what: "Missing doc", of: "/notes/plan.txt" });
  expect(warningWords("no_definition_of_done")).toEqual({ what: "No definition of done", of: "" });
});

test("changes stand in their section, an excerpt with lines of its own", () => {
  const changes = [
    { kind: "changed", pointer: "/packId", key: "packId", before: "a", after: "b" },
    { kind: "added", pointer: "/docRefs/0", key: "x", after: { path: "x", excerpt: "one\ntwo" } },
  ] as const;
  const sections = changedSections(changes);
  expect(sections.map(({ key }) => key)).toEqual(["documents", "frame"]);
  expect(sections[0]?.rows[0]).toMatchObject({ was: "", now: "path: x\nexcerpt:\none\ntwo" });
  expect(changeCounts(changes)).toBe("1 added, 1 changed");
});
