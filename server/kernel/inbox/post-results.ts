// Posts results of calls to the turns that wait for them: the card, the answered wait, the row a worker will claim, and the
// response edge, in the transaction of whatever produced the result. The turn applies it later.
import type { Card, CardContent } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import { draftCard } from "../cardbox/draft-card";
import { storeCards } from "../cardbox/insert-cards";
import type { Kernel } from "../kernel";
import type { Unit } from "../unit";

export type PostedResult = {
  agent_turn_id: string;
  /** Of the wait. */
  tool_call_id: string;
  message_type: "tool_result" | "timeout";
  author_id: string;
  content: Extract<CardContent, { kind: "tool_result" }>;
  /** If the card is not the result of the call itself: an approval says how another call continues. */
  card?: { type: string; tool_call_id: string; content: CardContent };
  metadata?: Record<string, unknown>;
  /** The card, if draftResult was called already. */
  draft?: Card;
  /** Its turn goes on in the same transaction, as this worker's: nobody is rung for it. Absent = a worker claims it. */
  going?: { inbox_id: string; worker_id: string };
};

export const draftResult = (kernel: Kernel, project_id: string, result: PostedResult, more: object = {}): Card =>
  draftCard(kernel, {
    project_id,
    card: {
      type: "tool.result",
      author_id: result.author_id,
      tool_call_id: result.tool_call_id,
      content: result.content,
      ...result.card,
      metadata: { agent_turn_id: result.agent_turn_id, ...(result.metadata as Record<string, never>), ...more },
    },
    bad_text: "mend",
    path: "result",
  });

// The deadline may pass at the moment the answer comes: the second writer finds no `waiting` row.
const POST = `
  WITH given AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS g(agent_turn_id text, tool_call_id text, message_type text, card_id text,
      inbox_id text, edge_id text, claimed_by text)
    WHERE EXISTS (SELECT 1 FROM cards c WHERE c.tenant_id = $1 AND c.card_id = g.card_id)
  ), waits AS (
    UPDATE state.turn_waiting_tools w SET wait_status = 'received', tool_result_card_id = g.card_id, updated_at = now()
    FROM given g
    WHERE w.project_id = $1 AND w.agent_turn_id = g.agent_turn_id AND w.tool_call_id = g.tool_call_id AND w.wait_status = 'waiting'
    RETURNING g.*, w.agent_id, w.turn_epoch, w.step_id
  ), edges AS (
    INSERT INTO state.edge_extra (project_id, edge_id, primitive, edge_phase, target_agent_id, target_turn_id, root_turn_id,
      correlation_id, recursion_depth, trace_id, parent_step_id)
    SELECT $1, w.edge_id, 'tool_call', 'response', w.agent_id, w.agent_turn_id, t.root_turn_id, w.tool_call_id, t.depth, t.trace_id,
      w.step_id
    FROM waits w JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = w.agent_turn_id
    ON CONFLICT (project_id, correlation_id, primitive, edge_phase) DO NOTHING
  )
  INSERT INTO state.inbox_messages (project_id, inbox_id, agent_id, message_type, correlation_id, agent_turn_id, turn_epoch,
    worker_target, context_headers, payload, status, needs_own_worker, run_key, claimed_by)
  SELECT $1, w.inbox_id, w.agent_id, w.message_type, w.tool_call_id, w.agent_turn_id, w.turn_epoch, t.worker_target,
    jsonb_build_object('CG-Recursion-Depth', t.depth, 'CG-Tool-Call-Id', w.tool_call_id),
    jsonb_build_object('card_id', w.card_id), 'pending', t.needs_own_worker, hashtext(t.root_turn_id), w.claimed_by
  FROM waits w JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = w.agent_turn_id
  ON CONFLICT (project_id, message_type, correlation_id) DO NOTHING
  RETURNING correlation_id AS tool_call_id, worker_target`;

