// Ends turns, each once and for all (K6): deliverable, status, idle agent with its last output, what a batch reads of its
// branch, the one `task` frame, and the lease of whatever the agents have queued, all in the caller's transaction and in a
// number of statements that does not grow with the number of turns.
import type { Card, CardContent } from "@/server/contract/card";
import { appendConsist } from "@/server/contract/consist";
import { mendText } from "@/server/contract/text";
import type { EndStatus } from "@/server/contract/turn";
import { boxItemOf } from "../cardbox/box-chunks";
import { lineOf } from "../cardbox/card-line";
import { createBoxes } from "../cardbox/create-boxes";
import { draftCard } from "../cardbox/draft-card";
import { grow, grownBox, grownSql, type LockedBox, lockBoxes } from "../cardbox/grow-boxes";
import { cardRows, isMinted, rowOf, storeCards } from "../cardbox/insert-cards";
import { columnsOf } from "../columns";
import { type HumanRequestRow, humanRequestFrame, REQUEST_COLUMNS } from "../inbox/human-request-row";
import { toldTurnsSql } from "../journal/told";
import type { JoinableBatch } from "../kernel";
import { type Unit, withUnit } from "../unit";
import type { TurnCard } from "./append-cards";
import { digestOf } from "./digest";
import { type Drafted, deliverableCard } from "./draft-deliverable";
import { holdRun, type RunKey } from "./hold-run";
import { leaseNext } from "./lease-next";
import { lockHeads } from "./lock-heads";
import { newestPackSql } from "./newest-pack-sql";
import { noteOf } from "./note";
import { stepEvent } from "./step-event";
import type { StepUsage } from "./step-usage";
import { TELLS, TOLD_COLUMNS, toldTurnSql } from "./turn-frame-sql";
import { type EndingRow, type TurnRow, taskFrame, toldTurn } from "./turn-row";

export type TurnEnd = {
  /** Locked by an earlier statement. */
  row: EndingRow;
  /** Its output box, locked with it and its agent (lockEnding); absent = both are locked here. */
  box?: LockedBox;
  status: EndStatus;
  /** null = a fallback deliverable. */
  content: CardContent | null;
  /** Its deliverable, where it was drafted before the turn was read (draftDeliverables). */
  drafted?: Drafted;
  cards?: TurnCard[];
  error_code?: string;
  error?: string;
  note?: string;
  /** 1 when somebody else than its worker ends it: what that worker still writes is then fenced. */
  epoch_step?: 0 | 1;
  /** The step that said what is delivered; it ends with the turn. Others that have not ended are abandoned. */
  step?: LastStep;
};

export type LastStep = { step_id: string; usage?: StepUsage; note?: string };

export type TurnEnded = { agent_turn_id: string; deliverable_card_id: string };

const ENDED = [
  "agent_turn_id",
  "agent_id",
  "root_turn_id",
  "batch_id",
  "status",
  "turn_epoch",
  "trace_id",
  "rev",
  "output_box_id",
  "deliverable_card_id",
  "error_code",
] as const satisfies readonly (keyof TurnRow)[];

const GROWN_BOX = "e.box_kind, e.box_owner, e.box_rev, e.box_length, e.box_tokens";

/**
 * Turns and their agents are locked, so their rows do not move: each is found by its key and written in its place. Joined to `given`, 64 ends
 * were 4,096 comparisons. The new figures of a turn's box are passed in, so its frame does not wait for the box's own part. IS TRUE, because
 * with the project as a key the planner read all of its turns for each row of `given`. `$5`: the ends are plain, so there is nothing to look
 * up there. People's agents are not locked; they have no `active_turn`, so `free` does not touch them.
 */
