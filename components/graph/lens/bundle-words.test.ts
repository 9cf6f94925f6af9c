// What a bundle of hand-overs comes to, in words: the same beginning, none, no card that went to two, and more tracks than were looked at.
import { expect, test } from "vitest";
import { bundleWords } from "./bundle-words";

const five = {
  ...{ batch_id: "b", tracks: 5, tracks_total: 5, cards: 45, tokens: 37_200 },
  ...{ same_first: { cards: 7, tokens: 7_033 }, first_copies: 7_033, repeats: 28_132, unique: 2_035 },
};

test.each([
  [{}, "All 5 begin with the same 7,033 tokens. The fork moved 37.2k tokens, of which 28.1k are repeats."],
  [
    { same_first: { cards: 0, tokens: 0 } },
    "All 5 begin differently. The fork moved 37.2k tokens, of which 28.1k are repeats.",
  ],
  [{ repeats: 0 }, "All 5 were given different cards, 37.2k tokens in all. None of them went to two."],
  [
    { tracks_total: 300 },
    "The first 5 begin with the same 7,033 tokens. They were given 37.2k tokens, of which 28.1k are repeats.",
  ],
])("%o", (more, words) => expect(bundleWords({ ...five, ...more })).toBe(words));
