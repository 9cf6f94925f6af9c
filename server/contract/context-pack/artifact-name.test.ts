// Names of artifacts: what could climb out of a folder is refused, and says why.
import { expect, test } from "vitest";
import { ArtifactName, parseArtifactName } from "./artifact-name";

test.each([
  ["artifact://logs/test-failures.txt", "logs", "test-failures.txt"],
  ["artifact://context/pack-11111111.json", "context", "pack-11111111.json"],
  ["artifact://a/b/c.d/e", "a", "b/c.d/e"],
  ["artifact://diffs/v1..v2.diff", "diffs", "v1..v2.diff"],
  ["artifact://a/...", "a", "..."],
])("%s", (text, area, name) => {
  expect(parseArtifactName(text)).toEqual({ area, name });
  expect(ArtifactName.safeParse(text).success).toBe(true);
});

test.each([
  ["artifact://logs/../x", '".." as a part'],
  ["artifact://logs/./x", '"." as a part'],
  ["artifact://logs/a/..", '".." as a part'],
  ["artifact://logs/a\\b", 'contains "\\"'],
  ["artifact://logs//x", "empty part"],
  ["artifact://logs/x/", "empty part"],
  ["artifact://logs/", "empty part"],
  ["artifact://logs", "no name"],
  ["artifact:///x", "no valid area"],
  ["artifact://../x", "no valid area"],
  ["artifact://logs/%2e%2e/x", "percent-encoded"],
  ["artifact://logs/%252e%252e%252fx", "percent-encoded"],
  ["artifact://logs/a b", "not allowed"],
  ["artifact://logs/a?b", "not allowed"],
  ["artifact://logs/a\u0000", "not allowed"],
  ["artifact://logs/ａ", "not allowed"],
  [`artifact://logs/${"a".repeat(129)}`, "more than 128 characters"],
  [`artifact://logs/${"a/".repeat(20)}b`, "more than 16 parts"],
  ["file://logs/x", "does not begin with artifact://"],
  ["ARTIFACT://logs/x", "does not begin with artifact://"],
  ["", "does not begin with artifact://"],
])("%s is refused", (text, fault) => {
  expect(parseArtifactName(text)).toEqual({ fault: expect.stringContaining(fault) });
  expect(ArtifactName.safeParse(text).success).toBe(false);
});

test("a name of a megabyte is refused at once", () => {
  for (const part of ["a", "/", "../", "%2e", "\\"]) {
    const text = `artifact://logs/${part.repeat(1_000_000 / part.length)}`;
    expect(parseArtifactName(text)).toHaveProperty("fault");
    expect(ArtifactName.safeParse(text).success).toBe(false);
  }
});
