import { expect, test } from "vitest";
import { lookedAt, lookedAtForWords } from "./looked-at";

test("an answer that looked at all says nothing; of the others each kind says how far it was looked at", () => {
  const whole = { kind: "box" as const, items: [], is_partial: false, looked_at: 12 };
  expect(lookedAt([])).toEqual([]);
  expect(lookedAt([whole])).toEqual([]);
  expect(
    lookedAt([
      { kind: "card", items: [], is_partial: true, looked_at: 10_000 },
      whole,
      { kind: "turn", items: [], is_partial: true, looked_at: 1_000 },
    ]),
  ).toEqual(["10,000 cards", "1,000 turns"]);
});

test("words alone say it of the kinds that hold more than was looked at", () => {
  expect(lookedAtForWords({ partial: [], looked_at: 10_000 })).toEqual([]);
  expect(lookedAtForWords({ partial: ["box"], looked_at: 10_000 })).toEqual(["10,000 boxes"]);
});
