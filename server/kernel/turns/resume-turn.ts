// A worker has claimed the row of a result: it is put into the output box and the turn moves, in one transaction (K8).
// With the last result the turn goes on, under a new epoch, as the asker's. Whatever comes too late or twice is consumed.
import type { Card } from "@/server/contract/card";
import type { AppliedResult, ResumeResult } from "@/server/contract/waiting";
import { CARD_COLUMNS, type CardRow, toCard } from "../cardbox/card-row";
import { getCards } from "../cardbox/get-cards";
import { LOCKED_BOX, type LockedBox, lockBoxes } from "../cardbox/grow-boxes";
import { columnsOf } from "../columns";
import { callOf, lockWaits, type Wait } from "../inbox/waits";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { type Advance, advanceApplying } from "./advance";
import { appliedOf, cardsOfWaits, draftApplied, outputBoxOf } from "./apply-results";
import { namesOf } from "./suspend-turn";
import { TURN_COLUMNS, type TurnRow } from "./turn-row";

export type ResumeInput = { project_id: string; agent_turn_id: string; inbox_id: string; worker_id: string };
/** `turn`: as it runs now, where it goes on; a worker need not read what was locked a moment ago. */
export type Resumed = ResumeResult & { turn?: TurnRow };

type Row = { agent_turn_id: string; correlation_id: string; turn_epoch: number; status: string; retry_count: number };

// The turn before the row (K17). The worker needs no epoch of its own: the row says for which turn it is.
const TURN = `SELECT ${columnsOf(TURN_COLUMNS, "agent_turns")} FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2 FOR UPDATE`;
const ROW = `
  SELECT agent_turn_id, correlation_id, turn_epoch, status, retry_count FROM state.inbox_messages
  WHERE project_id = $1 AND inbox_id = $2 AND agent_turn_id = $3 AND message_type IN ('tool_result', 'timeout') FOR UPDATE`;
/** Results that have come and are not read. */
const CAME = `
  SELECT ${CARD_COLUMNS} FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY (ARRAY(
    SELECT tool_result_card_id FROM state.turn_waiting_tools WHERE project_id = $1 AND agent_turn_id = $2 AND wait_status = 'received'))`;
const BOX = `
  SELECT ${LOCKED_BOX} FROM card_boxes b WHERE b.tenant_id = $1
    AND b.box_id = (SELECT output_box_id FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2) FOR UPDATE OF b`;
const AGAIN = `
  SELECT tool_result_card_id AS card_id FROM state.turn_waiting_tools
  WHERE project_id = $1 AND agent_turn_id = $2 AND tool_call_id = $3 AND wait_status = 'applied' AND tool_result_card_id IS NOT NULL`;
const CONSUME = `
  UPDATE state.inbox_messages SET status = 'consumed', archived_at = now(), last_error = $3
  WHERE project_id = $1 AND inbox_id = $2 AND status IN ('pending', 'processing', 'deferred')`;
const DEFER = `
  UPDATE state.inbox_messages SET status = 'deferred', retry_count = retry_count + 1, defer_reason = $4, claimed_by = NULL,
    processed_at = NULL, next_retry_at = now() + $3 * interval '1 ms'
  WHERE project_id = $1 AND inbox_id = $2 AND status IN ('pending', 'processing', 'deferred')`;

/** Answers values only: a row that means nothing any more is `ignored`, never an error. Null = there is no such row. */
export async function resumeTurn(kernel: Kernel, input: ResumeInput): Promise<Resumed | null> {
  return withUnit(kernel, (unit) => resumeIn(unit, input));
}

async function resumeIn(unit: Unit, input: ResumeInput): Promise<Resumed | null> {
  const { project_id, agent_turn_id, inbox_id } = input;
  // The locks are taken in this order; nobody waits for an answer between them.
  const [[turn], [row], waits, came, [box]] = await Promise.all([
    unit.query<TurnRow>("resume_turn", TURN, [project_id, agent_turn_id]),
    unit.query<Row>("resume_row", ROW, [project_id, inbox_id, agent_turn_id]),
    lockWaits(unit, { project_id, agent_turn_id }),
    unit.query<CardRow>("resume_came", CAME, [project_id, agent_turn_id]),
    unit.query<LockedBox>("resume_box", BOX, [project_id, agent_turn_id]),
  ]);
  if (!row) return null;
  if (!turn) return ignore(unit, input, row, row.turn_epoch, "its turn is gone");
  const { turn_epoch } = turn;
  const isLive = turn.ended_at === null && turn.status !== "queued" && !turn.is_human;
  // The answer of an earlier :resume may have been lost on its way: the same worker asks again and gets it again. A row of
  // this epoch was read by going to sleep instead; answered alike, it set two threads of one worker on the same turn.
  const isAgain = row.status === "consumed" && row.turn_epoch + 1 === turn_epoch;
  if (turn.status === "running" && isAgain && turn.lease_holder === input.worker_id)
    return { status: "running", turn_epoch, results: await resultsAgain(unit, input, row), waiting: [], turn };
  if (row.status === "consumed" || !isLive || row.turn_epoch < turn_epoch)
    return ignore(unit, input, row, turn_epoch, isLive ? "from an older epoch" : "its turn is over");
  if (turn.status === "running") return defer(unit, input, row, "turn_running_not_suspended", turn_epoch);
  if (turn.status !== "suspended") return ignore(unit, input, row, turn_epoch, `its turn is ${turn.status}`);
  const isAnswered = (wait: Wait) => wait.wait_status === "received" && wait.tool_call_id === row.correlation_id;
  if (!waits.some(isAnswered)) return ignore(unit, input, row, turn_epoch, "no turn waits for this call");
  const answered = { tool_call_id: row.correlation_id, worker_id: input.worker_id, isLast: true };
  return apply(unit, answered, { turn, waits, cards: came.map(toCard), box });
}

