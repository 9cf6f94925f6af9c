// The turns of a run as lines of a bundle, and the marks that an import or a person put on them.
import type { TurnLine } from "@/server/contract/bundle/lines";
import { columnsOf } from "../columns";
import { type Reader, read } from "../reader";
import { TURN_COLUMNS, usSql } from "./columns";
import { addAll, type Gathered, noteTimes } from "./gathered";
import type { Piece, RunKey } from "./piece";

const PAGE = 500;

const TURNS = `
  SELECT ${columnsOf(TURN_COLUMNS, "t")}, ${usSql("t.created_at")} AS created_at, ${usSql("t.leased_at")} AS leased_at,
    ${usSql("t.started_at")} AS started_at, ${usSql("t.ended_at")} AS ended_at, t.mark
  FROM state.agent_turns t
  WHERE t.project_id = $1 AND t.root_turn_id = $2 AND t.agent_turn_id COLLATE "C" > $3
  ORDER BY t.agent_turn_id COLLATE "C" LIMIT ${PAGE}`;

export async function* readTurns(reader: Reader, key: RunKey, gathered: Gathered): AsyncGenerator<Piece> {
  for (let after = ""; ; ) {
    const values = [key.project_id, key.root_turn_id, after];
    const rows = await read<TurnLine & { mark: unknown }>(reader, "bundle_turns", TURNS, values);
    for (const { mark, ...line } of rows) {
      after = line.agent_turn_id;
      gathered.turns.push(line.agent_turn_id);
      gathered.agents.add(line.agent_id);
      if (line.is_human) notePerson(gathered, line);
      addAll(gathered.boxes, [line.context_box_id, line.output_box_id, line.profile_box_id]);
      addAll(gathered.cards, [line.instruction_card_id, line.deliverable_card_id]);
      noteTimes(gathered, line.created_at, line.leased_at, line.started_at, line.ended_at);
      yield { part: "turns.jsonl", line };
      if (mark !== null) yield { part: "marks.jsonl", line: { agent_turn_id: line.agent_turn_id, mark } };
    }
    if (rows.length < PAGE) return;
  }
}

function notePerson({ people }: Gathered, { agent_id, profile_box_id, created_at }: TurnLine): void {
  const known = people.get(agent_id);
  if (!known || created_at < known.created_at) people.set(agent_id, { profile_box_id, created_at });
}
