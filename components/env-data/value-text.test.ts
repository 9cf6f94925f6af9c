import { expect, test } from "vitest";
import { kindOf, readValue, retype, textOf } from "./value-text";

test.each([[false], [0], [""], [[]], [{ a: [1, null] }], ["two words"], ["[1]"]])(
  "%j survives being edited",
  (value) => {
    expect(readValue(kindOf(value), textOf(value))).toEqual({ ok: true, value });
  },
);

test("what is no value says what to do", () => {
  const errorOf = (text: string) => {
    const read = readValue("json", text);
    return read.ok ? "" : read.error;
  };
  expect(errorOf(" ")).toContain("choose Text");
  expect(errorOf("null")).toContain("delete the key");
  expect(errorOf("two words")).toContain("choose Text");
  expect(readValue("text", "")).toEqual({ ok: true, value: "" });
});

test("changing the way of writing keeps what was meant", () => {
  expect(retype('say "hi"', "json")).toBe('"say \\"hi\\""');
  expect(retype('"say \\"hi\\""', "text")).toBe('say "hi"');
  expect(retype("{half", "text")).toBe("{half");
});
