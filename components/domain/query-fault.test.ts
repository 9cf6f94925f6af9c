import { expect, test } from "vitest";
import { faultOf, splitAt } from "./query-fault";

test("a refusal gives its column, and other errors none", () => {
  expect(faultOf('q: column 14: unknown field "autor"; did you mean "author"?')).toEqual({
    column: 14,
    message: 'unknown field "autor"; did you mean "author"?',
  });
  expect(faultOf("the database did not answer within 5 s")).toBeNull();
});

test("the query is split where it cannot be read, also past its end and after signs of two units", () => {
  expect(splitAt("type:a autor:b", { column: 8, message: "" })).toEqual({ before: "type:a ", from: "autor:b" });
  expect(splitAt("😀 (", { column: 3, message: "" })).toEqual({ before: "😀 ", from: "(" });
  expect(splitAt("(a", { column: 9, message: "" })).toEqual({ before: "(a", from: "" });
});
