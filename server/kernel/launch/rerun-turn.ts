// Reruns a turn: a person launches a new agent that is given what the turn's agent was given, in the same places and word for
// word. What that agent remembered from earlier turns comes first, so that the model is sent the same.
import type { Card } from "@/server/contract/card";
import { INSTRUCTION_BYTES_MAX } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import type { TurnFrame } from "@/server/contract/frame";
import { windowOf } from "@/server/contract/models";
import { namesModel } from "@/server/contract/profile";
import type { RerunBody } from "@/server/contract/rerun";
import type { RunLimits } from "@/server/contract/run-limits";
import { refuseBadText } from "@/server/contract/text";
import type { BoxItem } from "../cardbox/box-chunks";
import { createBoxes } from "../cardbox/create-boxes";
import { insertCards } from "../cardbox/insert-cards";
import { taskOf } from "../cardbox/task-of";
import { titleOf } from "../delegation/plan-tasks";
import { resolveTarget } from "../delegation/resolve-target";
import type { Kernel } from "../kernel";
import { type TurnRow, turnFrame } from "../turns/turn-row";
import { type Unit, withUnit } from "../unit";
import { instructionOf, type Original, readGiven, readOriginal, refuseGone, samePerformer } from "./read-original";
import { type Performer, startAgain } from "./start-again";

/** `limits`: of the new run. Those of a whole run that is run again; a turn on its own has none. */
export type RerunInput = RerunBody & { project_id: string; agent_turn_id: string; limits?: RunLimits };

/** Answers the new turn. not_found for an unknown turn; bad_request for one that no agent could run. */
export async function rerunTurn(kernel: Kernel, input: RerunInput): Promise<TurnFrame> {
  const { project_id, agent_turn_id, overrides } = input;
  const { instruction } = overrides;
  refuseBadText(overrides, "overrides");
  if (instruction !== undefined && Buffer.byteLength(instruction) > INSTRUCTION_BYTES_MAX)
    throw new KernelError(
      "payload_too_large",
      `overrides.instruction is over ${INSTRUCTION_BYTES_MAX} bytes; hand the text over as a card instead`,
    );
  return withUnit(kernel, async (unit) => {
    const { original, run_number } = await readOriginal(unit, { project_id, agent_turn_id, verb: "rerun" });
    const performer = await performerOf(unit, original, overrides.profile_name);
    return turnFrame(await launchAgain(unit, input, original, performer, run_number));
  });
}

async function performerOf(unit: Unit, original: Original, profile_name?: string): Promise<Performer> {
  if (profile_name !== undefined) {
    const { project_id } = original;
    const args = { target_strategy: "new" as const, target_ref: profile_name };
    const { profile, worker_target, tags, body } = await resolveTarget(unit, { project_id, args });
    const window_tokens = windowOf(body.llm_config);
    return {
      profile_box_id: profile.profile_box_id,
      profile_name: profile.name,
      worker_target,
      needs_own_worker: !namesModel(body.llm_config),
      tags,
      display_name: profile.name,
      window_tokens,
    };
  }
  if (original.primitive === "import")
    throw new KernelError(
      "bad_request",
      `turn ${original.agent_turn_id} was imported, so nobody runs its agents; give overrides.profile_name`,
    );
  return samePerformer(unit, original);
}

async function launchAgain(
  unit: Unit,
  input: RerunInput,
  original: Original,
  performer: Performer,
  run_number: number,
): Promise<TurnRow> {
  const put_in = input.overrides.instruction ?? (await instructionOf(unit, original));
  return startAgain(unit, {
    project_id: input.project_id,
    user: input.user,
    limits: input.limits,
    run_number,
    performer,
    put_in,
    title: titleOf(put_in) || original.title,
    pointer: { rerun_of: original.agent_turn_id },
    makeContext: (agent_id, author) => copyContext(unit, input, original, agent_id, author),
  });
}

async function copyContext(unit: Unit, input: RerunInput, original: Original, owner_agent_id: string, author: string) {
  const { project_id, instruction_card_id } = original;
  const { memory, context } = await readGiven(unit, original);
  const given: BoxItem[] = [...memory, ...context];
  const at = given.findLastIndex((item) => item.card_id === instruction_card_id);
  const was = [...memory, ...context].at(at);
  const fresh = await newInstruction(unit, input, author, at < 0 ? undefined : was);
  if (fresh === null) refuseGone(original, context);
  const items = fresh === null ? given : at < 0 ? [...given, fresh] : given.with(at, fresh);
  const [box] = await createBoxes(unit, { project_id, boxes: [{ kind: "context", owner_agent_id, items }] });
  if (!box) throw new Error("a box was asked for and none came back");
  return {
    context_box_id: box.box_id,
    instruction_card_id: fresh?.card_id ?? instruction_card_id ?? undefined,
    context_cards: box.length,
    context_tokens: box.token_sum,
    context_consist: box.consist,
  };
}

async function newInstruction(
  unit: Unit,
  input: RerunInput,
  author_id: string,
  was: Card | undefined,
): Promise<(Card & BoxItem) | null> {
  const { instruction } = input.overrides;
  if (instruction === undefined) return null;
  const [card] = await insertCards(unit, {
    project_id: input.project_id,
    cards: [
      {
        type: "task.instruction",
        author_id,
        content: instruction,
        ...(was && { metadata: { stands_for: taskOf(was) } }),
      },
    ],
  });
  if (!card) throw new Error("a card was given and none came back");
  return { ...card, origin: "arg:instruction" };
}
