// Turns of a project, newest first, with the filters of the REST list.

import { KernelError } from "@/server/contract/errors";
import type { TurnFrame } from "@/server/contract/frame";
import type { Page } from "@/server/contract/page";
import { AT, type Place } from "../cardbox/page-cursor";
import { type WalkPieces, walk } from "../cardbox/walk";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { read, UNPREPARED } from "../reader";
import { readProject } from "../roster/read-project";
import { TURN_COLUMNS, type TurnRow, turnFrame } from "../turns/turn-row";

export type TurnQuery = {
  project_id: string;
  agent_id?: string;
  status?: string;
  root_turn_id?: string;
  trace_id?: string;
  batch_id?: string;
  limit: number;
  cursor?: string;
};

const LIST = (p: WalkPieces) => `
  SELECT ${columnsOf(TURN_COLUMNS, "t")}, ${AT("t.created_at")} FROM (
    SELECT ${columnsOf(TURN_COLUMNS, "t")} FROM state.agent_turns t WHERE t.project_id = $1 AND ${p.within}
    ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT ${p.window}
  ) t WHERE ${p.where} ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT ${p.limit}`;
const END = (p: WalkPieces) => `
  SELECT t.agent_turn_id AS id, ${AT("t.created_at")} FROM (SELECT t.agent_turn_id, t.created_at FROM state.agent_turns t WHERE t.project_id = $1 AND ${p.within}
    ORDER BY t.created_at DESC, t.agent_turn_id DESC OFFSET ${p.window} - 1 LIMIT 2) t ORDER BY t.created_at DESC, t.agent_turn_id DESC`;
const OLDER = `(t.created_at, t.agent_turn_id) <
  (SELECT o.created_at, o.agent_turn_id FROM state.agent_turns o WHERE o.project_id = $1 AND o.agent_turn_id = ?)`;
// By their ids first: few turns are in a batch, and walked from the newest on they were the last of all that were read.
const OF_BATCH = `t.agent_turn_id = ANY (ARRAY(
  SELECT o.agent_turn_id FROM state.agent_turns o WHERE o.project_id = $1 AND o.batch_id = ?))`;

/** A page that filters by status or trace looks at so many turns, and may have fewer than asked for, with a cursor. */
export async function listTurns(kernel: Kernel, query: TurnQuery): Promise<Page<TurnFrame>> {
  await readProject(kernel, query.project_id);
  if (query.cursor !== undefined) await refuseForeignCursor(kernel, query.project_id, query.cursor);
  const { rows, next_cursor } = await walk<TurnRow & { at: string }>({
    ...query,
    cursor: query.cursor,
    own: { after: [[OLDER, query.cursor]], cursorOf: ({ id }) => id },
    time: "t.created_at",
    id: "t.agent_turn_id",
    idOf: (turn) => turn.agent_turn_id,
    keyed: [
      ["t.agent_id = ?", query.agent_id],
      ["t.root_turn_id = ?", query.root_turn_id],
      [OF_BATCH, query.batch_id],
    ],
    asked: [
      ["t.status = ?", query.status],
      ["t.trace_id = ?", query.trace_id],
    ],
    rows: (pieces, values) => read<TurnRow & { at: string }>(kernel, UNPREPARED, LIST(pieces), values),
    end: (pieces, values) => read<Place>(kernel, UNPREPARED, END(pieces), values),
  });
  return { items: rows.map(({ at: _at, ...row }) => turnFrame(row)), next_cursor };
}

async function refuseForeignCursor(kernel: Kernel, project_id: string, cursor: string): Promise<void> {
  const found = await kernel.db.prisma.agent_turns.findFirst({
    where: { project_id, agent_turn_id: cursor },
    select: { agent_turn_id: true },
  });
  if (!found)
    throw new KernelError("bad_request", "not a cursor of this list; leave cursor out to start from the newest");
}
