// The facts of a delegation quote what the person asked: from there the path goes to the card in which they asked it.
import { StoredFacts } from "@/server/contract/delegation-context";
import type { Reader } from "../../reader";
import { findEvidence } from "./find-evidence";
import type { Following, Next } from "./follow-records";
import { readSent } from "./read-sent";
import { readTurnAt } from "./read-writer";
import { type Budget, searchCards } from "./search-cards";
import { chosenSpot } from "./spot";

/** null for every other card, and for words that the caller wrote itself. */
export async function followRoot(
  reader: Reader,
  { project_id, spot, needle, budget }: Following & { budget: Budget },
): Promise<Next | null> {
  const { card } = spot;
  if (card.type !== "meta.delegation_context" || card.content?.kind !== "json") return null;
  const { data: facts } = StoredFacts.safeParse(card.content.data);
  const says = (text: string | undefined) => text !== undefined && findEvidence(needle, { text }) !== undefined;
  if (!facts || says(facts.caller_note)) return null;
  if (says(facts.caller.description)) return { end: "profile" };
  if (facts.env_manifest?.some(({ short_description }) => says(short_description))) return { end: "env_data" };
  if (!says(facts.root_text)) return null;
  const at = { agent_turn_id: facts.root_turn_id, step_id: null, created_at: card.created_at };
  const root = await readTurnAt(reader, { project_id, ...at });
  if (!root) return { end: "human" };
  const sent = await readSent(reader, { project_id, writer: root, card });
  const choice = await searchCards(reader, { project_id, needle, sent, budget });
  return choice ? { spot: chosenSpot(choice) } : { end: "human" };
}
