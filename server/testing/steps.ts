// What a turn's steps kept, and what its calls came to.
import type { BoxCard } from "@/server/contract/box";
import type { CardContent } from "@/server/contract/card";
import type { Kernel } from "@/server/kernel/kernel";
import type { TurnRow } from "@/server/kernel/turns/turn-row";

export const typesOf = (cards: BoxCard[]): string[] => cards.map((card) => card.type);

export const resultsIn = (cards: BoxCard[]): Extract<CardContent, { kind: "tool_result" }>[] =>
  cards.flatMap((card) => (card.content?.kind === "tool_result" ? [card.content] : []));

export const codesIn = (cards: BoxCard[]): string[] =>
  resultsIn(cards).map((result) => result.error?.code ?? result.status);

export type StepRow = {
  step_id: string;
  ordinal: number;
  status: string;
  request_box_id: string;
  request_bytes: Buffer;
  sha_is_right: boolean;
  tool_call_ids: string[];
  error: string | null;
};

export async function stepsOf(kernel: Kernel, turn: TurnRow): Promise<StepRow[]> {
  const { rows } = await kernel.db.pool.query<StepRow>(
    `SELECT s.step_id, s.ordinal, s.status, s.request_box_id, s.tool_call_ids, s.error,
       s.usage, s.cost, s.request_tokens, s.note, s.started_at, r.bytes AS request_bytes,
       s.request_sha256 = encode(sha256(r.bytes), 'hex') AS sha_is_right
     FROM state.agent_steps s CROSS JOIN LATERAL (SELECT state.request_of(s.project_id, s.step_id) AS bytes) r WHERE project_id = $1 AND agent_turn_id = $2 ORDER BY ordinal, started_at`,
    [turn.project_id, turn.agent_turn_id],
  );
  return rows;
}

export type Sent = { system: string; messages: { role: string; text: string }[]; tools: { tool_name: string }[] };

/** The request as it was serialised. */
export const sent = (step: StepRow | undefined): Sent => JSON.parse(step?.request_bytes.toString() ?? "null");
