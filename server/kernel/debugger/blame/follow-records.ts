// Where a card leads by what is recorded of it, without comparing words: the original of a copy, the deliverable behind a join,
// the call that stored environment data, or an end, because its author is nobody's model.
import type { BlameEnd } from "@/server/contract/blame";
import type { Reader } from "../../reader";
import { type BlameCard, hayOf, readBlameCards } from "./blame-card";
import { fileWith } from "./file-with";
import { findEvidence } from "./find-evidence";
import { joinedBranches } from "./joined-branches";
import type { Needle } from "./needle";
import { readDeliverables } from "./read-deliverables";
import { readEnvCalls } from "./read-env-calls";
import type { Writer } from "./read-writer";
import { recordedSpot, type Spot } from "./spot";

export type Following = { project_id: string; spot: Spot; needle: Needle; writer: Writer | null };
export type Next = { end: BlameEnd; file?: string } | { spot: Spot };

/** null = only words can tell. */
export async function followRecords(reader: Reader, following: Following): Promise<Next | null> {
  const { spot, needle, writer } = following;
  const { card } = spot;
  if (card.copy_of !== null) {
    const next = await originalOf(reader, following, card.copy_of);
    if (next) return next;
  }
  const end = PROMPTS[card.type];
  if (end !== undefined) return { end };
  if (card.decided_by !== null && (card.type === "tool.result" || card.is_edited)) return { end: "human" };
  const branches = joinedBranches(card, hayOf(card).text);
  if (branches.length > 0) return (await deliverableOf(reader, following, branches)) ?? { end: "tool" };
  const key = envKeyOf(card);
  if (key !== null) return storedBy(reader, following, key);
  if (card.content?.kind === "tool_result") return { end: "tool" };
  const file = fileWith(card, needle);
  if (file !== null) return { end: "file", file };
  if (writer) return writer.is_human ? { end: "human" } : null;
  if (card.author_id.startsWith("human_")) return { end: "human" };
  return { end: card.author_id === "import" ? "import" : "given" };
}

/** Cards that are not anybody's message. */
const PROMPTS: Readonly<Record<string, BlameEnd | undefined>> = Object.assign(Object.create(null), {
  "sys.profile": "profile",
  "sys.rendered_prompt": "profile",
  "sys.tools": "profile",
  "sys.must_end_with_required": "switchyard",
  "meta.parent_pointer": "switchyard",
});

/** What an edit has changed is its author's own; a redaction adds nothing. */
async function originalOf(
  reader: Reader,
  { project_id, spot, needle }: Following,
  card_id: string,
): Promise<Next | null> {
  const original = (await readBlameCards(reader, { project_id, card_ids: [card_id] })).get(card_id);
  if (!original?.content) return null;
  if (!spot.card.is_redaction && !findEvidence(needle, hayOf(original))) return { end: "human" };
  return { spot: recordedSpot(original, needle, "copy") };
}

/** The branch whose part of the result was selected; for a range across several, the first that carries the words. */
async function deliverableOf(
  reader: Reader,
  { project_id, spot, needle }: Following,
  branches: ReturnType<typeof joinedBranches>,
): Promise<Next | null> {
  const [range] = spot.ranges;
  const within = branches.filter(({ start, end }) => range && range.start >= start && range.end <= end);
  const meant = within.length > 0 ? within : branches;
  const deliverables = await readDeliverables(reader, {
    project_id,
    output_box_ids: meant.map(({ output_box_id }) => output_box_id),
    created_at: spot.card.created_at,
  });
  const cards = meant.flatMap(({ output_box_id }) => deliverables.get(output_box_id) ?? []);
  const said = cards.find((card) => findEvidence(needle, hayOf(card)));
  const only = within.length === 1 || branches.length === 1 ? cards[0] : undefined;
  const card = said ?? only;
  return card ? { spot: recordedSpot(card, needle, "join") } : null;
}

function envKeyOf({ content, function_name }: BlameCard): string | null {
  if (content?.kind !== "tool_result" || function_name !== "get_env_data") return null;
  const { result } = content;
  return result !== null && typeof result === "object" && "key" in result && typeof result.key === "string"
    ? result.key
    : null;
}

/** The last call before it that stored these words. A person's value has no call. */
async function storedBy(reader: Reader, { project_id, spot, needle, writer }: Following, key: string): Promise<Next> {
  if (!writer) return { end: "env_data" };
  const calls = await readEnvCalls(reader, {
    project_id,
    root_turn_id: writer.root_turn_id,
    key,
    created_at: spot.card.created_at,
  });
  const call = calls.find((card) => findEvidence(needle, hayOf(card)));
  return call ? { spot: recordedSpot(call, needle, "env_data") } : { end: "env_data" };
}
