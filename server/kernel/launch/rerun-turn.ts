// A turn once more: a person's launch of a fresh agent, which is given what the agent of the turn was given, in the same
// places and word for word. What that agent remembered of earlier turns comes in front, so that the model is sent the same.
import type { BoxCard } from "@/server/contract/box";
import type { Card } from "@/server/contract/card";
import { INSTRUCTION_BYTES_MAX } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import type { TurnFrame } from "@/server/contract/frame";
import type { RerunBody } from "@/server/contract/rerun";
import { refuseBadText } from "@/server/contract/text";
import type { BoxItem } from "../cardbox/box-chunks";
import { createBoxes } from "../cardbox/create-boxes";
import { getCards } from "../cardbox/get-cards";
import { insertCards } from "../cardbox/insert-cards";
import { readBoxStretches } from "../cardbox/read-box-cards";
import { titleOf } from "../delegation/plan-tasks";
import { newAgentId, resolveTarget } from "../delegation/resolve-target";
import { takeHeadcodes } from "../delegation/take-headcodes";
import type { Kernel } from "../kernel";
import { insertAgents } from "../roster/insert-agents";
import { readBodies } from "../roster/read-bodies";
import { enqueueTurns } from "../turns/enqueue-turns";
import { HUMAN_TARGET, type TurnRow, turnFrame } from "../turns/turn-row";
import { type Unit, withUnit } from "../unit";
import { ensureHuman } from "./ensure-human";
import { recordLaunch } from "./record-launch";

export type RerunInput = RerunBody & { project_id: string; agent_turn_id: string };

// The project's row first, as in every launch: it numbers the run.
const NUMBER =
  "UPDATE projects SET run_count = run_count + 1, updated_at = now() WHERE project_id = $1 RETURNING run_count";
const ORIGINAL = `
  SELECT t.*, a.display_name, a.tags FROM state.agent_turns t
  JOIN resource.project_agents a ON a.project_id = t.project_id AND a.agent_id = t.agent_id
  WHERE t.project_id = $1 AND t.agent_turn_id = $2`;

type Original = TurnRow & { display_name: string | null; tags: string[] };
type Performer = Pick<TurnRow, "profile_box_id" | "profile_name" | "worker_target"> & {
  tags: string[];
  display_name: string;
  window_tokens: number;
};

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
    const [project] = await unit.query<{ run_count: number }>("rerun_number", NUMBER, [project_id]);
    const [original] = await unit.query<Original>("rerun_original", ORIGINAL, [project_id, agent_turn_id]);
    if (!project || !original)
      throw new KernelError("not_found", `turn ${agent_turn_id} is not in project ${project_id}`);
    const performer = await performerOf(unit, original, overrides.profile_name);
    return turnFrame(await launchAgain(unit, input, original, performer, project.run_count));
  });
}

