// Cards without secrets. A card never changes, so what is left of one with a secret is another card: with a new id, which is the same
// whenever the run is exported, and the id of the one that it stands for. Its place in its turn stays.
import { createHash } from "node:crypto";
import type { CardLine } from "@/server/contract/bundle/store-lines";
import { canonicalJson } from "@/server/contract/canonical-json";
import type { Card } from "@/server/contract/card";
import { contentHash } from "@/server/kernel/cardbox/draft-card";
import { redactValue } from "@/server/kernel/redaction/redact";
import { RULESET } from "@/server/kernel/redaction/ruleset";
import type { Folder } from "./folder";
import { type Renames, renamed } from "./renames";

type Given = { raw: Folder; folder: Folder; cards: Folder; renames: Renames };

export async function redactCards({ raw, folder, cards, renames }: Given): Promise<void> {
  const files: Renames = new Map(renames);
  const places: { card_id: string; at: number; length: number }[] = [];
  await cards.add("cards", new Uint8Array());
  for await (const text of raw.lines("cards.jsonl")) {
    const line = redactCard(JSON.parse(text) as CardLine, files);
    if (line.redacted_from !== null) renames.set(line.redacted_from, line.card.card_id);
    const bytes = Buffer.from(`${canonicalJson(line.card)}\n`);
    places.push({ card_id: line.card.card_id, at: await cards.add("cards", bytes), length: bytes.byteLength });
  }
  // By their new ids; and now that all are known, wherever one names another.
  for (const place of places.sort((a, b) => (a.card_id < b.card_id ? -1 : 1))) {
    const card = JSON.parse(Buffer.from(await cards.lineAt("cards", place)).toString()) as CardLine;
    const { redacted_from, ...metadata } = card.metadata;
    const all = renamed(metadata, renames) as CardLine["metadata"];
    await folder.addLine("cards.jsonl", {
      ...card,
      metadata: redacted_from === undefined ? all : { ...all, redacted_from },
    });
  }
}

type Redacted = { card: CardLine; redacted_from: string | null };

function redactCard(card: CardLine, files: Renames): Redacted {
  const { content, tool_calls, tool_call_id, metadata } = card;
  const { value, findings } = redactValue({ content, tool_calls, tool_call_id, metadata });
  const held = renamed(value.content, files) as CardLine["content"];
  if (findings.length === 0 && canonicalJson(held) === canonicalJson(content)) return { card, redacted_from: null };
  const kinds: Record<string, number> = {};
  for (const { kind } of findings) kinds[kind] = (kinds[kind] ?? 0) + 1;
  const { type, role } = metadata;
  const hashed = { content: held, tool_calls: value.tool_calls, tool_call_id: value.tool_call_id, type, role };
  return {
    redacted_from: card.card_id,
    card: {
      ...card,
      ...value,
      content: held,
      card_id: `red_${digestOf(`bundle|${RULESET}|${card.card_id}`).slice(0, 32)}`,
      metadata: {
        ...value.metadata,
        type,
        role,
        redacted_from: card.card_id,
        redactions: kinds,
        redaction_ruleset: RULESET,
      },
      // What is gone has the hash of what it was.
      content_hash: held === null ? card.content_hash : contentHash(hashed as unknown as Card),
    },
  };
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");
