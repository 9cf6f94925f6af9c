// All of one turn: its frame, the chain that led to it, its steps, its children, and what its context consists of.
import { KernelError } from "@/server/contract/errors";
import type { LateFrame } from "@/server/contract/frame";
import type { ChainLink, Step } from "@/server/contract/turn";
import type { TurnBox, TurnDetail, WaitingCall } from "@/server/contract/turn-detail";
import { getCards } from "../cardbox/get-cards";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { TURN_COLUMNS, type TurnRow, turnFrame } from "../turns/turn-row";
import { lateFrame } from "./read-snapshot";
import { readSubtree } from "./read-subtree";

/** A worker that was lost may go on writing for hours. */
const LATE_MAX = 20;
/** Its boxes have all of them. */
const PACKS_MAX = 20;

// The cards of the context are read by their keys: joined, Postgres expected a hundred thousand of them and read all cards.
// The walk stops at a turn it has seen: a cycle in restored data must not hang the page. It begins with the person who
// launched: nobody called them, also where they launched into a run.
const DETAIL = `
  WITH RECURSIVE up AS (
    SELECT ${columnsOf(TURN_COLUMNS, "t")}, 0 AS height, ARRAY[t.agent_turn_id] AS seen FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = $2
    UNION ALL
    SELECT ${columnsOf(TURN_COLUMNS, "t")}, up.height + 1, up.seen || t.agent_turn_id FROM up
    JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = up.parent_turn_id
    WHERE NOT t.agent_turn_id = ANY (up.seen) AND up.height < 64 AND up.primitive <> 'ui_action'
  )
  SELECT to_jsonb(t) AS turn,
    (SELECT jsonb_agg(jsonb_build_object('agent_turn_id', u.agent_turn_id, 'agent_id', u.agent_id, 'headcode', u.headcode,
        'profile_name', u.profile_name, 'display_name', a.display_name, 'is_human', u.is_human) ORDER BY u.height DESC)
      FROM up u JOIN resource.project_agents a ON a.project_id = $1 AND a.agent_id = u.agent_id) AS chain,
    (SELECT coalesce(jsonb_agg(to_jsonb(s) - '{request_bytes,request_base,request_start,request_end,request_size,request_hops}'::text[] ORDER BY s.ordinal, s.step_id), '[]') FROM state.agent_steps s
      WHERE s.project_id = $1 AND s.agent_turn_id = $2) AS steps,
    (SELECT coalesce(jsonb_agg(k.agent_turn_id ORDER BY k.created_at, k.agent_turn_id), '[]') FROM state.agent_turns k
      WHERE k.project_id = $1 AND k.parent_turn_id = $2) AS children,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('origin', o.origin, 'cards', o.cards, 'tokens', o.tokens,
        'packs', coalesce(o.packs, '[]'))), '[]') FROM (
      SELECT i.origin, count(*)::int AS cards, sum(c.token_count)::int AS tokens, min(i.at) AS first,
        jsonb_agg(jsonb_build_object('sha256', c.metadata ->> 'sha256', 'code', c.metadata #>> '{context_pack,code}') ORDER BY i.at)
          FILTER (WHERE c.metadata ->> 'type' = 'context.pack') AS packs
      FROM (
        SELECT b.card_ids[r.at] AS card_id, r.origin, b.start + r.at AS at FROM card_box_chunks b,
          LATERAL (SELECT row_number() OVER (ORDER BY x.ord, g) AS at, x.run ->> 1 AS origin
            FROM jsonb_array_elements(b.origins) WITH ORDINALITY AS x(run, ord), generate_series(1, (x.run ->> 0)::int) g) r
        WHERE b.tenant_id = $1 AND b.box_id = t.context_box_id
      ) i CROSS JOIN LATERAL (SELECT c.metadata, c.token_count FROM cards c WHERE c.tenant_id = $1 AND c.card_id = i.card_id OFFSET 0) c
      GROUP BY i.origin ORDER BY first) o) AS context_origins,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('role', g.role, 'box_id', p.box_id, 'length', p.length, 'token_sum', p.token_sum)
        ORDER BY g.ord), '[]')
      FROM (VALUES (1, 'profile', t.profile_box_id), (2, 'context', t.context_box_id), (3, 'output', t.output_box_id)) AS g(ord, role, box_id)
      JOIN card_boxes p ON p.tenant_id = $1 AND p.box_id = g.box_id) AS boxes,
    (SELECT count(*)::int FROM state.due mine JOIN state.due q ON q.project_id = $1 AND q.queued_for = mine.queued_for
      WHERE mine.project_id = $1 AND mine.agent_turn_id = $2
        AND (q.created_at, q.agent_turn_id) < (mine.created_at, mine.agent_turn_id)) AS queue_ahead,
    (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('tool_call_id', w.tool_call_id, 'tool_name', w.tool_name,
        'deadline_at', w.deadline_at, 'is_received', w.wait_status = 'received', 'batch_id', b.batch_id)) ORDER BY w.created_at, w.tool_call_id), '[]')
      FROM state.turn_waiting_tools w
      LEFT JOIN state.pmo_batches b ON b.project_id = $1 AND b.parent_tool_call_id = w.tool_call_id
      WHERE w.project_id = $1 AND w.agent_id = t.agent_id AND w.agent_turn_id = $2 AND w.turn_epoch = t.turn_epoch
        AND w.wait_status IN ('waiting', 'received') AND t.status = 'suspended') AS waiting,
    (SELECT coalesce(jsonb_agg(l.late), '[]') FROM (
      SELECT (j.frames -> 0) || jsonb_build_object('created_at', j.created_at) AS late FROM state.journal_packs j
      WHERE j.project_id = $1 AND j.kind = 'rejected_late' AND j.entity_id = $2
      ORDER BY j.created_at DESC, j.pack_id DESC LIMIT ${LATE_MAX}) l) AS late
  FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = $2`;

