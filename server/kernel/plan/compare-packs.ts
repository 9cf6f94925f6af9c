// What speaks against taking recorded results: every wagon that ran is packed again, dry, with what it was given then, and its
// receipt is compared with the recorded one. Equal cards in equal order have the same hash, whenever they are packed.
import { INSTRUCTION_BYTES_MAX } from "@/server/contract/delegation";
import type { Receipt } from "@/server/contract/pack";
import type { Plan, Rider } from "@/server/contract/plan/plan";
import { isTaskPlace, ridersOf } from "@/server/contract/plan/plan-words";
import { attempt, isRefusal, pass } from "../attempt";
import { tryContexts } from "../context/pack-context";
import { type TaskArgs, tryRecipes } from "../delegation/choose-recipes";
import { draftCaller } from "../delegation/draft-caller";
import { itemOf } from "../delegation/item-of";
import { findTargets, type Target } from "../delegation/resolve-target";
import { tryPacks } from "../packs/hand-packs";
import { readCallerFacts } from "../provenance/read-facts";
import type { Unit } from "../unit";
import { fillPack } from "./fill-pack";
import type { NodeTask } from "./lock-plan";
import type { RecordedTurn, Source } from "./read-source";
import { agentOf, filledLength, fillInputs, type LoadItem, resolveLoad, summaryCardId } from "./resolve-load";

type ComparePacks = { project_id: string; user: string; source: Source; after: Plan };

type Ran = { place: string; rider: Rider; task: NodeTask; turn: RecordedTurn | undefined; args: TaskArgs };

/** By place, the first thing that speaks against it; a place that is not in it may be replayed. */
export async function comparePacks(unit: Unit, input: ComparePacks): Promise<Map<string, string>> {
  const { project_id, source, after } = input;
  const against = new Map<string, string>();
  const ran = ridersOf(after).flatMap(({ place, rider, node, fork }): Ran[] => {
    if (node.disabled) return [];
    const task = recordedAt(source, place, fork === null ? null : rider.id);
    if (!task || !wasDecided(task.status)) {
      against.set(place, `it did not end in run ${source.run.number}`);
      return [];
    }
    const args = argsOf(source, place, rider);
    if (args) return [{ place, rider, task, args, turn: source.turns.get(task.batch_task_id) }];
    against.set(place, `what it was given in run ${source.run.number} cannot be told`);
    return [];
  });
  const found = await findTargets(unit, { project_id, refs: ran.map(({ args }) => args) });
  const there = ran.flatMap((one, i) => {
    const target = found[i];
    const reason = !target || "missing" in target ? "its target does not exist any more" : versionReason(one, target);
    if (reason !== null) against.set(one.place, reason);
    return reason !== null || !target || "missing" in target ? [] : [{ ...one, target }];
  });
  const receipts = await packAgain(unit, input, there);
  for (const [i, { place, turn }] of there.entries()) {
    const now = receipts[i];
    const was = turn?.receipt;
    if (now && was && now.hash === was.hash) continue;
    against.set(place, now && was ? difference(was, now, source.run.number) : "it cannot be packed as it was");
  }
  return against;
}

/** Of the source, at this place. */
function recordedAt({ plan, nodes }: Source, place: string, taskId: string | null): NodeTask | undefined {
  const id = place.split(".")[0] ?? place;
  const node = plan.nodes.find((one) => one.id === id);
  const tasks = nodes.get(id)?.tasks ?? [];
  if (taskId === null) return isTaskPlace(place) ? undefined : tasks[0];
  const index = node?.kind === "fork" ? node.tasks.findIndex((task) => task.id === taskId) : -1;
  return tasks.find(({ task_index }) => task_index === index);
}

/** A person who stopped it decided nothing about its result. */
const wasDecided = (status: string): boolean =>
  status === "success" || status === "partial" || status === "failed" || status === "timeout";

