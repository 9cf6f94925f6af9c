import * as fc from "fast-check";
import { expect, test } from "vitest";
import { foldThinking, type Thinking, type ThinkingPiece } from "./thinking";

const piece = (more: Partial<ThinkingPiece> = {}): ThinkingPiece => ({
  agent_turn_id: "t",
  turn_epoch: 1,
  step_id: "s1",
  seq: 1,
  round: 0,
  part: "text",
  offset: 0,
  text: "",
  is_over: false,
  ...more,
});
const folded = (...pieces: Partial<ThinkingPiece>[]) =>
  pieces.reduce<Thinking | null | undefined>(
    (held, more, i) => foldThinking(held ?? undefined, piece({ seq: i, ...more })),
    undefined,
  );

test("pieces make up the text and what is thought on the way to it", () => {
  expect(
    folded(
      { part: "reasoning", text: "hm" },
      { text: "one " },
      { offset: 4, text: "two" },
      { part: "reasoning", offset: 2, text: "m", is_over: true },
    ),
  ).toMatchObject({ text: "one two", reasoning: "hmm", is_over: true, step_id: "s1" });
});

test("a piece that is known changes nothing; one behind a gap is not put in", () => {
  const held = folded({ text: "one two" });
  expect(held && foldThinking(held, piece({ seq: 5, offset: 2, text: "e t" }))).toBe(held);
  expect(held && foldThinking(held, piece({ seq: 5, offset: 9, text: "x" }))).toBeNull();
  expect(foldThinking(undefined, piece({ offset: 1, text: "x" }))).toBeNull();
});

test("another step, another round and another epoch begin anew; who lost the turn is not heard", () => {
  expect(folded({ text: "old", part: "reasoning" }, { step_id: "s2", text: "new" })).toMatchObject({
    text: "new",
    reasoning: "",
  });
  expect(folded({ text: "old" }, { round: 1, text: "" })).toMatchObject({ text: "", round: 1 });
  expect(folded({ text: "old", turn_epoch: 2 }, { turn_epoch: 1, seq: 9, text: "older" })).toMatchObject({
    text: "old",
  });
  expect(folded({ text: "ab", seq: 4 }, { text: "a", offset: 0, round: 0, seq: 3 })).toMatchObject({ text: "ab" });
});

test("whatever is lost and sent again, the text is right once the whole was sent", () => {
  void fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 9 }), { maxLength: 20 }),
      fc.infiniteStream(fc.boolean()),
      (texts, lost) => {
        const whole = texts.join("");
        let held: Thinking | undefined;
        let offset = 0;
        let seq = 0;
        for (const text of texts) {
          if (!lost.next().value) held = foldThinking(held, piece({ seq: seq++, offset, text })) ?? held;
          offset += text.length;
        }
        held = foldThinking(held, piece({ seq: seq++, text: whole })) ?? held;
        expect(held?.text).toBe(whole);
      },
    ),
  );
});