const endSql = (cards: string) => `
  WITH ${cards}given AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS g(agent_turn_id text, agent_id text, output_box_id text, status text,
      deliverable_card_id text, error_code text, error text, note text, epoch_step int, cards int, tokens bigint,
      consist text, is_leased boolean, summary text, box_kind text, box_owner text, box_rev bigint, box_length int, box_tokens bigint, step_id text, step_note text, usage jsonb, cost numeric, tokens_in int, tokens_out int)
  ), ${grownSql("$3", "$4")}, rows AS (
    UPDATE state.inbox_messages i SET status = 'consumed', archived_at = now()
    WHERE i.project_id = $1 AND i.agent_turn_id = ANY (ARRAY(SELECT agent_turn_id FROM given))
      AND i.status IN ('pending', 'processing', 'deferred')
  ), gone AS (
    DELETE FROM state.due d WHERE d.project_id = $1 AND d.agent_turn_id = ANY (ARRAY(SELECT agent_turn_id FROM given))
  ), waits AS (
    UPDATE state.turn_waiting_tools w SET wait_status = 'dropped', updated_at = now() FROM given g
    WHERE w.project_id = $1 AND w.agent_turn_id = ANY (ARRAY(SELECT agent_turn_id FROM given)) AND w.agent_turn_id = g.agent_turn_id
      AND w.wait_status IN ('waiting', 'received')
  ), requests AS (
    UPDATE state.human_requests q SET status = 'dropped', decided_at = now(), rev = q.rev + 1
    WHERE q.project_id = $1 AND q.agent_turn_id = ANY (ARRAY(SELECT agent_turn_id FROM given)) AND q.status = 'open'
    RETURNING ${columnsOf(REQUEST_COLUMNS, "q")}
  ), steps AS (
    UPDATE state.agent_steps s SET ended_at = now(), rev = s.rev + 1, status = CASE WHEN s.step_id = g.step_id THEN 'completed' ELSE 'failed' END,
      error = CASE WHEN s.step_id = g.step_id THEN NULL ELSE 'abandoned: the turn ended' END, note = coalesce(CASE WHEN s.step_id = g.step_id THEN g.step_note END, s.note),
      usage = CASE WHEN s.step_id = g.step_id THEN g.usage ELSE s.usage END, cost = CASE WHEN s.step_id = g.step_id THEN g.cost ELSE s.cost END
    FROM given g WHERE s.project_id = $1 AND s.agent_turn_id = ANY (ARRAY(SELECT agent_turn_id FROM given))
      AND s.agent_turn_id = g.agent_turn_id AND s.status = 'started'
    RETURNING s.agent_turn_id, s.step_id
  ), ended AS (
    UPDATE state.agent_turns t SET status = g.status, output_box_id = g.output_box_id, output_start = coalesce(t.output_start, 0),
      deliverable_card_id = g.deliverable_card_id, error_code = g.error_code, error = g.error, note = coalesce(g.note, t.note),
      output_cards = t.output_cards + g.cards, output_tokens = t.output_tokens + g.tokens, output_consist = g.consist,
      turn_epoch = t.turn_epoch + CASE WHEN g.is_leased THEN g.epoch_step ELSE 0 END, lease_holder = NULL, ended_at = now(), rev = t.rev + 1,
      taken_epoch = CASE WHEN t.started_at IS NULL AND NOT t.is_human THEN t.turn_epoch ELSE t.taken_epoch END,
      summary = g.summary, pack_ref = CASE WHEN t.batch_id IS NOT NULL THEN ${newestPackSql("t.agent_turn_id")} END,
      tokens_in = t.tokens_in + CASE WHEN s.step_id IS NULL THEN 0 ELSE coalesce(g.tokens_in, 0) END,
      tokens_out = t.tokens_out + CASE WHEN s.step_id IS NULL THEN 0 ELSE coalesce(g.tokens_out, 0) END,
      cost = CASE WHEN s.step_id IS NULL OR g.cost IS NULL THEN t.cost ELSE coalesce(t.cost, 0) + g.cost END
    FROM given g CROSS JOIN LATERAL (SELECT o.ctid AS place FROM state.agent_turns o
      WHERE o.project_id = $1 AND o.agent_turn_id = g.agent_turn_id OFFSET 0) f
    LEFT JOIN steps s ON s.step_id = g.step_id AND s.agent_turn_id = g.agent_turn_id
    WHERE (t.project_id = $1) IS TRUE AND t.ctid = f.place AND t.ended_at IS NULL AND (t.status <> 'queued' AND NOT t.is_human) = g.is_leased
    RETURNING t.project_id, ${columnsOf(TOLD_COLUMNS, "t")}, g.box_kind, g.box_owner, g.box_rev, g.box_length, g.box_tokens
  ), free AS (
    UPDATE resource.project_agents a SET active_turn = NULL, turn_epoch = greatest(a.turn_epoch, e.turn_epoch),
      last_output_box_id = e.output_box_id, last_seen_at = now()
    FROM ended e CROSS JOIN LATERAL (SELECT o.ctid AS place FROM resource.project_agents o
      WHERE o.project_id = $1 AND o.agent_id = e.agent_id OFFSET 0) f
    WHERE (a.project_id = $1) IS TRUE AND a.ctid = f.place AND a.active_turn = e.agent_turn_id
  ), due AS (
    INSERT INTO state.alarm_due (project_id, subject_kind, subject_id)
    SELECT e.project_id, 'turn', e.agent_turn_id FROM ended e
  ), ${toldTurnsSql(`
    SELECT e.project_id, ${toldTurnSql("e", `${TELLS.turn}::int + ${TELLS.task}::int + ${TELLS.box}::int`, "NULL", GROWN_BOX)} AS told FROM ended e`)}
  SELECT ${ENDED.map((column) => `t.${column}`).join(", ")},
    NOT $5::boolean AND EXISTS (SELECT 1 FROM state.pmo_batches b WHERE b.project_id = $1 AND b.parent_agent_turn_id = t.agent_turn_id
      AND b.status = 'running') AS has_batch,
    NOT $5::boolean AND EXISTS (SELECT 1 FROM state.plan_runs r WHERE r.project_id = $1 AND r.parent_turn_id = t.agent_turn_id
      AND r.status = 'running') AS has_plan,
    CASE WHEN own.task_count > 1 THEN own.plan_run_id END AS plan_run_id, coalesce(own.task_count = 1, false) AS is_alone,
    NOT $5::boolean AND EXISTS (SELECT 1 FROM state.due d WHERE d.project_id = $1 AND d.queued_for = t.agent_id
      AND d.agent_turn_id <> t.agent_turn_id) AS has_queued,
    (SELECT r.limits IS NOT NULL FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = t.root_turn_id) AS is_limited,
    (SELECT jsonb_agg(to_jsonb(q)) FROM requests q WHERE q.agent_turn_id = t.agent_turn_id) AS dropped
  FROM ended t LEFT JOIN LATERAL (SELECT b.task_count, b.plan_run_id FROM state.pmo_batches b
    WHERE b.project_id = $1 AND b.batch_id = t.batch_id OFFSET 0) own ON true`;
