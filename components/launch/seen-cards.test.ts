import { expect, test } from "vitest";
import { type Answer, firstLine, leftOut, seenConsist, seenRows, systemTokens } from "./seen-cards";

const card = (role: "user" | "assistant", token_count: number) => ({
  card_id: "c",
  type: "t",
  role,
  token_count,
  origin: "card",
  text: "x",
  is_new: false,
});
const answer: Answer = {
  ok: true,
  target: { profile_name: "P", profile_box_id: "b", worker_target: "w", needs_own_worker: false, is_new: true },
  queue_ahead: 0,
  worker_count: 1,
  card_total: 2,
  consist: "U5 A7",
  pack: {
    target_profile_box_id: "b",
    card_ids: [],
    receipt: {
      lines: [
        { verdict: "included", origin: "card", cards: 1, tokens: 5 },
        { verdict: "withheld", origin: "box:1", cards: 2, tokens: 9, reason: "thoughts stay" },
      ],
      included_cards: 1,
      included_tokens: 5,
      left_out_cards: 2,
      order: "inherited_first",
      hash: "h",
    },
    preview: [card("user", 5), card("assistant", 7)],
    rendered: {
      system: "You are",
      messages: [{ role: "user", text: "x", card_ids: ["c"], tokens: 12 }],
      tokens: 112,
      window_tokens: 1000,
      tools: [],
      tools_tokens: 0,
      unasked_servers: [],
    },
  },
};

test("the prompt weighs what the messages do not", () => {
  expect(systemTokens(answer.pack.rendered)).toBe(100);
  expect(seenConsist(answer)).toEqual([
    { role: "system", tokens: 100 },
    { role: "user", tokens: 5 },
    { role: "assistant", tokens: 7 },
  ]);
});

test("what does not travel is every line but the included", () => {
  expect(leftOut(answer).map((line) => line.reason)).toEqual(["thoughts stay"]);
});

test("the first line that says something", () => {
  expect(firstLine('{\n  "called_by": "x"\n}')).toBe('"called_by": "x"');
  expect(firstLine("\n\n## **Heading** here\nmore")).toBe("Heading** here");
  expect(firstLine("")).toBe("");
});

test("places count on over what is not listed", () => {
  expect(seenRows(answer)).toMatchObject([{ place: 1 }, { place: 2 }]);
  const cards = Array.from({ length: 1000 }, () => card("user", 1));
  const rows = seenRows({ ...answer, card_total: 4000, pack: { ...answer.pack, preview: cards } });
  expect(rows).toHaveLength(1001);
  expect(rows[499]).toMatchObject({ place: 500 });
  expect(rows[500]).toEqual({ skipped: 3000 });
  expect(rows[501]).toMatchObject({ place: 3501 });
  expect(rows[1000]).toMatchObject({ place: 4000 });
});
