// How much of the context of a batch's branches is the same in all of them, from the start: what a provider's cache
// can serve. Context boxes never change, so a board reads this once.

import type { SharedStart } from "@/server/contract/batch-sheet";
import { chunksOf } from "../cardbox/chunks-of";
import type { Kernel } from "../kernel";
import { read } from "../reader";

// Comparing 64 boxes of 10,000 cards would take a second; nobody reads that far.
const CARDS_MAX = 512;

const SHARED = `
  WITH boxes AS (
    SELECT DISTINCT coalesce(t.context_box_id, k.context_box_id) AS box_id FROM state.pmo_batch_tasks k
    LEFT JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = k.agent_turn_id
    WHERE k.project_id = $1 AND k.batch_id = $2
  ), laid AS (
    SELECT c.start + i.at AS position, i.card_id
    FROM boxes b JOIN LATERAL ${chunksOf("b.box_id")} c ON c.start < ${CARDS_MAX},
      LATERAL unnest(c.card_ids) WITH ORDINALITY AS i(card_id, at)
  ), places AS (
    SELECT position, min(card_id) AS card_id,
      count(*) = (SELECT count(*) FROM boxes) AND count(DISTINCT card_id) = 1 AS is_same
    FROM laid GROUP BY position
  )
  SELECT count(c.card_id)::int AS cards, coalesce(sum(c.token_count), 0)::int AS tokens
  FROM places p JOIN cards c ON c.tenant_id = $1 AND c.card_id = p.card_id
  WHERE p.position < coalesce((SELECT min(position) FROM places WHERE NOT is_same), 2147483647)`;

/** Nothing for an unknown batch: a batch without tasks does not exist. At most the first 512 cards are compared. */
export async function readSharedStart(
  kernel: Kernel,
  input: { project_id: string; batch_id: string },
): Promise<SharedStart> {
  const [row] = await read<SharedStart>(kernel, "batch_shared_start", SHARED, [input.project_id, input.batch_id]);
  return row ?? { cards: 0, tokens: 0 };
}
