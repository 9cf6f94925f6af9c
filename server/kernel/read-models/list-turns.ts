// Turns of a project, newest first, with the filters of the REST list.

import { KernelError } from "@/server/contract/errors";
import type { TurnFrame } from "@/server/contract/frame";
import type { Page } from "@/server/contract/page";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { read } from "../reader";
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

const LIST = `
  SELECT ${columnsOf(TURN_COLUMNS, "t")} FROM state.agent_turns t
  WHERE t.project_id = $1 AND ($2::text IS NULL OR t.agent_id = $2) AND ($3::text IS NULL OR t.status = $3)
    AND ($4::text IS NULL OR t.root_turn_id = $4) AND ($5::text IS NULL OR t.trace_id = $5)
    AND ($6::text IS NULL OR (t.created_at, t.agent_turn_id) <
      (SELECT created_at, agent_turn_id FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $6))
    AND ($8::text IS NULL OR t.batch_id = $8)
  ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT $7`;

export async function listTurns(kernel: Kernel, query: TurnQuery): Promise<Page<TurnFrame>> {
  await readProject(kernel, query.project_id);
  if (query.cursor !== undefined) await refuseForeignCursor(kernel, query.project_id, query.cursor);
  const rows = await read<TurnRow>(kernel, "turn_list", LIST, [
    query.project_id,
    query.agent_id ?? null,
    query.status ?? null,
    query.root_turn_id ?? null,
    query.trace_id ?? null,
    query.cursor ?? null,
    query.limit + 1,
    query.batch_id ?? null,
  ]);
  const items = rows.slice(0, query.limit).map(turnFrame);
  return { items, next_cursor: rows.length > query.limit ? items.at(-1)?.id : undefined };
}

async function refuseForeignCursor(kernel: Kernel, project_id: string, cursor: string): Promise<void> {
  const found = await kernel.db.prisma.agent_turns.findFirst({
    where: { project_id, agent_turn_id: cursor },
    select: { agent_turn_id: true },
  });
  if (!found)
    throw new KernelError("bad_request", "not a cursor of this list; leave cursor out to start from the newest");
}
