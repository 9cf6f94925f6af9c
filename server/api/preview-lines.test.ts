import { expect, test } from "vitest";
import type { LaunchPreview } from "@/server/contract/delegation";
import { previewLines } from "./preview-lines";

const card = (index: number, text = "x".repeat(1000), is_new = false) => ({
  card_id: `c${index}`,
  type: "t",
  role: "user" as const,
  token_count: 2,
  origin: "card",
  text,
  is_new,
});
const preview = (count: number): LaunchPreview => ({
  ok: true,
  target: { profile_name: "P", profile_box_id: "b", worker_target: "w", needs_own_worker: false, is_new: true },
  queue_ahead: 0,
  worker_count: 1,
  pack: {
    target_profile_box_id: "b",
    card_ids: Array.from({ length: count }, (_, i) => `c${i}`),
    receipt: {
      lines: [],
      included_cards: count,
      included_tokens: 2 * count,
      left_out_cards: 0,
      order: "inherited_first",
      hash: "h",
    },
    preview: Array.from({ length: count }, (_, i) => card(i)),
    rendered: {
      system: "You are",
      messages: Array.from({ length: count }, (_, i) => ({
        role: "user",
        text: "x".repeat(1000),
        card_ids: [`c${i}`],
        tokens: 3,
      })),
      tokens: 3 * count + 10,
      window_tokens: 1000,
      tools: [],
      tools_tokens: 0,
      unasked_servers: [],
    },
  },
});

test("a long box keeps both ends, its number, its weight and its drawing", () => {
  const lines = previewLines(preview(10_000));
  if (!lines.ok) throw new Error("refused");
  expect(lines.pack.preview).toHaveLength(1000);
  expect(lines.pack.preview?.[499]?.card_id).toBe("c499");
  expect(lines.pack.preview?.[500]?.card_id).toBe("c9500");
  expect(lines.card_total).toBe(10_000);
  expect(lines.consist.split(" ").reduce((sum, run) => sum + Number(run.slice(1)), 0)).toBe(20_000);
  expect(lines.pack.rendered?.messages).toEqual([{ role: "user", text: "", card_ids: [], tokens: 30_000 }]);
  expect(JSON.stringify(lines).length).toBeLessThan(700_000);
});

test("new cards keep their text, stored ones its beginning; a refusal passes as it is", () => {
  const given = preview(1);
  if (given.ok) given.pack.preview = [card(0), card(1, "y".repeat(5000), true)];
  const lines = previewLines(given);
  if (!lines.ok) throw new Error("refused");
  expect(lines.pack.preview?.map(({ text }) => text.length)).toEqual([401, 5000]);
  const refusal: LaunchPreview = { ok: false, error_code: "not_found", error: "no" };
  expect(previewLines(refusal)).toEqual(refusal);
});
