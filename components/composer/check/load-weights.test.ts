// What each entry of a load weighs.
import { expect, it } from "vitest";
import { instructionTokens, loadWeights } from "./load-weights";

it("finds the cards of each entry behind what its agent remembers, and leaves out what does not exist yet", () => {
  const weights = loadWeights({
    consist: "S100 U20 T30 A10",
    loads: {
      begins: 100,
      entries: [
        { owner: "all", index: 0, tokens: 50 },
        { owner: "all.one", index: 0, tokens: 0 },
        { owner: "all.one", index: 1, tokens: 10 },
      ],
    },
  });
  expect([...weights]).toEqual([
    ["all 0", { tokens: 50, role: "tool" }],
    ["all.one 1", { tokens: 10, role: "assistant" }],
  ]);
  expect(loadWeights(undefined).size).toBe(0);
});

it("finds the instruction in front of the pointer, and claims nothing where cards are told together", () => {
  const loads = { begins: 0, entries: [] };
  expect(instructionTokens({ consist: "U901 T1521 U24 S8", loads })).toBe(24);
  expect(instructionTokens({ consist: "T1521 S8", loads })).toBeNull();
  expect(instructionTokens({ consist: Array.from({ length: 48 }, () => "U1").join(" "), loads })).toBeNull();
  expect(instructionTokens({ loads: undefined })).toBeNull();
  expect(instructionTokens(undefined)).toBeNull();
});