/** As it would start with the results of the source. Null if they are not all there. */
function argsOf({ plan, nodes, run }: Source, place: string, rider: Rider): TaskArgs | null {
  const node = plan.nodes.find(({ id }) => id === place.split(".")[0]);
  if (!node || !rider.target) return null;
  const { items } = resolveLoad({ plan, nodes, inputs: run.inputs }, node, rider);
  const load = items.flatMap((item): LoadItem[] => {
    if (!("summary_of" in item)) return [item];
    const joined = nodes.get(item.summary_of);
    return joined ? [{ card_id: summaryCardId(joined) }] : [];
  });
  const { target, recipe, handover } = rider;
  const target_ref = target.strategy === "new" ? target.ref : agentOf({ plan, nodes }, target.ref);
  if (target_ref === null || filledLength(rider.instruction, run.inputs) > INSTRUCTION_BYTES_MAX) return null;
  return {
    target_strategy: target.strategy,
    target_ref,
    ...(target.profile_box_id !== undefined && { profile_box_id: target.profile_box_id }),
    instruction: fillInputs(rider.instruction, run.inputs),
    ...(load.length > 0 && { load }),
    ...(recipe !== undefined && { recipe }),
    ...(handover !== undefined && { handover }),
    ...(rider.edits.length > 0 && { edits: rider.edits }),
    ...(Object.keys(rider.arguments).length > 0 && { arguments: rider.arguments }),
    ...(rider.context_pack && { context_pack: fillPack(rider.context_pack, run.inputs) }),
  };
}

function versionReason({ rider, turn }: Ran, target: Target): string | null {
  if (!turn) return "its turn is not recorded";
  const isOutside = rider.target?.strategy !== "new" && !rider.target?.ref.startsWith("@");
  if (isOutside && target.strategy === "reuse") return `agent ${target.agent?.agent_id} may have gone on since`;
  if (target.strategy === "new" && turn.profile_box_id !== target.profile_box_id)
    return `profile ${target.profile.name} has another version now`;
  return null;
}

/** In order; null where it is refused. */
async function packAgain(
  unit: Unit,
  { project_id, user }: ComparePacks,
  there: readonly (Ran & { target: Target })[],
): Promise<(Receipt | null)[]> {
  if (there.length === 0) return [];
  const caller = draftCaller(unit, { project_id, user });
  const chosen = await tryRecipes(unit, { project_id, tasks: [...there], at: () => "" });
  const facts = await readCallerFacts(unit, { project_id, caller: caller.turn });
  const handed = await tryPacks(unit, {
    project_id,
    by: { turn: caller.turn, body: null, is_human: true },
    requests: there.map(({ args }) => args.context_pack),
    at: () => "context_pack",
    dry_run: true,
  });
  const items = there.map(({ args, target }, i) =>
    attempt(() => {
      const recipe = chosen[i];
      if (recipe === undefined || isRefusal(recipe)) throw recipe ?? new Error("a recipe was asked for");
      const agent_id = target.agent?.agent_id ?? "compared";
      return itemOf({ args, target, chosen: recipe, at: "", facts, agent_id, context_pack: pass(handed[i]) });
    }),
  );
  const packed = await tryContexts(unit, {
    project_id,
    source_agent_id: caller.turn.agent_id,
    tool_suffix: "launch_plan",
    items,
    is_brief: true,
  });
  return packed.map((result) => (isRefusal(result) ? null : result.receipt));
}

/** A box that has grown is named; anything else is not told apart. */
function difference(was: Receipt, now: Receipt, run: number): string {
  const before = cardsByBox(was);
  for (const [box, cards] of cardsByBox(now)) {
    const more = cards - (before.get(box) ?? 0);
    if (before.has(box) && more > 0)
      return `${box} has ${more} more ${more === 1 ? "card" : "cards"} than in run ${run}`;
  }
  return `it would be given other cards than in run ${run}`;
}

function cardsByBox({ lines }: Receipt): Map<string, number> {
  const cards = new Map<string, number>();
  for (const { box_id, cards: count } of lines)
    if (box_id !== undefined) cards.set(box_id, (cards.get(box_id) ?? 0) + count);
  return cards;
}
