import { expect, test } from "vitest";
import { decodeAnswer } from "./decode-answer";

test.each([
  ["text/plain; charset=iso-8859-1", Buffer.from("Zürich", "latin1")],
  ['text/plain; format=flowed; Charset="utf-16le"', Buffer.from("Zürich", "utf16le")],
  ["text/plain", Buffer.from("Zürich")],
  ["", Buffer.from("\ufeffZürich")],
])("an answer of the type %s is read in its charset, without a BOM", (type, bytes) => {
  expect(decodeAnswer(type, bytes)).toEqual({ text: "Zürich" });
});

test.each(["'utf-8'", "utf8mb4", "binary", "x-klingon"])(
  "the charset %s, and bytes that are UTF-8, are read so",
  (charset) => {
    expect(decodeAnswer(`text/plain; charset=${charset}`, Buffer.from("Zürich"))).toEqual({ text: "Zürich" });
  },
);

test("a charset that is not known is named", () => {
  expect(decodeAnswer("application/json; charset=x-klingon", Buffer.from("ü", "latin1"))).toEqual({
    text: "",
    unread: "x-klingon",
  });
  expect(decodeAnswer("text/plain; charset=x-klingon", Buffer.from(""))).toEqual({ text: "" });
});
