import { expect, test } from "vitest";
import { faultInHeaders, fillReferences, nowhere, refusalOf, strikeOut, strikeOutJson } from "./outbound";

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

test("JSON stays JSON without its secrets, also where one is a number", () => {
  const said = { n: 4_815_162_342, deep: [{ of: -4_815_162_342 }], text: 'no 4815162342, "quoted" 7', small: 4_815 };
  expect(JSON.parse(strikeOutJson(JSON.stringify(said), ["4815162342", '"quoted" 7']))).toEqual({
    n: "[secret]",
    deep: [{ of: "[secret]" }],
    text: "no [secret], [secret]",
    small: 4_815,
  });
  expect(strikeOutJson("no JSON: 4815162342", ["4815162342"])).toBe("no JSON: [secret]");
});

test("without a configuration nothing may be called", () => {
  expect(refusalOf(nowhere, new URL("http://127.0.0.1:1/"))).toContain("SWITCHYARD_TOOL_ORIGINS");
});