async function performerOf(unit: Unit, original: Original, profile_name?: string): Promise<Performer> {
  const { project_id, profile_box_id } = original;
  const { windowTokensDefault } = unit.kernel.tunables;
  if (original.worker_target === HUMAN_TARGET)
    throw new KernelError(
      "bad_request",
      `turn ${original.agent_turn_id} is a person's; rerun the turn it launched, or launch anew`,
    );
  if (profile_name !== undefined) {
    const args = { target_strategy: "new" as const, target_ref: profile_name };
    const { profile, worker_target, tags, body } = await resolveTarget(unit, { project_id, args });
    const window_tokens = body.llm_config.context_window ?? windowTokensDefault;
    return {
      profile_box_id: profile.profile_box_id,
      profile_name: profile.name,
      worker_target,
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
  const bodies = await readBodies(unit, { project_id, profile_box_ids: [profile_box_id] });
  return {
    profile_box_id,
    profile_name: original.profile_name,
    worker_target: original.worker_target,
    tags: original.tags,
    display_name: original.display_name ?? original.profile_name,
    window_tokens: bodies.get(profile_box_id)?.llm_config.context_window ?? windowTokensDefault,
  };
}

async function launchAgain(
  unit: Unit,
  input: RerunInput,
  original: Original,
  performer: Performer,
  run_number: number,
): Promise<TurnRow> {
  const { project_id } = input;
  const { newId } = unit.kernel;
  const human = await ensureHuman(unit, { project_id, user: input.user });
  const root_turn_id = newId("turn_");
  const agent_turn_id = newId("turn_");
  const put_in = input.overrides.instruction ?? (await instructionOf(unit, original));
  const root = await recordLaunch(unit, {
    project_id,
    run_number,
    source: "launch",
    human,
    turn_id: root_turn_id,
    trace_id: newId(),
    put_in,
    title: titleOf(put_in) || original.title,
    pointer: {
      kind: "json",
      data: { kind: "launch", tool: "delegate_async", agent_turn_id, rerun_of: original.agent_turn_id },
    },
  });
  const agent_id = newAgentId(performer.profile_name, newId());
  const { tags, display_name, window_tokens, ...profile } = performer;
  const { trace_id } = root;
  await insertAgents(unit, {
    project_id,
    agents: [
      {
        ...profile,
        agent_id,
        tags,
        display_name,
        owner_agent_id: human.agent_id,
        metadata: { spawned_by: human.agent_id },
        action: "provision",
        source_agent_id: human.agent_id,
        trace_id,
      },
    ],
  });
  const context = await copyContext(unit, input, original, agent_id, human.agent_id);
  const depth = root.depth + 1;
  const turns = [{ profile_name: profile.profile_name, depth }];
  const [headcode] = await takeHeadcodes(unit, { project_id, root_turn_id, turns });
  const [turn] = await enqueueTurns(unit, {
    project_id,
    turns: [
      {
        ...profile,
        ...context,
        agent_turn_id,
        agent_id,
        parent_turn_id: root_turn_id,
        root_turn_id,
        primitive: "delegate_async",
        target_strategy: "new",
        depth,
        channel: root.channel,
        trace_id,
        headcode: headcode ?? "",
        title: root.title,
        window_tokens,
        source_agent_id: human.agent_id,
        context_headers: {
          "CG-Agent-Id": agent_id,
          "CG-Recursion-Depth": depth,
          traceparent: `00-${trace_id}-${newId().slice(-16)}-01`,
        },
      },
    ],
  });
  if (!turn) throw new Error("a turn was queued and did not come back");
  return turn;
}

async function instructionOf(unit: Unit, { project_id, instruction_card_id, title }: Original): Promise<string> {
  const [card] = await getCards(unit, { project_id, card_ids: [instruction_card_id] });
  return card?.content?.kind === "text" && card.content.text.trim() !== "" ? card.content.text : title;
}

const EVERYTHING = 1_000_000;

async function copyContext(unit: Unit, input: RerunInput, original: Original, owner_agent_id: string, author: string) {
  const { project_id, context_box_id, output_box_id, output_start, instruction_card_id } = original;
  const remembers = output_box_id !== null && (output_start ?? 0) > 0;
  const boxes = await readBoxStretches(unit, {
    project_id,
    stretches: [
      { box_id: context_box_id, from: 0, limit: EVERYTHING },
      ...(remembers ? [{ box_id: output_box_id, from: 0, limit: output_start ?? 0 }] : []),
    ],
  });
  const of = (box_id: string | null): BoxCard[] => boxes.find((box) => box.box_id === box_id)?.cards ?? [];
  const memory = remembers ? of(output_box_id).map((card) => ({ ...card, origin: `box:${output_box_id}` })) : [];
  const given: BoxItem[] = [...memory, ...of(context_box_id)];
  const fresh = await newInstruction(unit, input, author);
  const at = given.findLastIndex((item) => item.card_id === instruction_card_id);
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

async function newInstruction(unit: Unit, input: RerunInput, author_id: string): Promise<(Card & BoxItem) | null> {
  const { instruction } = input.overrides;
  if (instruction === undefined) return null;
  const [card] = await insertCards(unit, {
    project_id: input.project_id,
    cards: [{ type: "task.instruction", author_id, content: instruction }],
  });
  if (!card) throw new Error("a card was given and none came back");
  return { ...card, origin: "arg:instruction" };
}
