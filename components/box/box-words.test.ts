import { expect, test } from "vitest";
import type { BoxSheet } from "@/server/contract/line";
import { boxTitle } from "./box-words";

type Turn = BoxSheet["turns"][number];
const turn = (agent_turn_id: string, more: Partial<Turn> = {}): Turn => ({
  agent_turn_id,
  root_turn_id: "r",
  headcode: agent_turn_id.toUpperCase(),
  agent_id: "a",
  profile_name: "P",
  is_human: false,
  status: "success",
  title: "",
  created_at: "2026-01-01T00:00:00.000Z",
  use: "context",
  window_tokens: 1000,
  ...more,
});
const box = (kind: BoxSheet["kind"], turns: Turn[], more: Partial<BoxSheet> = {}) => ({
  kind,
  box_id: "019a0000000000004e7a",
  turns,
  ...more,
});

test.each([
  [box("context", [turn("2s04")]), "What 2S04 was given"],
  [box("context", [turn("0h01", { is_human: true })]), "What the person provided"],
  [box("output", [turn("2s04")]), "What 2S04 wrote"],
  [box("output", [turn("2s04", { status: "running" })]), "What 2S04 is writing"],
  [box("output", [turn("2s07"), turn("2s04")]), "What 2S07 and 1 before it wrote"],
  [box("request", [turn("2s04")]), "What 2S04's model was sent"],
  [box("profile", [], { profile_name: "Writer" }), "Profile Writer"],
  [box("plain", []), "Box 4E7A"],
  [
    box("import", [turn("1o01")], { run: { root_turn_id: "r", number: 12, title: "", source: "import" } }),
    "The log of run 12",
  ],
  [box("output", [turn("b"), turn("a")], { owner_turn_id: "a" }), "What A and 1 before it wrote"],
])("%#", (given, title) => {
  expect(boxTitle(given)).toBe(title);
});
