// A box as its page needs it, from one statement, so that the cursor is true for what was read: frames after it complete it.
import type { Box } from "@/server/contract/box";
import { KernelError } from "@/server/contract/errors";
import type { BoxSheet, BoxTurn, BoxUse, CardMark } from "@/server/contract/line";
import { cursorHere, HERE } from "../journal/cursor";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { type TurnRefRow, turnRef } from "./turn-ref";

const SHEET_TURNS_MAX = 50;

const SHEET = `
  WITH b AS (
    SELECT tenant_id, box_id, kind, owner_agent_id, owner_turn_id, length, token_sum, consist, receipt, rev, created_at, updated_at
    FROM card_boxes WHERE tenant_id = $1 AND box_id = $2
  ), t AS (
    SELECT t.agent_turn_id, t.root_turn_id, t.headcode, t.agent_id, t.profile_name, t.is_human, t.status, t.title, t.window_tokens,
      t.sent_tokens, t.fullest_tokens, t.created_at, t.ended_at, CASE $2 WHEN t.context_box_id THEN 'context' WHEN t.output_box_id THEN 'output' ELSE b.kind END AS use
    FROM b JOIN state.agent_turns t ON t.project_id = $1
      AND (t.context_box_id = b.box_id OR t.output_box_id = b.box_id OR t.agent_turn_id = b.owner_turn_id
        OR (b.kind = 'import' AND t.agent_id = b.owner_agent_id))
  ), run AS (
    SELECT r.root_turn_id, r.number, r.title, r.source, r.metadata FROM state.runs r
    WHERE r.project_id = $1 AND r.root_turn_id = (SELECT root_turn_id FROM t ORDER BY created_at DESC LIMIT 1)
  )
  SELECT to_jsonb(b) AS box, ${HERE},
    (SELECT coalesce(jsonb_agg(to_jsonb(s)), '[]') FROM (SELECT agent_turn_id, root_turn_id, headcode, agent_id, profile_name,
      is_human, status, title, window_tokens, sent_tokens, fullest_tokens, use, created_at FROM t ORDER BY created_at DESC LIMIT ${SHEET_TURNS_MAX}) s) AS turns,
    (SELECT count(*)::int FROM t) AS turn_count,
    (SELECT to_jsonb(run) - 'metadata' FROM run) AS run,
    (SELECT p.name FROM resource.profiles p WHERE p.project_id = $1 AND p.profile_box_id = $2) AS profile_name,
    (SELECT s.usage -> 'input_tokens' FROM (SELECT agent_turn_id, ended_at FROM t WHERE use IN ('context', 'output') ORDER BY created_at DESC LIMIT 1) r
      JOIN state.agent_steps s ON s.project_id = $1 AND s.agent_turn_id = r.agent_turn_id AND s.request_tokens IS NOT NULL
      ORDER BY CASE WHEN r.ended_at IS NULL THEN s.ordinal ELSE s.request_tokens END DESC, s.ordinal LIMIT 1) AS reported_tokens,
    (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('origin', o.origin, 'cards', o.cards, 'headcode', w.headcode,
        'agent_turn_id', w.agent_turn_id)) ORDER BY o.first), '[]')
      FROM (SELECT x.run ->> 1 AS origin, sum((x.run ->> 0)::int)::int AS cards, min(k.start) AS first FROM card_box_chunks k
        CROSS JOIN LATERAL jsonb_array_elements(k.origins) AS x(run) WHERE k.tenant_id = $1 AND k.box_id = $2 GROUP BY 1) o
      LEFT JOIN card_boxes s ON s.tenant_id = $1 AND o.origin LIKE 'box:%' AND s.box_id = substr(o.origin, 5)
      LEFT JOIN LATERAL (SELECT w.headcode, w.agent_turn_id FROM state.agent_turns w WHERE w.project_id = $1
        AND (w.agent_turn_id = CASE WHEN o.origin LIKE 'turn:%' THEN substr(o.origin, 6) ELSE s.owner_turn_id END
          OR w.context_box_id = s.box_id) LIMIT 1) w ON true) AS origins,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('card_id', m.mark ->> 'card_id', 'reason', m.mark ->> 'reason',
        'agent_turn_id', m.agent_turn_id, 'headcode', m.headcode, 'profile_name', m.profile_name)), '[]')
      FROM state.agent_turns m JOIN run ON m.root_turn_id = run.root_turn_id
      WHERE m.project_id = $1 AND m.mark IS NOT NULL) AS marks
  FROM b`;

type BoxRow = Omit<Box, "project_id" | "owner_agent_id" | "owner_turn_id"> & {
  tenant_id: string;
  owner_agent_id: string | null;
  owner_turn_id: string | null;
  receipt: BoxSheet["receipt"] | null;
};
type Figures = Pick<BoxTurn, "window_tokens" | "sent_tokens" | "fullest_tokens">;
type Nullable<T> = { [K in keyof T]-?: Exclude<T[K], undefined> | null };
type Row = {
  box: BoxRow;
  xid: string;
  generation: string;
  turns: (TurnRefRow & { use: BoxUse } & Nullable<Figures>)[];
  turn_count: number;
  run: BoxSheet["run"] | null;
  profile_name: string | null;
  reported_tokens: number | null;
  origins: BoxSheet["origins"];
  marks: CardMark[];
};

/** not_found for an unknown box and for one of another project alike. */
export async function readBoxSheet(kernel: Kernel, input: { project_id: string; box_id: string }): Promise<BoxSheet> {
  const rows = await read<Row>(kernel, "box_sheet", SHEET, [input.project_id, input.box_id]);
  const row = rows[0];
  if (!row) throw new KernelError("not_found", `box ${input.box_id} not found in project ${input.project_id}`);
  return {
    ...boxOf(row.box),
    cursor: cursorHere(input.project_id, row),
    receipt: row.box.receipt ?? undefined,
    turns: row.turns.map((t) => ({
      ...turnRef(t),
      use: t.use,
      window_tokens: t.window_tokens ?? undefined,
      sent_tokens: t.sent_tokens ?? undefined,
      fullest_tokens: t.fullest_tokens ?? undefined,
    })),
    turn_count: row.turn_count,
    run: row.run ?? undefined,
    profile_name: row.profile_name ?? undefined,
    reported_tokens: row.reported_tokens ?? undefined,
    origins: row.origins,
    marks: row.marks,
  };
}

const boxOf = (row: BoxRow): Box => ({
  box_id: row.box_id,
  project_id: row.tenant_id,
  kind: row.kind,
  owner_agent_id: row.owner_agent_id ?? undefined,
  owner_turn_id: row.owner_turn_id ?? undefined,
  length: row.length,
  token_sum: row.token_sum,
  consist: row.consist,
  rev: row.rev,
  // Times inside a row made by to_jsonb keep Postgres' spelling.
  created_at: new Date(row.created_at).toISOString(),
  updated_at: new Date(row.updated_at).toISOString(),
});
