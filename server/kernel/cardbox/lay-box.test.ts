// Any mixture of single cards and copied ranges gives the same box as the plain list it represents.
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatConsist, parseConsist } from "@/server/contract/consist";
import type { BoxItem } from "./box-chunks";
import { chunkItems, runsOf, tokensOf } from "./box-chunks";
import { layBox, type Piece, sliceConsist } from "./lay-box";

const item = (i: number): BoxItem => ({
  card_id: `c${i}`,
  role: i % 3 === 0 ? "user" : "assistant",
  token_count: (i % 7) + 1,
  type: "agent.thought",
  origin: `turn:${i % 4}`,
});
const items = (n: number, from = 0) => Array.from({ length: n }, (_, i) => item(from + i));

test("chunks hold 64, origins are runs, tokens add up", () => {
  const chunks = chunkItems(items(150).map((i) => ({ ...i, origin: "sys" })));
  expect(chunks.map((c) => [c.n, c.start, c.card_ids.length])).toEqual([
    [0, 0, 64],
    [1, 64, 64],
    [2, 128, 22],
  ]);
  expect(chunks[0]?.origins).toEqual([[64, "sys"]]);
  expect(chunks.reduce((n, c) => n + c.tokens, 0)).toBe(tokensOf(items(150)));
});

test("pieces of all kinds make one list without gaps", () => {
  const piece = fc.oneof(
    fc.nat({ max: 150 }).map((n) => ({ kind: "items" as const, n })),
    fc.record({ kind: fc.constant("copy" as const), chunks: fc.integer({ min: 1, max: 4 }) }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (given) => {
      let next = 0;
      const pieces = given.map((p): Piece => {
        const n = p.kind === "items" ? p.n : p.chunks * 64;
        const list = items(n, next);
        next += n;
        if (p.kind === "items") return { items: list };
        const copy = { box_id: "src", from_n: 2, to_n: 1 + p.chunks, start: 128, cards: n, tokens: tokensOf(list) };
        return { copy: { ...copy, runs: runsOf(list) } };
      });
      const layout = layBox(pieces);
      expect(layout.length).toBe(next);
      expect(layout.token_sum).toBe(tokensOf(items(next)));
      expect(parseConsist(layout.consist).reduce((n, r) => n + r.tokens, 0)).toBe(layout.token_sum);
      const stretches = [
        ...layout.chunks.map((c) => ({ n: c.n, start: c.start, cards: c.card_ids.length, chunks: 1 })),
        ...layout.copies.map((c) => ({
          n: c.from_n + c.n_shift,
          start: 128 + c.start_shift,
          cards: (c.to_n - c.from_n + 1) * 64,
          chunks: c.to_n - c.from_n + 1,
        })),
      ].toSorted((a, b) => a.n - b.n);
      let [n, start] = [0, 0];
      for (const s of stretches) {
        expect(s).toMatchObject({ n, start });
        n += s.chunks;
        start += s.cards;
      }
      expect(start).toBe(next);
    }),
  );
});

test("a slice of a consist has the weight of its range", () => {
  const consist = formatConsist([
    { role: "user", tokens: 10 },
    { role: "assistant", tokens: 20 },
    { role: "tool", tokens: 5 },
  ]);
  expect(sliceConsist(consist, 5, 31)).toEqual([
    { role: "user", tokens: 5 },
    { role: "assistant", tokens: 20 },
    { role: "tool", tokens: 1 },
  ]);
  expect(sliceConsist(consist, 0, 35)).toHaveLength(3);
  expect(sliceConsist("", 0, 9)).toEqual([]);
});