type StepRow = { [K in keyof Step]-?: undefined extends Step[K] ? Step[K] | null : Step[K] };
type Row = {
  turn: TurnRow;
  chain: (Omit<ChainLink, "display_name"> & { display_name: string | null })[];
  steps: StepRow[];
  children: string[];
  context_origins: (TurnDetail["context_origins"][number] & { packs: TurnDetail["context_packs"] })[];
  boxes: TurnBox[];
  queue_ahead: number;
  waiting: WaitingCall[];
  late: LateFrame[];
};

/** not_found for an unknown turn and for one of another project alike. */
export async function readTurnDetail(
  kernel: Kernel,
  input: { project_id: string; agent_turn_id: string },
): Promise<TurnDetail> {
  const { project_id, agent_turn_id } = input;
  const [[row], subtree] = await Promise.all([
    read<Row>(kernel, "turn_detail", DETAIL, [project_id, agent_turn_id]),
    readSubtree(kernel, input),
  ]);
  if (!row) throw new KernelError("not_found", `turn ${agent_turn_id} not found in project ${project_id}`);
  const frame = turnFrame(row.turn);
  const ids = [frame.instruction_card_id, frame.deliverable_card_id].filter((id) => id !== undefined);
  const profile = row.boxes.find((box) => box.role === "profile");
  const cards = await getCards(kernel, { project_id, card_ids: ids });
  return {
    ...frame,
    chain: row.chain.map((link) => ({ ...link, display_name: link.display_name ?? undefined })),
    steps: row.steps.map(stepOf),
    boxes: row.boxes,
    children: row.children,
    subtree,
    instruction: cards.find((c) => c.card_id === frame.instruction_card_id),
    deliverable: cards.find((c) => c.card_id === frame.deliverable_card_id),
    context_origins: row.context_origins.map(({ packs: _packs, ...origin }) => origin),
    context_packs: packsOf(row.context_origins.flatMap(({ packs }) => packs)),
    profile_cards: profile?.length ?? 0,
    profile_tokens: profile?.token_sum ?? 0,
    queue_ahead: row.queue_ahead,
    waiting: row.waiting.map(({ deadline_at, ...call }) => ({
      ...call,
      ...(deadline_at !== undefined && { deadline_at: new Date(deadline_at).toISOString() }),
    })),
    late: row.late.map(lateFrame),
  };
}

/** Each once: a pack that was handed on twice is one. */
function packsOf(packs: TurnDetail["context_packs"]): TurnDetail["context_packs"] {
  return [...new Map(packs.map((pack) => [pack.sha256, pack])).values()].slice(0, PACKS_MAX);
}

const stepOf = (row: StepRow): Step => ({
  step_id: row.step_id,
  agent_turn_id: row.agent_turn_id,
  ordinal: row.ordinal,
  status: row.status,
  request_box_id: row.request_box_id ?? undefined,
  request_sha256: row.request_sha256 ?? undefined,
  request_tokens: row.request_tokens ?? undefined,
  tool_call_ids: row.tool_call_ids,
  usage: row.usage ?? undefined,
  cost: row.cost ?? undefined,
  note: row.note ?? undefined,
  error: row.error ?? undefined,
  started_at: new Date(row.started_at).toISOString(),
  ended_at: row.ended_at ? new Date(row.ended_at).toISOString() : undefined,
});
