// What each entry of a load weighs.
import { expect, it } from "vitest";
import { loadWeights } from "./load-weights";

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
