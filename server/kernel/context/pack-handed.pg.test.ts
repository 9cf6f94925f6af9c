// A context pack on its way to its receiver: two cards before the task, and only one of them reaches the model.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Card } from "@/server/contract/card";
import { ProfileBody } from "@/server/contract/profile";
import { openPackYard, type PackYard, packProject } from "@/server/testing/packing";
import { buildInput, redactor } from "@/server/testing/packs";
import { getCards } from "../cardbox/get-cards";
import { buildPack } from "../packs/build/build-pack";
import { renderer } from "../provenance/renderer";
import { assembleMessages } from "./assemble-messages";
import type { HandedPack } from "./pack-cards";

let yard: PackYard;
beforeAll(async () => {
  yard = await openPackYard();
});
afterAll(() => yard.kernel.close());

function handed(now: string, run: string): HandedPack {
  const input = buildInput({ now, run: { id: run }, estimator: "o200k" });
  const built = buildPack({ input, read: () => null, redact: redactor });
  if (!built.ok) throw new Error(built.message);
  return { pack: built.pack, sidecar: built.sidecar, sha256: built.sha256, ref: "artifact://context/pack-1.json" };
}
const first = handed("2026-01-13T10:00:00Z", "run-1");

const cardsOf = async (ids: string[]): Promise<Card[]> =>
  getCards(yard.kernel, { project_id: packProject, card_ids: ids });

test("the pack comes right before the task, after what is inherited, with its sidecar", async () => {
  const packed = await yard.pack({
    arguments: { instruction: "do work", input_box_ids: ["box_context"] },
    context_pack: first,
  });
  const cards = await cardsOf(packed.card_ids);
  expect(cards.map(({ type }) => type)).toEqual([
    "task.context",
    "meta.context_pack_sidecar",
    "context.pack",
    "task.instruction",
    "meta.parent_pointer",
  ]);
  const [, sidecar, pack] = cards;
  expect(pack).toMatchObject({
    role: "user",
    content: { kind: "json", data: first.pack },
    metadata: { sha256: first.sha256, context_pack: { pack_id: first.pack.packId, ref: first.ref } },
  });
  expect(sidecar).toMatchObject({ content: { kind: "json", data: first.sidecar }, token_count: 0 });
  expect(packed.receipt.lines.map(({ origin }) => origin)).toEqual([
    "box:box_context",
    "sys",
    "pack",
    "arg:instruction",
    "ptr",
  ]);
  const { messages } = assembleMessages({
    body: ProfileBody.parse({ name: "delegatee", llm_config: { provider: "anthropic", model: "claude-sonnet-4-5" } }),
    level: "standard",
    agent: { agent_id: "a" },
    memory: [],
    context: cards,
    output: [],
    renderer,
  });
  expect(messages.map(({ role }) => role)).toEqual(["user", "user", "user"]);
  expect(messages[1]?.text).toMatch(/^<context_pack code="P-[0-9A-F]{4}">\n<goal>\nRetry with backoff\.\n<\/goal>/);
  expect(JSON.stringify(messages)).not.toContain("rulesetVersion");
});

test("a dry run and the launch have one hash, although the pack is built twice", async () => {
  const later = handed("2026-02-01T00:00:00Z", "run-2");
  expect(later.sha256).not.toBe(first.sha256);
  const given = { arguments: { instruction: "do work" } };
  const [dry, launched, without] = [
    await yard.packAny({ ...given, context_pack: first, dry_run: true }),
    await yard.packAny({ ...given, context_pack: later }),
    await yard.packAny(given),
  ];
  expect(dry.receipt.hash).toBe(launched.receipt.hash);
  expect(without.receipt.hash).not.toBe(launched.receipt.hash);
});