const END = endSql("");
const END_WITH_CARDS = endSql(`made AS (${cardRows("$6")}), `);

/** `dropped`: what it had asked people, and nobody has decided. */
type Ended = Pick<TurnRow, (typeof ENDED)[number]> & {
  output_box_id: string;
  deliverable_card_id: string;
  has_batch: boolean;
  has_plan: boolean;
  plan_run_id: string | null;
  is_alone: boolean;
  has_queued: boolean;
  /** Its run has limits. */
  is_limited: boolean | null;
  dropped: HumanRequestRow[] | null;
};

/** In input order. All of one project. */
export async function endTurns(
  unit: Unit,
  input: {
    project_id: string;
    ends: TurnEnd[];
    /** Their agents are locked with them (holdTurns). */
    areHeld?: true;
    /** Nothing has to end or begin with these turns (EndsAhead), and the caller writes nothing more. */
    isPlain?: boolean;
    /** The batch to join after them, if they are plain. */
    joining?: JoinableBatch;
  },
): Promise<TurnEnded[]> {
  const { project_id } = input;
  if (input.ends.length === 0) return [];
  if (!input.areHeld) await lockHeads(unit, { project_id, agent_ids: unheld(input.ends) });
  const ends = await giveBoxes(unit, project_id, input.ends);
  const cards = ends.map((end) => draftsOf(unit, end));
  // Cards that may be there already, under the id they were given, are looked at first.
  const areMinted = ends.every((end) => isMinted(end.cards ?? []));
  const growth = grow(
    await boxesOf(unit, project_id, ends),
    ends.map(({ row }, i) => ({
      box_id: row.output_box_id,
      items: (cards[i] ?? []).map((card) => boxItemOf(card, `turn:${row.agent_turn_id}`)),
      born: new Set(areMinted ? (cards[i] ?? []).map((card) => card.card_id) : []),
    })),
  );
  if (!areMinted) await storeCards(unit, { project_id, drafts: cards.flat() });
  await unit.probe("before-end");
  const given = ends.map((end, i) => givenOf(end, cards[i] ?? [], grownBox(growth, end.row.output_box_id)));
  const values = [project_id, JSON.stringify(given), growth.chunks, growth.sizes, input.isPlain ?? false];
  const joining = input.isPlain ? input.joining : undefined;
  const asked = input.isPlain && !joining ? unit.last() : unit;
  const ending = areMinted
    ? asked.query<Ended>("turns_end", END_WITH_CARDS, [...values, JSON.stringify(rowsOf(ends, cards))])
    : asked.query<Ended>("turns_end_only", END, values);
  // The join is sent right behind the ends, in the same message where possible.
  const [ended, isJoined] = await Promise.all([ending, joining?.join(given)]);
  const rows = new Map(ended.map((row) => [row.agent_turn_id, row]));
  const result = given.map(({ agent_turn_id, deliverable_card_id }) => {
    const row = rows.get(agent_turn_id);
    if (!row) throw new Error(`turn ${agent_turn_id} was locked and could not be ended`);
    unit.told(project_id, [toldTurn(row), taskFrame(row)]);
    for (const request of row.dropped ?? []) unit.frame(project_id, humanRequestFrame(request));
    return { agent_turn_id, deliverable_card_id };
  });
  const limited = new Set(ended.flatMap((row) => (row.is_limited ? row.root_turn_id : [])));
  for (const { row, step } of ends) if (step) unit.ring(stepEvent(row, { step_id: step.step_id, status: "completed" }));
  for (const root_turn_id of limited) await hold(unit, { project_id, root_turn_id }, input.isPlain);
  const free = new Set(given.filter((g) => g.is_leased).map((g) => g.agent_turn_id));
  const waited = ended.filter((row) => row.has_queued && free.has(row.agent_turn_id));
  await leaseNext(unit, { project_id, agent_ids: waited.map((row) => row.agent_id) });
  const joined = isJoined ? joining?.batch_id : undefined;
  const told = joined === undefined ? ended : ended.filter((row) => row.batch_id !== joined);
  await unit.kernel.onTurnsEnded?.afterEnd(
    unit,
    told.map(({ agent_turn_id, batch_id, is_alone, has_batch, has_plan, plan_run_id }) => ({
      project_id,
      agent_turn_id,
      batch_id,
      is_alone,
      has_batch,
      has_plan,
      plan_run_id,
    })),
  );
  return result;
}