// Only while the call is waited for: an answered call stays answered.
const OTHERS = `
  SELECT c.tool_call_id, c.card_id
  FROM jsonb_to_recordset($2::jsonb) AS g(agent_turn_id text, tool_call_id text, waited text)
  JOIN state.turn_waiting_tools w ON w.project_id = $1 AND w.agent_turn_id = g.agent_turn_id AND w.tool_call_id = g.waited
    AND w.wait_status = 'waiting'
  JOIN cards c ON c.tenant_id = $1 AND c.tool_call_id = g.tool_call_id AND (c.metadata ->> 'type') = 'tool.result'
  WHERE NOT c.metadata ? 'supersedes' AND c.card_id <> ALL ($3::text[])`;

type Stored = { project_id: string; results: PostedResult[]; drafts: Card[] };

/**
 * A call has one result. A result that was written earlier for a call that is still waited for belongs to nobody: it kept
 * its turn suspended, and a batch running, for ever, even at the deadline. The kernel's own result replaces it and says so.
 */
async function storeResults(unit: Unit, { project_id, results, drafts }: Stored): Promise<Card[]> {
  try {
    return await storeCards(unit, { project_id, drafts });
  } catch (error) {
    if (!(error instanceof KernelError) || error.code !== "conflict") throw error;
    const given = results.map(({ agent_turn_id, tool_call_id }, i) => ({
      agent_turn_id,
      waited: tool_call_id,
      tool_call_id: drafts[i]?.tool_call_id,
    }));
    const mine = drafts.map((draft) => draft.card_id);
    const rows = await unit.query<{ tool_call_id: string; card_id: string }>("results_others", OTHERS, [
      project_id,
      JSON.stringify(given),
      mine,
    ]);
    const others = new Map(rows.map((row) => [row.tool_call_id, row.card_id]));
    if (others.size === 0) throw error;
    const again = drafts.map((draft, i) => {
      const supersedes = others.get(draft.tool_call_id ?? "");
      const result = results[i];
      return supersedes === undefined || !result ? draft : draftResult(unit.kernel, project_id, result, { supersedes });
    });
    return storeCards(unit, { project_id, drafts: again });
  }
}

/** Returns the cards of the calls that were waited for; a call that already has its result is left out. */
export async function postResults(
  unit: Unit,
  input: { project_id: string; results: PostedResult[] },
): Promise<Map<string, Card>> {
  const { project_id, results } = input;
  if (results.length === 0) return new Map();
  const drafts = results.map((result) => result.draft ?? draftResult(unit.kernel, project_id, result));
  // Sent behind the cards, without waiting for them: what was not stored is not posted, and is posted once more with what replaced it.
  const [stored, first] = await Promise.all([
    storeResults(unit, { project_id, results, drafts }),
    post(unit, input, drafts),
  ]);
  const posted = first.length < results.length ? [...first, ...(await post(unit, input, stored))] : first;
  const claimed = new Set(results.filter((result) => !result.going).map(({ tool_call_id }) => tool_call_id));
  for (const { tool_call_id, worker_target } of posted)
    if (claimed.has(tool_call_id)) unit.ring({ kind: "wakeup", project_id, worker_target });
  const cards = new Map(results.map(({ tool_call_id }, i) => [tool_call_id, stored[i]]));
  return new Map(
    posted.flatMap(({ tool_call_id }) => {
      const card = cards.get(tool_call_id);
      return card ? [[tool_call_id, card] as const] : [];
    }),
  );
}

type Posted = { tool_call_id: string; worker_target: string };

function post(unit: Unit, { project_id, results }: { project_id: string; results: PostedResult[] }, cards: Card[]) {
  const given = results.map((result, i) => ({
    agent_turn_id: result.agent_turn_id,
    tool_call_id: result.tool_call_id,
    message_type: result.message_type,
    card_id: cards[i]?.card_id,
    inbox_id: result.going?.inbox_id ?? unit.kernel.newId("inbox_"),
    claimed_by: result.going?.worker_id,
    edge_id: unit.kernel.newId("edge_"),
  }));
  return unit.query<Posted>("results_post", POST, [project_id, JSON.stringify(given)]);
}
