import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { numberOf, numbersIn } from "./numbers";

describe("numbers", () => {
  test.each([
    ["1,234.50", "1234.5"],
    ["1234.5", "1234.5"],
    ["1 234.5", "1234.5"],
    ["1.234,50", "1234.5"],
    ["$1,234.50", "1234.5"],
    ["€ 1,234.50", "1234.5"],
    ["12.50%", "12.5"],
    ["-1_000", "-1000"],
    ["\u22121000", "-1000"],
    ["1.2345e3", "1234.5"],
    ["007", "7"],
    ["0.0", "0"],
    ["9007199254740993", "9007199254740993"],
  ])("%s is %s", (text, number) => expect(numberOf(text)).toBe(number));
  test.each(["", "1,23", "1.2.3", "12 apples", "a1", "1,2345"])("%s is no number", (text) =>
    expect(numberOf(text)).toBeUndefined(),
  );
  test("in a text: what is a word, a version or a date is none; three beside each other may be one", () => {
    const found = (text: string) => [...numbersIn(text)].map(({ number }) => number);
    expect(found("it cost 1,234.50 euros, not 2000.")).toEqual(["1234.5", "2000"]);
    expect(found("version 3.11.2 of a1b2 on 2024-05-17")).not.toContain("11.2");
    expect(found("seats 10 200 300")).toEqual(["10200300", "10", "200", "300"]);
    expect(found("-450 and 10-450")).toEqual(["-450", "10", "450"]);
    expect(found('{"total":1234.5}')).toEqual(["1234.5"]);
  });
  test("however it is written, it is the same number", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), fc.integer({ min: 0, max: 99 }), (whole, cents) => {
        const plain = `${whole}.${String(cents).padStart(2, "0")}`;
        const grouped = `${whole.toLocaleString("en-US")}.${String(cents).padStart(2, "0")}`;
        expect(numberOf(grouped)).toBe(numberOf(plain));
        expect(numberOf(String(Number(plain)))).toBe(numberOf(plain));
        expect([...numbersIn(`the sum is ${grouped} today`)].map(({ number }) => number)).toContain(numberOf(plain));
      }),
    );
  });
});
