import { expect, test } from "vitest";
import { faultOf, lineRange } from "./fault";

const refusal = (detail: unknown) => ({ message: "no", data: { error_code: "bad_request", detail } });

test("a refusal carries its line, and a remedy for the key it names", () => {
  expect(faultOf(refusal({ line: 4, column: 2 }))).toEqual({ message: "no", line: 4, remedy: null });
  expect(faultOf(refusal({ path: "max_steps", line: 3 })).remedy).toMatch(/1 to 1000/);
});

test("a key deep inside gets the remedy of the nearest known one above it", () => {
  expect(faultOf(refusal({ path: "tags.2" })).remedy).toMatch(/tags: \[/);
  expect(faultOf(refusal({ path: "llm_config.script.0.wait_ms" })).remedy).toMatch(/steps/);
  expect(faultOf(refusal({ path: "profile" })).remedy).toBeNull();
});

test("an error that never came from the server has neither", () => {
  expect(faultOf({ message: "fetch failed" })).toEqual({ message: "fetch failed", line: null, remedy: null });
});

test("the range of a line, and of one past the end", () => {
  const text = "ab\ncde\n";
  expect(lineRange(text, 1)).toEqual({ start: 0, end: 2 });
  expect(lineRange(text, 2)).toEqual({ start: 3, end: 6 });
  expect(lineRange(text, 9)).toEqual({ start: 7, end: 7 });
});
