import { expect, test } from "vitest";
import { parseTrace, selectedRange, traceOf } from "./selected-range";

test("a selection is found in the text, whatever blanks the page made of its line breaks", () => {
  const text = "Costs:\n\n- lithium  148 EUR\n- iron 71 EUR (2030)";
  const range = selectedRange(text, "lithium 148 EUR");
  expect(range && text.slice(range.start, range.end)).toBe("lithium  148 EUR");
  expect(selectedRange(text, "(2030)")).toEqual({ start: text.length - 6, end: text.length });
  expect(selectedRange(text, "zinc")).toBeNull();
  expect(selectedRange(text, "  ")).toBeNull();
});

test("what the address asks for is read back, for its own card alone", () => {
  const range = { start: 12, end: 80 };
  expect(parseTrace(traceOf("card_1", range), "card_1")).toEqual({ range });
  expect(parseTrace(traceOf("card_1", null), "card_1")).toEqual({ range: null });
  expect(parseTrace(traceOf("card_1", range), "card_2")).toBeNull();
  expect(parseTrace(null, "card_1")).toBeNull();
  for (const text of ["80-12", "5-5", "a-b", "-1-4", "1-99999999999"])
    expect(parseTrace(`card_1:${text}`, "card_1")).toBeNull();
});
