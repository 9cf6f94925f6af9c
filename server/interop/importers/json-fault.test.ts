import fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonFault } from "./json-fault.mjs";

const place = (text: string) => {
  const { line, column } = findJsonFault(text);
  return `${line}:${column}`;
};

test.each([
  ["", "1:1", "the end of the file"],
  ["{", "1:2", "the end of the file"],
  ['{"a":1,\n "b" 2}', "2:6", '"2" where ":"'],
  ['{"a":[1,2\n', "2:1", 'where "," or "]"'],
  ['{"a":[1,]}', "1:9", '"]" where a value'],
  ["[1] x", "1:5", "after the end"],
  ['["a\nb"]', "1:4", "control character"],
  ['["\\x"]', "1:3", "backslash"],
  ['["open', "1:7", "inside a string"],
  ["{'a':1}", "1:2", "key in double quotes"],
  ["[undefined]", "1:2", '"u" where a value'],
  ["[01]", "1:3", '"1" where ","'],
])("%j fails at %s", (text, where, reason) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(place(text)).toBe(where);
  expect(findJsonFault(text).reason).toContain(reason);
});

test("nesting deeper than the call stack is scanned", () => {
  expect(place(`${"[".repeat(200_000)}`)).toBe("1:200001");
});

test("agrees with JSON.parse on any text cut or changed at one place", () => {
  const json = fc.json({ maxDepth: 4 });
  fc.assert(
    fc.property(json, fc.nat(), fc.constantFrom("", "}", '"', ",", "\\", "7"), (text, n, insert) => {
      const at = n % (text.length + 1);
      const broken = text.slice(0, at) + insert + (insert === "" ? "" : text.slice(at + 1));
      let isJson = true;
      try {
        JSON.parse(broken);
      } catch {
        isJson = false;
      }
      const fault = findJsonFault(broken);
      expect(fault.reason === "this cannot be read as JSON").toBe(isJson);
    }),
    { numRuns: 500 },
  );
});
