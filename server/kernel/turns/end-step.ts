// A step ends: its cards, its usage and the edges of its tool calls go in together.
import { type ArtifactFile, storeArtifacts } from "../artifacts/store-artifacts";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { appendCards, type TurnCard } from "./append-cards";
import { type Fenced, isFenced } from "./fenced";
import { lockTurn, type TurnKey } from "./lock-turn";
import { stepEvent } from "./step-event";
import type { StepUsage } from "./step-usage";
import type { TurnRow } from "./turn-row";

export type EndStepInput = TurnKey & {
  step_id: string;
  cards: TurnCard[];
  /** That the cards refer to. */
  files?: ArtifactFile[];
  usage?: StepUsage;
  tool_call_ids?: string[];
  /** Present = the step failed. */
  error?: string;
  note?: string;
  worker_id?: string;
};

const END = `
  UPDATE state.agent_steps SET status = $4, tool_call_ids = $5::text[], usage = $6::jsonb, error = $7, note = coalesce($8, note),
    ended_at = now(), rev = rev + 1
  WHERE project_id = $1 AND step_id = $2 AND agent_turn_id = $3 AND status = 'started'
    RETURNING agent_turn_id`;

// Only the end that closed the step adds what it used and cost, so that one told twice counts once.
const END_PRICED = `
  WITH step AS (${END.replace("note = ", "cost = $9::numeric, note = ")})
  UPDATE state.agent_turns t SET cost = coalesce(t.cost, 0) + $9::numeric FROM step
  WHERE t.project_id = $1 AND t.agent_turn_id = step.agent_turn_id RETURNING t.agent_turn_id`;

const CALLS = `
  INSERT INTO state.edge_extra (project_id, edge_id, primitive, edge_phase, source_agent_id, source_turn_id, source_step_id,
    root_turn_id, correlation_id, recursion_depth, trace_id)
  SELECT $1, edge_id, 'tool_call', 'request', $3, $4, $5, $6, tool_call_id, $7, $8
  FROM jsonb_to_recordset($2::jsonb) AS g(edge_id text, tool_call_id text)
  ON CONFLICT (project_id, correlation_id, primitive, edge_phase) DO NOTHING`;

export async function endStep(kernel: Kernel, input: EndStepInput): Promise<{ card_ids: string[] } | Fenced> {
  return withUnit(kernel, async (unit) => {
    const row = await lockTurn(unit, { ...input, statuses: ["running"], what: "end step" });
    if (isFenced(row)) return row;
    const { cards } = await endStepIn(unit, row, input, true);
    return { card_ids: cards.map((card) => card.card_id) };
  });
}

/** Inside a unit that holds the turn. `isLast`: the unit has nothing to send or to tell after it. */
export async function endStepIn(unit: Unit, row: TurnRow, input: EndStepInput, isLast = false) {
  const { cost, ...usage } = input.usage ?? {};
  await storeArtifacts(unit, { project_id: input.project_id, files: input.files ?? [] });
  const closing = unit.query(
    cost === undefined ? "step_end" : "step_end_priced",
    cost === undefined ? END : END_PRICED,
    [
      input.project_id,
      input.step_id,
      input.agent_turn_id,
      input.error === undefined ? "completed" : "failed",
      input.tool_call_ids ?? [],
      input.usage ? JSON.stringify(usage) : null,
      input.error ?? null,
      input.note ?? null,
      ...(cost === undefined ? [] : [cost]),
    ],
  );
  const telling = tellCalls(unit, row, input);
  unit.ring(stepEvent(row, { step_id: input.step_id, status: input.error === undefined ? "completed" : "failed" }));
  const patch = closing.then((closed) => ({
    note: input.note,
    ...(closed.length > 0 && { tokens_in: usage.input_tokens, tokens_out: usage.output_tokens }),
  }));
  // Heard where the turn grows, unless the cards are refused before.
  patch.catch(() => undefined);
  const appending = appendCards(unit, { row, cards: input.cards, step_id: input.step_id, patch, isLast });
  return (await Promise.all([appending, telling]))[0];
}

async function tellCalls(unit: Unit, row: TurnRow, { project_id, step_id, tool_call_ids = [] }: EndStepInput) {
  if (tool_call_ids.length === 0) return;
  const edges = tool_call_ids.map((tool_call_id) => ({ tool_call_id, edge_id: unit.kernel.newId("edge_") }));
  await unit.query("tool_call_edges", CALLS, [
    project_id,
    JSON.stringify(edges),
    row.agent_id,
    row.agent_turn_id,
    step_id,
    row.root_turn_id,
    row.depth,
    row.trace_id,
  ]);
}
