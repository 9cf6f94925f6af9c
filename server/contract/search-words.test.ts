import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerptOf, hitRanges } from "./search-words";

const marked = (text: string, query: string) => hitRanges(text, query).map(({ from, to }) => text.slice(from, to));

describe("the words of a search", () => {
  it("are whole words in any case and any order", () => {
    expect(marked("Plums, a plum and PLUM.", "plum")).toEqual(["plum", "PLUM"]);
    expect(marked("zwei Wörter, drei", "drei wörter")).toEqual(["Wörter", "drei"]);
    expect(marked("שלום עולם", "עולם")).toEqual(["עולם"]);
  });

  it("know a phrase, leave out what is not wanted, and are no pattern", () => {
    expect(marked("flow, battery; battery", '"flow battery" -iron')).toEqual(["flow, battery"]);
    expect(marked("this or that", "this or -that")).toEqual(["this"]);
    expect(marked("a.b (c) a*b", "a*b (")).toEqual(["a.b", "a*b"]);
    expect(marked("anything", '- " ((')).toEqual([]);
  });

  it("give an excerpt around the first hit, cut at words, and say where it was cut", () => {
    const long = `${"before ".repeat(40)}the lighthouse ${"after ".repeat(80)}`;
    const excerpt = excerptOf(long, "lighthouse") ?? "";
    expect(excerpt).toMatch(/^…(?:before )+the lighthouse (?:after ?)+/u);
    expect(excerpt.endsWith("…")).toBe(true);
    expect(excerpt.indexOf("lighthouse")).toBeLessThan(40);
    expect(excerptOf("a lighthouse", "lighthouse")).toBe("a lighthouse");
    expect(excerptOf("nothing of it", "lighthouse")).toBeNull();
  });

  it("are found in every excerpt, whatever stands around them", () => {
    void fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (before, after) => {
        const excerpt = excerptOf(`${before} lighthouse ${after}`, "lighthouse") ?? "";
        expect(marked(excerpt, "lighthouse").length).toBeGreaterThan(0);
      }),
    );
  });
});
