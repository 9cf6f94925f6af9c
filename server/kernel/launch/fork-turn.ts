// A fork: a person launches a fresh agent that continues from a step of another turn, in exactly the same state: what the
// original remembered and was given is its context, and what it had written by then is the beginning of its own output box.
// So steps count, calls are answered, and the next request is the one of that step, except for the change.
// All of it is shared by reference; what differs is written as new cards, which say what they `replace`.
import type { BoxCard } from "@/server/contract/box";
import { type Card, sentText } from "@/server/contract/card";
import { INSTRUCTION_BYTES_MAX } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import type { ForkBody, ForkedFrom } from "@/server/contract/fork-turn";
import type { TurnFrame } from "@/server/contract/frame";
import { refuseBadText } from "@/server/contract/text";
import { appendToBox } from "../cardbox/append-to-box";
import type { BoxItem } from "../cardbox/box-chunks";
import { createBoxes } from "../cardbox/create-boxes";
import { insertCards } from "../cardbox/insert-cards";
import { type ForkPlan, planFork } from "../cardbox/plan-fork";
import { readBoxIds } from "../cardbox/read-box";
import { columnsOf } from "../columns";
import { titleOf } from "../delegation/plan-tasks";
import type { Kernel } from "../kernel";
import { growTurn } from "../turns/append-cards";
import { TURN_COLUMNS, type TurnRow, turnFrame } from "../turns/turn-row";
import { type Unit, withUnit } from "../unit";
import { instructionOf, type Original, readGiven, readOriginal, samePerformer } from "./read-original";
import { startAgain } from "./start-again";

export type ForkTurnInput = ForkBody & { project_id: string; agent_turn_id: string };

const STEP = `
  SELECT step_id, ordinal, request_box_id FROM state.agent_steps
  WHERE project_id = $1 AND agent_turn_id = $2 AND request_box_id IS NOT NULL
    AND ($3::int IS NULL OR ordinal = $3) AND ($4::text IS NULL OR step_id = $4)
  ORDER BY ordinal DESC, step_id DESC LIMIT 1`;
const MARK = `
  UPDATE state.agent_turns SET forked_from = $3::jsonb, rev = rev + 1 WHERE project_id = $1 AND agent_turn_id = $2
  RETURNING ${columnsOf(TURN_COLUMNS, "agent_turns")}`;

type AtStep = { step_id: string; ordinal: number; request_box_id: string };

/**
 * Returns the new turn. not_found for an unknown turn, and for a step of another turn; bad_request for a card that
 * the model was not sent at the step, and for one that nobody may change.
 */
export async function forkTurn(kernel: Kernel, input: ForkTurnInput): Promise<TurnFrame> {
  const { project_id, agent_turn_id, user } = input;
  refuseWith(input);
  return withUnit(kernel, async (unit) => {
    const { original, run_number } = await readOriginal(unit, { project_id, agent_turn_id, verb: "fork" });
    const step = await readStep(unit, input);
    const performer = await samePerformer(unit, original);
    const { plan, own_ids } = await planOf(unit, input, { original, step });
    const put_in = newInstruction(plan, original) ?? (await instructionOf(unit, original));
    let placed: Placed[] = [];
    const turn = await startAgain(unit, {
      project_id,
      user,
      run_number,
      performer,
      put_in,
      title: titleOf(put_in) || original.title,
      pointer: { forked_from: agent_turn_id },
      makeContext: async (owner_agent_id, author_id, root_turn_id) => {
        placed = await place(unit, plan, { project_id, author_id, root_turn_id });
        return contextOf(unit, original, {
          owner_agent_id,
          instruction: placed.find(({ was }) => was === original.instruction_card_id),
          items: placed.filter(({ was }) => !own_ids.has(was)).map(({ card }) => card),
        });
      },
    });
    await beginWith(
      unit,
      turn,
      placed.filter(({ was }) => own_ids.has(was)).map(({ card }) => card),
    );
    const row = await mark(unit, turn, forkedFrom(input, { original, step, plan, placed }));
    unit.frame(project_id, turnFrame(row));
    return turnFrame(row);
  });
}

function refuseWith(input: ForkTurnInput): void {
  for (const [i, { with: content }] of input.replace.entries()) {
    refuseBadText(content, `replace.${i}.with`);
    const bytes = Buffer.byteLength(typeof content === "string" ? content : JSON.stringify(content));
    if (bytes > INSTRUCTION_BYTES_MAX)
      throw new KernelError(
        "payload_too_large",
        `replace.${i}.with is over ${INSTRUCTION_BYTES_MAX} bytes, more than a card holds; shorten it`,
      );
  }
}

async function readStep(unit: Unit, { project_id, agent_turn_id, at_step }: ForkTurnInput): Promise<AtStep> {
  const [step] = await unit.query<AtStep>("fork_step", STEP, [
    project_id,
    agent_turn_id,
    typeof at_step === "number" ? at_step : null,
    typeof at_step === "string" ? at_step : null,
  ]);
  if (step) return step;
  throw new KernelError(
    "not_found",
    at_step === undefined
      ? `turn ${agent_turn_id} has no step that was sent to a model; rerun it instead`
      : `at_step: turn ${agent_turn_id} has no step ${at_step} that was sent to a model`,
  );
}

