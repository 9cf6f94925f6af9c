import { expect, test } from "vitest";
import { faultInHeaders, fillReferences, nowhere, refusalOf, strikeOut } from "./outbound";

test.each([
  ["an odd name", { "x y": "1" }],
  ["what Switchyard sets itself", { "Idempotency-Key": "1" }],
  ["what would be another request", { "x-a": "1\r\nx-b: 2" }],
  ["a value that is no text", { "x-a": 1 }],
  ["a key in plain text", { Authorization: "Bearer sk-123" }],
  ["a key under another name", { "X-Api-Key": "123" }],
  ["a list", ["x"]],
])("%s is no header of a tool", (_what, headers) => {
  expect(faultInHeaders(headers)).toEqual(expect.any(String));
});

test("plain words, and secrets by reference, are", () => {
  expect(faultInHeaders(undefined)).toBeNull();
  expect(faultInHeaders({ "x-team": "yard", authorization: "Bearer $" + "{env:A_KEY}" })).toBeNull();
});

test("a reference is filled in once: what a value says is not looked up again", () => {
  const reference = (name: string) => `$\{env:${name}}`;
  const values: Record<string, string> = { A: reference("B"), B: "b" };
  expect(fillReferences(`${reference("A")} ${reference("C")}`, (name) => values[name])).toEqual({
    text: `${reference("B")} `,
    values: [reference("B")],
    missing: ["C"],
  });
});

test("secrets are struck out wherever they stand; words too short to be one are left", () => {
  expect(strikeOut("s3cr3t-key and s3cr3t-key, on", ["s3cr3t-key", "on"])).toBe("[secret] and [secret], on");
});

test("without a configuration nothing may be called", () => {
  expect(refusalOf(nowhere, new URL("http://127.0.0.1:1/"))).toContain("SWITCHYARD_TOOL_ORIGINS");
});
