// Who would send a box to a model: the newest turn of an agent that was given it, writes it, or sent it as a request.
import type { BoxKind } from "@/server/contract/box";
import type { TurnRef } from "@/server/contract/line";
import { boxMissing } from "../cardbox/read-box";
import { type Reader, read } from "../reader";
import { TURN_REF, type TurnRefRow, turnRef } from "./turn-ref";

export type BoxReader = {
  kind: BoxKind;
  length: number;
  /** Null if no agent's turn reads the box. */
  reader: { turn: TurnRef; profile_box_id: string; display_name: string | null } | null;
};

const USED = `${TURN_REF}, t.profile_box_id`;

// Each way by its own index. With OR and a limit, all turns of the project were walked by age.
const READER = `
  WITH b AS (
    SELECT b.box_id, b.kind, b.length, b.owner_turn_id FROM card_boxes b WHERE b.tenant_id = $1 AND b.box_id = $2
  ), used AS MATERIALIZED (
    (SELECT ${USED} FROM b JOIN state.agent_turns t ON t.project_id = $1 AND t.context_box_id = b.box_id
      WHERE NOT t.is_human ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT 1)
    UNION ALL
    (SELECT ${USED} FROM b JOIN state.agent_turns t ON t.project_id = $1 AND t.output_box_id = b.box_id
      WHERE NOT t.is_human ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT 1)
    UNION ALL
    (SELECT ${USED} FROM b JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = b.owner_turn_id
      WHERE b.kind = 'request' AND NOT t.is_human)
  )
  SELECT b.kind, b.length, t.agent_turn_id, t.root_turn_id, t.headcode, t.agent_id, t.profile_name, t.is_human, t.status, t.title,
    t.created_at, t.profile_box_id, a.display_name
  FROM b
  LEFT JOIN LATERAL (SELECT u.agent_turn_id, u.root_turn_id, u.headcode, u.agent_id, u.profile_name, u.is_human, u.status, u.title,
    u.created_at, u.profile_box_id FROM used u ORDER BY u.created_at DESC, u.agent_turn_id DESC LIMIT 1) t ON true
  LEFT JOIN resource.project_agents a ON a.project_id = $1 AND a.agent_id = t.agent_id`;

type Used = TurnRefRow & { profile_box_id: string };
type Nullable<T> = { [K in keyof T]: T[K] | null };
type Row = Nullable<Used> & { kind: BoxKind; length: number; display_name: string | null };

/** not_found for an unknown box and for one of another project alike. */
export async function readBoxReader(reader: Reader, input: { project_id: string; box_id: string }): Promise<BoxReader> {
  const [row] = await read<Row>(reader, "box_reader", READER, [input.project_id, input.box_id]);
  if (!row) throw boxMissing(input.box_id);
  const { kind, length, display_name, ...used } = row;
  if (!isUsed(used)) return { kind, length, reader: null };
  return { kind, length, reader: { turn: turnRef(used), profile_box_id: used.profile_box_id, display_name } };
}

const isUsed = (row: Nullable<Used>): row is Used => row.agent_turn_id !== null;