/** A limit may have been set after the ends were found plain. A unit that still joins a batch, or has sent its commit, can no longer lock the run: another unit does. */
async function hold(unit: Unit, key: RunKey, isPlain = false): Promise<void> {
  if (isPlain) unit.after(() => withUnit(unit.kernel, (next) => holdRun(next, key)));
  else await holdRun(unit, key);
}

const isLeased = ({ status, is_human }: EndingRow): boolean => status !== "queued" && !is_human;

const unheld = (ends: TurnEnd[]): string[] =>
  ends.flatMap(({ row, box }) => (box || row.is_human ? [] : row.agent_id)).toSorted();

const rowsOf = (ends: Boxed[], cards: Card[][]) =>
  ends.flatMap(({ row }, i) => (cards[i] ?? []).map((card) => rowOf(card, row.output_box_id)));

async function boxesOf(unit: Unit, project_id: string, ends: Boxed[]): Promise<Map<string, LockedBox>> {
  const known = ends.flatMap(({ box }) => box ?? []);
  const box_ids = ends.flatMap(({ row, box }) => (box ? [] : row.output_box_id));
  const locked = new Map(known.map((box) => [box.box_id, box]));
  if (box_ids.length === 0) return locked;
  return new Map([...locked, ...(await lockBoxes(unit, { project_id, box_ids }))]);
}

