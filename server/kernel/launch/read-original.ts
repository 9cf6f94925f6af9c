// The turn that is rerun or forked: which agent ran it, and what it was given.
import type { BoxCard } from "@/server/contract/box";
import { KernelError } from "@/server/contract/errors";
import { windowOf } from "@/server/contract/models";
import { getCards } from "../cardbox/get-cards";
import { readBoxStretches } from "../cardbox/read-box-cards";
import { columnsOf } from "../columns";
import { readBodies } from "../roster/read-bodies";
import { TURN_COLUMNS, type TurnRow } from "../turns/turn-row";
import type { Unit } from "../unit";
import type { Performer } from "./start-again";
import { takeRunNumber } from "./take-run-number";

export type Original = TurnRow & { display_name: string | null; tags: string[] };

const ORIGINAL = `
  SELECT ${columnsOf(TURN_COLUMNS, "t")}, a.display_name, a.tags FROM state.agent_turns t
  JOIN resource.project_agents a ON a.project_id = t.project_id AND a.agent_id = t.agent_id
  JOIN state.runs r ON r.project_id = t.project_id AND r.root_turn_id = t.root_turn_id
  WHERE t.project_id = $1 AND t.agent_turn_id = $2`;

/** not_found for an unknown turn; bad_request for a person's. */
export async function readOriginal(
  unit: Unit,
  { project_id, agent_turn_id, verb }: { project_id: string; agent_turn_id: string; verb: "rerun" | "fork" },
): Promise<{ original: Original; run_number: number }> {
  const run_number = await takeRunNumber(unit, project_id);
  const [original] = await unit.query<Original>("original_turn", ORIGINAL, [project_id, agent_turn_id]);
  if (!original) throw new KernelError("not_found", `turn ${agent_turn_id} not found in project ${project_id}`);
  if (original.is_human)
    throw new KernelError(
      "bad_request",
      `turn ${agent_turn_id} belongs to a person; ${verb} the turn it launched, or launch again`,
    );
  return { original, run_number };
}

/** The exact version of the profile that it ran with, even if the name has a newer one. */
export async function samePerformer(unit: Unit, original: Original): Promise<Performer> {
  const { project_id, profile_box_id, profile_name, worker_target, needs_own_worker, tags } = original;
  const bodies = await readBodies(unit, { project_id, profile_box_ids: [profile_box_id] });
  return {
    profile_box_id,
    profile_name,
    worker_target,
    needs_own_worker,
    tags,
    display_name: original.display_name ?? profile_name,
    window_tokens: windowOf(bodies.get(profile_box_id)?.llm_config ?? {}),
  };
}

export async function instructionOf(
  unit: Unit,
  {
    project_id,
    instruction_card_id,
    title,
  }: Pick<Original, "project_id" | "title"> & { instruction_card_id: string | null },
): Promise<string> {
  const [card] =
    instruction_card_id === null ? [] : await getCards(unit, { project_id, card_ids: [instruction_card_id] });
  return card?.content?.kind === "text" && card.content.text.trim() !== "" ? card.content.text : title;
}

/** An agent without a task would spend money on nothing. */
export function refuseGone(
  { agent_turn_id, instruction_card_id }: { agent_turn_id: string | null; instruction_card_id: string | null },
  context: readonly BoxCard[],
): void {
  if (!context.some((card) => card.card_id === instruction_card_id && card.content === null)) return;
  throw new KernelError(
    "bad_request",
    `the instruction of ${agent_turn_id === null ? "a task" : `turn ${agent_turn_id}`} was deleted; launch the work with a new one, or run the turn again with overrides.instruction`,
    { path: "overrides.instruction", card_id: instruction_card_id },
  );
}

/** Cards of one box. */
export const EVERYTHING = 1_000_000;

export type Given = {
  /** What its agent remembered of earlier turns. */
  memory: BoxCard[];
  context: BoxCard[];
  /** What the turn itself has written. */
  own: BoxCard[];
};

export async function readGiven(unit: Unit, original: Original): Promise<Given> {
  const { project_id, context_box_id, output_box_id } = original;
  const from = original.output_start ?? 0;
  const boxes = await readBoxStretches(unit, {
    project_id,
    stretches: [
      { box_id: context_box_id, from: 0, limit: EVERYTHING },
      ...(output_box_id === null ? [] : [{ box_id: output_box_id, from: 0, limit: EVERYTHING }]),
    ],
  });
  const of = (box_id: string | null) => boxes.find((box) => box.box_id === box_id)?.cards ?? [];
  const written = of(output_box_id);
  return {
    memory: written.filter((card) => card.position < from).map((card) => ({ ...card, origin: `box:${output_box_id}` })),
    context: of(context_box_id),
    own: written.filter((card) => card.position >= from),
  };
}
