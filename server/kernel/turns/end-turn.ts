// Ends one turn: see endTurns.
import type { Unit } from "../unit";
import { endTurns, type TurnEnd, type TurnEnded } from "./end-turns";

export type EndTurnInput = TurnEnd;

export async function endTurn(unit: Unit, input: EndTurnInput): Promise<TurnEnded> {
  const [ended] = await endTurns(unit, { project_id: input.row.project_id, ends: [input] });
  if (!ended) throw new Error(`turn ${input.row.agent_turn_id} was ended and did not come back`);
  return ended;
}