type Boxed = TurnEnd & { row: EndingRow & { output_box_id: string } };

const hasBox = (end: TurnEnd): end is Boxed => end.row.output_box_id !== null;

/** A turn that is ended before its lease has no box yet, and must not write into its agent's memory (K5). */
async function giveBoxes(unit: Unit, project_id: string, ends: TurnEnd[]): Promise<Boxed[]> {
  if (ends.every(hasBox)) return ends;
  const boxless = ends.filter((end) => !hasBox(end));
  const made = await createBoxes(unit, {
    project_id,
    boxes: boxless.map(({ row }) => ({
      kind: "output" as const,
      owner_agent_id: row.agent_id,
      owner_turn_id: row.agent_turn_id,
      items: [],
    })),
  });
  const fresh = new Map(boxless.map(({ row }, i) => [row.agent_turn_id, made[i]?.box_id]));
  return ends.map((end) => {
    const output_box_id = end.row.output_box_id ?? fresh.get(end.row.agent_turn_id);
    if (output_box_id === undefined) throw new Error(`turn ${end.row.agent_turn_id} was given no output box`);
    return { ...end, row: { ...end.row, output_box_id } };
  });
}

function draftsOf(unit: Unit, end: Boxed): Card[] {
  const { project_id, agent_turn_id, trace_id } = end.row;
  const own = (end.cards ?? []).map((card, i) =>
    draftCard(unit.kernel, {
      project_id,
      card,
      metadata: { agent_turn_id, trace_id },
      bad_text: "mend",
      path: `cards.${i}`,
    }),
  );
  return [...own, deliverableCard(unit, end)];
}

function givenOf(end: Boxed, cards: Card[], box: LockedBox) {
  const { row } = end;
  const deliverable = cards.at(-1);
  if (!deliverable) throw new Error(`turn ${row.agent_turn_id} ends without a deliverable`);
  // What it was doing last says nothing about how it ended; the first words of what it delivered do.
  const note = end.note ?? (end.content === null ? end.step?.note : lineOf(deliverable).title);
  return {
    agent_turn_id: row.agent_turn_id,
    agent_id: row.agent_id,
    output_box_id: row.output_box_id,
    status: end.status,
    deliverable_card_id: deliverable.card_id,
    error_code: end.error_code,
    // Words of tools and providers: what no database can hold would fail the end itself.
    error: end.error === undefined ? undefined : mendText(end.error).value,
    note: note === undefined ? undefined : noteOf(note),
    epoch_step: end.epoch_step ?? 0,
    cards: cards.length,
    tokens: cards.reduce((sum, card) => sum + card.token_count, 0),
    consist: appendConsist(
      row.output_consist ?? "",
      cards.map((card) => ({ role: card.role, tokens: card.token_count })),
    ),
    // What a parent that forked will read of this branch.
    summary: row.batch_task_id === null ? undefined : digestOf(deliverable.content),
    // A queued turn has no lease yet, and people's turns never have one.
    is_leased: isLeased(row),
    box_kind: box.kind,
    box_owner: box.owner_turn_id,
    box_rev: box.rev,
    box_length: box.length,
    box_tokens: box.token_sum,
    ...(end.step && lastStepOf(end.step)),
  };
}

function lastStepOf({ step_id, note, usage }: LastStep) {
  const { cost, ...counts } = usage ?? {};
  const { input_tokens: tokens_in, output_tokens: tokens_out } = counts;
  return { step_id, step_note: note, usage: usage && counts, cost, tokens_in, tokens_out };
}
