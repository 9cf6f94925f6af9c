// Removes the stored bytes of the requests that contain erased cards, a bounded number in each unit. Their digest and their weight stay:
// they say that a request was sent and how large it was, and not what it said.
import { heldIn } from "../cardbox/held-in";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { type DeletionKey, moveDeletion, SETTLED, WAIT_MS } from "./deletion-row";

/** Requests of one unit: each may be a megabyte. */
const REQUESTS_MAX = 200;

// A step that began before the cards were erased may still be on its way with their words.
const LOCK = `
  SELECT d.kind, ${SETTLED} AS is_settled FROM state.deletions d
  WHERE d.project_id = $1 AND d.deletion_id = $2 AND d.kind IN ('card', 'person') AND d.phase = 'requests' FOR UPDATE SKIP LOCKED`;
const FIND = `
  WITH ids AS MATERIALIZED (
    SELECT array_agg(c.card_id) AS ids FROM state.deletion_cards c WHERE c.project_id = $1 AND c.deletion_id = $2
  ), found AS MATERIALIZED (
    SELECT DISTINCT s.step_id FROM ids g CROSS JOIN LATERAL ${heldIn("g.ids")} k
    CROSS JOIN LATERAL (SELECT b.owner_turn_id FROM card_boxes b
      WHERE b.tenant_id = $1 AND b.box_id = k.box_id AND b.kind = 'request' OFFSET 0) b
    CROSS JOIN LATERAL (SELECT s.step_id FROM state.agent_steps s
      WHERE s.project_id = $1 AND s.agent_turn_id = b.owner_turn_id AND s.request_box_id = k.box_id AND s.request_bytes IS NOT NULL OFFSET 0) s
    LIMIT ${REQUESTS_MAX}
  )
  SELECT s.step_id FROM state.agent_steps s WHERE s.project_id = $1 AND s.step_id = ANY (ARRAY(SELECT step_id FROM found))
  ORDER BY s.step_id FOR UPDATE`;
// After the locks, in a snapshot of its own: a step that has begun meanwhile may have been kept as what is new beside one of them. Those
// are laid out whole first.
const ERASE = `
  WITH whole AS (
    UPDATE state.agent_steps s SET request_bytes = state.request_of($1, s.step_id), request_base = NULL, request_start = NULL,
      request_end = NULL, request_size = NULL, request_hops = NULL
    WHERE s.project_id = $1 AND s.agent_turn_id = ANY (ARRAY(
        SELECT f.agent_turn_id FROM state.agent_steps f WHERE f.project_id = $1 AND f.step_id = ANY ($2::text[])))
      AND s.request_base = ANY ($2::text[]) AND s.step_id <> ALL ($2::text[])
  )
  UPDATE state.agent_steps s SET request_bytes = NULL, request_base = NULL, request_start = NULL, request_end = NULL, request_size = NULL,
    request_hops = NULL, rev = s.rev + 1
  WHERE s.project_id = $1 AND s.step_id = ANY ($2::text[])`;
const FORGET = "DELETE FROM state.deletion_cards c WHERE c.project_id = $1 AND c.deletion_id = $2";

/** True when none is left. */
export async function eraseRequests(kernel: Kernel, input: DeletionKey & { untilMs: number }): Promise<boolean> {
  const { untilMs, ...key } = input;
  for (;;) {
    const left = await withUnit(kernel, (unit) => eraseSome(unit, key));
    if (left === "done" || left === "held") return left === "done";
    if (Date.now() >= untilMs) return false;
    if (left === "wait") await new Promise((done) => setTimeout(done, WAIT_MS));
  }
}

async function eraseSome(unit: Unit, key: DeletionKey): Promise<"more" | "wait" | "done" | "held"> {
  const values = [key.project_id, key.deletion_id];
  const [row] = await unit.query<{ kind: string; is_settled: boolean }>("erase_requests_lock", LOCK, values);
  if (!row) return "held";
  await unit.probe("deletion-requests");
  const found = await unit.query<{ step_id: string }>("erase_requests_find", FIND, values);
  const gone = found.length;
  if (gone > 0) {
    const ids = found.map((step) => step.step_id);
    await unit.query("erase_requests", ERASE, [key.project_id, ids]);
  }
  if (gone === 0 && !row.is_settled) return "wait";
  if (gone > 0) {
    moveDeletion(unit, key, { to: "requests", counts: { requests: gone } });
    return "more";
  }
  await unit.query("erase_forget", FORGET, values);
  // Of a person, more cards may follow.
  moveDeletion(unit, key, { to: row.kind === "person" ? "cards" : "done" });
  return "done";
}
