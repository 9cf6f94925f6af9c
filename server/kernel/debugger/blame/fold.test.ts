import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldText, unfoldRange } from "./fold";

const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        "a",
        "B",
        " ",
        "\n",
        "\u00a0",
        "ß",
        "Σ",
        "ς",
        "é",
        "e\u0301",
        "ﬁ",
        "①",
        "ガ",
        "ﾞ",
        "ｶ",
        "한",
        "ᄒ",
        "ᅡ",
        "ᆫ",
        "𝕏",
        "İ",
        "\\",
        '"',
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join("")),
);

describe("folding", () => {
  test("width, case, whitespace and ligatures do not matter", () => {
    expect(foldText("Straße\u00a0 ﬁn\r\n\tＡＢＣ")).toBe("strasse fin abc");
    expect(foldText("ΟΔΟΣ")).toBe(foldText("οδος"));
    expect(foldText("e\u0301")).toBe(foldText("É"));
    expect(foldText("ｶﾞ")).toBe("ガ");
  });
  test("in JSON an escape is the sign that it stands for", () => {
    const json = JSON.stringify({ said: 'one\n"two" C:\\temp' });
    expect(foldText(json, { isJson: true })).toContain('one "two" c:\\temp');
    expect(foldText("a\\nb")).toBe("a\\nb");
    const at = foldText(json, { isJson: true }).indexOf('"two"');
    const { start, end } = unfoldRange(json, { start: at, end: at + 5 }, { isJson: true });
    expect(json.slice(start, end)).toBe('\\"two\\"');
  });
  test("folding twice changes nothing", () => {
    fc.assert(fc.property(texts, (text) => foldText(foldText(text)) === foldText(text)));
  });
  test("case, composition and blanks do not matter, whatever the text", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(foldText(text.normalize("NFD"))).toBe(foldText(text));
        expect(foldText(text.replace(/ /g, "\n "))).toBe(foldText(text));
      }),
    );
  });
  test("the way back: the range of any folded stretch folds to a text that contains it, and lies within the original", () => {
    fc.assert(
      fc.property(texts, fc.nat(60), fc.nat(60), fc.boolean(), (text, a, b, isJson) => {
        const folded = foldText(text, { isJson });
        const start = Math.min(a, b, folded.length);
        const end = Math.min(Math.max(a, b), folded.length);
        if (start === end) return;
        const range = unfoldRange(text, { start, end }, { isJson });
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeLessThanOrEqual(text.length);
        expect(foldText(text.slice(range.start, range.end), { isJson })).toContain(folded.slice(start, end));
      }),
    );
  });
  test("the whole comes back whole", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const folded = foldText(text);
        if (folded === "") return;
        const { start, end } = unfoldRange(text, { start: 0, end: folded.length });
        expect(foldText(text.slice(start, end))).toBe(folded);
      }),
    );
  });
  test("plain words come back by the letter", () => {
    const text = "Alpha   beta\ngamma";
    const at = foldText(text).indexOf("eta gam");
    const { start, end } = unfoldRange(text, { start: at, end: at + 7 });
    expect(text.slice(start, end)).toBe("eta\ngam");
  });
});
