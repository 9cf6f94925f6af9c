import { expect, test } from "vitest";
import { faultOf } from "./fault";

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