async function planOf(unit: Unit, input: ForkTurnInput, { original, step }: { original: Original; step: AtStep }) {
  const { project_id } = original;
  const ids = await readBoxIds(unit, { project_id, box_ids: [step.request_box_id] });
  const request_ids = new Set(ids.get(step.request_box_id));
  const { memory, context, own } = await readGiven(unit, original);
  // Output boxes only grow: what comes after the last card that was sent had not been written yet.
  const written = own.slice(0, own.findLastIndex((card) => request_ids.has(card.card_id)) + 1);
  const plan = planFork({
    ordinal: step.ordinal,
    request_ids,
    cards: [...memory, ...context, ...written],
    instruction_card_id: original.instruction_card_id,
    replace: input.replace,
    drop: input.drop,
    newCallId: () => unit.kernel.newId("tc_"),
  });
  return { plan, own_ids: new Set(written.map((card) => card.card_id)) };
}

function newInstruction(plan: ForkPlan<BoxCard>, { instruction_card_id }: Original): string | undefined {
  const content = plan.items.find(({ card }) => card.card_id === instruction_card_id)?.fresh?.content;
  if (content === undefined) return undefined;
  return typeof content === "string" ? content : sentText(content);
}

/** A card of the fork, and the id of the one it replaces. */
type Placed = { was: string; card: Card & BoxItem };

async function place(
  unit: Unit,
  { items }: ForkPlan<BoxCard>,
  { project_id, author_id, root_turn_id }: { project_id: string; author_id: string; root_turn_id: string },
): Promise<Placed[]> {
  const anew = items.filter(({ fresh }) => fresh !== undefined);
  const made = await insertCards(unit, {
    project_id,
    metadata: { agent_turn_id: root_turn_id },
    cards: anew.flatMap(({ fresh }) => (fresh === undefined ? [] : [{ ...fresh, author_id }])),
  });
  const fresh = new Map(anew.map(({ card }, i) => [card.card_id, made[i]]));
  return items.map(({ card }) => ({
    was: card.card_id,
    card: { ...(fresh.get(card.card_id) ?? card), origin: fresh.has(card.card_id) ? "given" : card.origin },
  }));
}

async function contextOf(
  unit: Unit,
  { project_id }: Original,
  { owner_agent_id, items, instruction }: { owner_agent_id: string; items: BoxItem[]; instruction: Placed | undefined },
) {
  const [box] = await createBoxes(unit, { project_id, boxes: [{ kind: "context", owner_agent_id, items }] });
  if (!box) throw new Error("a box was asked for and none came back");
  return {
    context_box_id: box.box_id,
    instruction_card_id: instruction?.card.card_id,
    context_cards: box.length,
    context_tokens: box.token_sum,
    context_consist: box.consist,
  };
}

/** The turn has been leased in this very unit: nobody has seen its output box empty. */
async function beginWith(unit: Unit, row: TurnRow, cards: (Card & BoxItem)[]): Promise<void> {
  const { project_id, output_box_id: box_id } = row;
  if (cards.length === 0) return;
  if (box_id === null) throw new Error(`turn ${row.agent_turn_id} was leased without an output box`);
  await appendToBox(unit, { project_id, box_id, items: cards });
  await growTurn(unit, { row, cards });
}

async function mark(unit: Unit, turn: TurnRow, forked_from: ForkedFrom): Promise<TurnRow> {
  const [row] = await unit.query<TurnRow>("fork_mark", MARK, [
    turn.project_id,
    turn.agent_turn_id,
    JSON.stringify(forked_from),
  ]);
  if (!row) throw new Error(`turn ${turn.agent_turn_id} was made in this unit and is gone`);
  return row;
}

function forkedFrom(
  input: ForkTurnInput,
  done: { original: Original; step: AtStep; plan: ForkPlan<BoxCard>; placed: Placed[] },
): ForkedFrom {
  const { original, step, plan, placed } = done;
  const now = new Map(placed.map(({ was, card }) => [was, card.card_id]));
  const asked = new Set(input.replace.map((one) => one.card_id));
  const written = plan.items.filter(({ card, fresh }) => fresh !== undefined && !asked.has(card.card_id));
  return {
    agent_turn_id: original.agent_turn_id,
    root_turn_id: original.root_turn_id,
    headcode: original.headcode,
    step_id: step.step_id,
    ordinal: step.ordinal,
    replaced: input.replace.map(({ card_id }) => ({ card_id, with: now.get(card_id) ?? card_id })),
    dropped: [...input.drop],
    followed: [
      ...plan.followed.map((card_id) => ({ card_id })),
      ...written.map(({ card }) => ({ card_id: card.card_id, with: now.get(card.card_id) ?? card.card_id })),
    ],
  };
}
