import { expect, test } from "vitest";
import { readSubmission } from "./submission";

const fieldsOf = (args: unknown, required: string[]) => {
  const read = readSubmission(args, required);
  if (!read.ok) throw new Error(read.error);
  return read.content.kind === "json" ? (read.content.data as { fields: unknown }).fields : read.content;
};
const errorOf = (args: unknown, required: string[]) => {
  const read = readSubmission(args, required);
  return read.ok ? null : read.error;
};

// Case 167.
test("missing required fields are listed", () => {
  const args = {
    fields: [
      { name: "b", value: 1 },
      { name: "x", value: null },
    ],
  };
  expect(errorOf(args, ["a", "b"])).toContain("missing ['a']");
});

test("required order first, then extras; values that are not text become JSON", () => {
  expect(fieldsOf({ z: "q", b: { k: 1 }, a: "1" }, ["a", "b"])).toEqual([
    { name: "a", value: "1" },
    { name: "b", value: '{"k":1}' },
    { name: "z", value: "q" },
  ]);
});

test("duplicate names are listed, also after trimming", () => {
  const args = [
    { name: "a", value: 1 },
    { name: " a ", value: 2 },
    { name: "b", value: 3 },
  ];
  expect(errorOf(args, ["a", "b"])).toContain("duplicate ['a']");
});

test("the three shapes and the wrapper read alike", () => {
  const want = [{ name: "summary", value: "" }];
  for (const shape of [
    { fields: [{ name: "summary", value: null }] },
    { summary: null },
    [{ name: "summary" }],
    { result: { fields: [{ name: "summary", value: "" }] } },
    { result: { summary: "" } },
  ])
    expect(fieldsOf(shape, ["summary"])).toEqual(want);
});

test("names of object parts are names like others", () => {
  expect(errorOf({ result: {} }, ["constructor"])).toContain("missing ['constructor']");
  expect(fieldsOf(JSON.parse('{"__proto__": "x"}'), ["__proto__"])).toEqual([{ name: "__proto__", value: "x" }]);
});

test("without required fields anything but an empty result is accepted", () => {
  expect(readSubmission({ result: "done" }, [])).toEqual({ ok: true, content: { kind: "text", text: "done" } });
  expect(readSubmission({ result: 42 }, [])).toEqual({ ok: true, content: { kind: "json", data: 42 } });
  expect(readSubmission({ result: [1, 2] }, [])).toEqual({ ok: true, content: { kind: "json", data: [1, 2] } });
  expect(errorOf(undefined, [])).toContain("fields");
});

test("text where fields are required is refused with the shape to send", () => {
  expect(errorOf({ result: "done" }, ["a"])).toContain('{"result": {"fields"');
});
