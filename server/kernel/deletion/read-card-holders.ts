// What holds a card, asked before it is erased: the boxes, requests, turns, runs and agents that have it, and the cards that repeat it.
import type { CardHolders } from "@/server/contract/answers/deletions";
import { getCard } from "../cardbox/get-cards";
import { readSightings } from "../cardbox/read-sightings";
import { type Reader, read } from "../reader";
import { counted } from "./counted";

const RUNS_MAX = 20;
const RUNS = `
  SELECT r.root_turn_id, r.number FROM state.runs r
  WHERE r.project_id = $1 AND r.root_turn_id = ANY (ARRAY(
    SELECT DISTINCT t.root_turn_id FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = ANY ($2::text[])))
  ORDER BY r.number DESC LIMIT ${RUNS_MAX}`;

/** not_found for one of another project too. */
export async function readCardHolders(
  reader: Reader,
  { project_id, card_id }: { project_id: string; card_id: string },
): Promise<CardHolders> {
  const [card, seen, alike] = await Promise.all([
    getCard(reader, { project_id, card_id }),
    readSightings(reader, { project_id, card_id, include: [] }),
    readSightings(reader, { project_id, card_id, include: ["same_words", "copies"] }),
  ]);
  const turns = seen.turns.map((turn) => turn.agent_turn_id);
  const runs = await read<{ root_turn_id: string; number: number }>(reader, "card_holder_runs", RUNS, [
    project_id,
    turns,
  ]);
  return {
    card_id,
    is_profile: card.type === "sys.profile",
    boxes: counted(seen.boxes_total - seen.requests_total),
    requests: counted(seen.requests_total),
    turns: counted(seen.turns_total),
    runs,
    agents: counted(seen.agents.length),
    copies: counted(alike.cards.filter(({ why }) => why === "copy").length),
    same_words: counted(alike.cards.filter(({ why }) => why === "same_words").length),
    ...(seen.looked_at !== undefined && { is_partial: true as const }),
  };
}