/** `isLast`: the unit has nothing to send or to tell after it. */
type Answered = { tool_call_id: string; worker_id: string; isLast: boolean };

/**
 * Inside the unit that answers its call, which holds the suspended turn; null: the result waits for a claim. `posted` is the result's card
 * as it was stored and posted; what the turn waits for is read behind that, in the same trip.
 */
export async function resumeHeld(
  unit: Unit,
  input: Answered & { turn: TurnRow; posted: Promise<Card | undefined> },
): Promise<Resumed | null> {
  const { turn, tool_call_id } = input;
  const { project_id, agent_turn_id, turn_epoch } = turn;
  const output_box_id = outputBoxOf(turn);
  const [waits, boxes, card] = await Promise.all([
    lockWaits(unit, { project_id, agent_turn_id }),
    lockBoxes(unit, { project_id, box_ids: [output_box_id] }),
    input.posted,
  ]);
  const wait = waits.find((found) => found.tool_call_id === tool_call_id && found.wait_status === "received");
  // For example, there was another card under the call, and the result was posted only after the waits were read: it is left to a claim.
  if (!card || wait?.tool_result_card_id !== card.card_id || wait.turn_epoch < turn_epoch) return null;
  return apply(unit, input, { turn, waits, cards: [card], box: boxes.get(output_box_id) });
}

/**
 * Like resumeHeld, for a turn that waits for this call only. The caller has checked that, and has locked the turn and its output box. `card` need
 * not be stored yet: if another card becomes the result, the statement that moves the turn fails, and the unit with it.
 */
export function resumeOnlyWait(
  unit: Unit,
  { card, box, ...input }: Answered & { turn: TurnRow; tool_name: string; card: Card; box: LockedBox },
): Promise<Resumed> {
  const { turn, tool_call_id, tool_name } = input;
  const wait = { tool_call_id, tool_name, wait_status: "received" as const, tool_result_card_id: card.card_id };
  return apply(unit, input, { turn, waits: [wait], cards: [card], box });
}

/** What the first answer brought: the result of this row's call. */
async function resultsAgain(
  unit: Unit,
  { project_id, agent_turn_id }: ResumeInput,
  row: Row,
): Promise<AppliedResult[]> {
  const [wait] = await unit.query<{ card_id: string }>("resume_again", AGAIN, [
    project_id,
    agent_turn_id,
    row.correlation_id,
  ]);
  return wait ? (await getCards(unit, { project_id, card_ids: [wait.card_id] })).map(appliedOf) : [];
}

/** `box`: the turn's output box, locked. */
type Standing = {
  turn: TurnRow;
  waits: Pick<Wait, "tool_call_id" | "tool_name" | "wait_status" | "tool_result_card_id">[];
  cards: Card[];
  box: LockedBox | undefined;
};

async function apply(unit: Unit, input: Answered, { turn, waits, cards, box }: Standing): Promise<Resumed> {
  const due = waits.filter(({ wait_status }) => wait_status === "waiting" || wait_status === "received");
  const came = due.filter((wait) => wait.wait_status === "received" && wait.tool_call_id === input.tool_call_id);
  const open = due.filter((wait) => wait.tool_call_id !== input.tool_call_id);
  const results = await cardsOfWaits(unit, turn, came, cards);
  await unit.probe("before-apply");
  const applied = draftApplied({ row: turn, waits: came, cards: results, box });
  const goesOn = open.length === 0;
  const step: Advance = {
    project_id: turn.project_id,
    agent_turn_id: turn.agent_turn_id,
    turn_epoch: turn.turn_epoch,
    from: ["suspended"],
    to: goesOn ? "running" : "suspended",
    epoch_step: goesOn ? 1 : 0,
    lease_holder: goesOn ? input.worker_id : null,
    note: goesOn ? "goes on" : `waits for ${namesOf(open)}`,
  };
  const moving = advanceApplying(unit, step, applied);
  if (input.isLast) unit.seal(turn.project_id);
  const moved = await moving;
  return {
    status: goesOn ? "running" : "suspended",
    turn_epoch: moved.turn_epoch,
    results: applied.results,
    waiting: open.map(callOf),
    ...(goesOn && { turn: moved }),
  };
}

async function ignore(
  unit: Unit,
  input: ResumeInput,
  row: Row,
  turn_epoch: number,
  reason: string,
): Promise<ResumeResult> {
  if (row.status !== "consumed") {
    await unit.query("resume_ignore", CONSUME, [input.project_id, input.inbox_id, reason]);
    unit.frame(input.project_id, {
      kind: "rejected_late",
      id: unit.kernel.newId("edge_"),
      rev: 1,
      agent_turn_id: row.agent_turn_id,
      turn_epoch: row.turn_epoch,
      current_epoch: turn_epoch,
      what: `result of ${row.correlation_id}`,
      worker_id: input.worker_id,
      created_at: unit.kernel.now().toISOString(),
    });
  }
  return { status: "ignored", turn_epoch, results: [], waiting: [], reason };
}

/** For as long as it takes: going to sleep reads what has come, so a row that waits for that is never lost. */
async function defer(
  unit: Unit,
  { project_id, inbox_id }: ResumeInput,
  row: Row,
  reason: string,
  turn_epoch: number,
): Promise<ResumeResult> {
  const delayMs = unit.kernel.tunables.deferMs * 2 ** Math.min(row.retry_count, 4);
  await unit.query("resume_defer", DEFER, [project_id, inbox_id, delayMs, reason]);
  return { status: "deferred", turn_epoch, results: [], waiting: [], reason };
}
