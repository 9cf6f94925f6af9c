// Exactly what a model was sent at a step: the request box's cards, and the bytes with their digest.
import type { Card } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import { getCards } from "../cardbox/get-cards";
import { readBoxIds } from "../cardbox/read-box";
import type { Kernel } from "../kernel";
import { read } from "../reader";

export type StepRequest = {
  agent_turn_id: string;
  step_id: string;
  ordinal: number;
  request_box_id: string;
  cards: Card[];
  /** The serialised request as it was sent, where the model was called over a wire. */
  request_text?: string;
  request_sha256?: string;
  request_tokens?: number;
};

const STEP = `
  SELECT s.step_id, s.ordinal, s.request_box_id, convert_from(r.bytes, 'UTF8') AS request_text, s.request_sha256, s.request_tokens,
    r.bytes IS NULL OR s.request_sha256 IS NULL OR encode(sha256(r.bytes), 'hex') = s.request_sha256 AS is_whole
  FROM (SELECT step_id, ordinal, request_box_id, request_sha256, request_tokens FROM state.agent_steps
    WHERE project_id = $1 AND agent_turn_id = $2 AND request_box_id IS NOT NULL AND ($3::int IS NULL OR ordinal = $3)
    ORDER BY ordinal DESC, step_id DESC LIMIT 1) s
  CROSS JOIN LATERAL (SELECT state.request_of($1, s.step_id) AS bytes OFFSET 0) r`;

type Row = Pick<StepRequest, "step_id" | "ordinal" | "request_box_id"> & {
  request_text: string | null;
  request_sha256: string | null;
  request_tokens: number | null;
  is_whole: boolean;
};

/** internal_error where what is kept no longer has the digest of what was sent. */
export async function readStepRequest(
  kernel: Kernel,
  input: { project_id: string; agent_turn_id: string; ordinal?: number },
): Promise<StepRequest> {
  const { project_id, agent_turn_id } = input;
  const rows = await read<Row>(kernel, "step_request", STEP, [project_id, agent_turn_id, input.ordinal ?? null]);
  const row = rows[0];
  if (!row)
    throw new KernelError(
      "not_found",
      input.ordinal === undefined
        ? `turn ${agent_turn_id} not found in project ${project_id}, or none of its steps has been sent to a model yet`
        : `step: turn ${agent_turn_id} has no step ${input.ordinal} that was sent to a model in project ${project_id}; the turn's page lists its steps`,
    );
  if (!row.is_whole)
    throw new KernelError(
      "internal_error",
      `the request kept for step ${row.step_id} is damaged: its bytes do not have the digest of what was sent. Restore the database from a backup to read it`,
    );
  const ids = await readBoxIds(kernel, { project_id, box_ids: [row.request_box_id] });
  const cards = await getCards(kernel, { project_id, card_ids: ids.get(row.request_box_id) ?? [] });
  return {
    agent_turn_id,
    step_id: row.step_id,
    ordinal: row.ordinal,
    request_box_id: row.request_box_id,
    cards,
    request_text: row.request_text ?? undefined,
    request_sha256: row.request_sha256 ?? undefined,
    request_tokens: row.request_tokens ?? undefined,
  };
}
