// The copy of a card that replaces it in a hand-over if it contains a secret. Its id is derived from the original's, so that
// redacting the same card twice gives one copy.
import type { Card } from "@/server/contract/card";
import type { Kernel } from "../kernel";
import { redactValue } from "../redaction/redact";
import { type Finding, RULESET } from "../redaction/ruleset";
import { sha256 } from "./canonical-json";
import { type AuthoredCard, draftCard } from "./draft-card";

export type RedactedCard = { copy: Card; findings: Finding[] };

/** null if the card has nothing to hide or is deleted. The copy names its original in metadata.redacted_from. */
export function redactCard(kernel: Kernel, card: Card): RedactedCard | null {
  if (card.content === null) return null;
  // The copy was not created in the original's turn and step, and must not be listed among their cards.
  const { agent_turn_id: _turn, step_id: _step, ...metadata } = card.metadata;
  const { value, findings } = redactValue({ content: card.content, tool_calls: card.tool_calls, metadata });
  if (findings.length === 0) return null;
  const copy = draftCard(kernel, {
    project_id: card.project_id,
    bad_text: "mend",
    metadata: {
      ...value.metadata,
      redacted_from: card.card_id,
      redactions: countKinds(findings),
      redaction_ruleset: RULESET,
      // A call has one result, the original: the copy refers to the call in its metadata.
      ...(card.tool_call_id !== undefined && { tool_call_id: card.tool_call_id }),
    },
    card: {
      card_id: `red_${sha256(`${RULESET}|${card.card_id}`).slice(0, 32)}`,
      type: card.type,
      role: card.role,
      author_id: card.author_id,
      content: value.content,
      tool_calls: value.tool_calls as AuthoredCard["tool_calls"],
      ttl_seconds: secondsLeft(kernel, card),
    },
  });
  return { copy, findings };
}

/** "bearer 1, env_secret 2" */
export function describeFindings(findings: readonly Finding[]): string {
  return Object.entries(countKinds(findings))
    .map(([kind, n]) => `${kind} ${n}`)
    .join(", ");
}

function countKinds(findings: readonly Finding[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of findings) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function secondsLeft(kernel: Kernel, card: Card): number | undefined {
  if (card.ttl_seconds === undefined) return undefined;
  const end = Date.parse(card.created_at) + card.ttl_seconds * 1000;
  return Math.max(1, Math.floor((end - kernel.now().getTime()) / 1000));
}
