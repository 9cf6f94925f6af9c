// The part of a plan's check that packs: every wagon as it would start now, by the code that packs when it starts, and nothing is
// written. What is refused, too large or secret is said for each wagon by itself.

import { PACK_LIMITS } from "@/server/contract/context-pack/sidecar";
import { INSTRUCTION_BYTES_MAX } from "@/server/contract/delegation";
import type { KernelError } from "@/server/contract/errors";
import { windowOf } from "@/server/contract/models";
import { type KernelProblem, kernelProblem, NEAR_WINDOW, type PlaceCheck } from "@/server/contract/plan/kernel-check";
import type { PlanOp } from "@/server/contract/plan/op";
import type { Load, Plan } from "@/server/contract/plan/plan";
import { nameOf } from "@/server/contract/plan/plan-words";
import { attempt, isRefusal, pass } from "../attempt";
import type { HandedPack } from "../context/pack-cards";
import { tryContexts } from "../context/pack-context";
import type { Offer, Packed, PackItem } from "../context/pack-item";
import { type TaskArgs, tryRecipes } from "../delegation/choose-recipes";
import { itemOf } from "../delegation/item-of";
import type { Target } from "../delegation/resolve-target";
import { tryPacks } from "../packs/hand-packs";
import { readCallerFacts } from "../provenance/read-facts";
import { renderer } from "../provenance/renderer";
import { newAgentId } from "../roster/new-agent-id";
import type { Unit } from "../unit";
import type { CheckCaller } from "./check-caller";
import type { CheckedLoads, EntryWeight } from "./check-loads";
import type { Aimed } from "./check-targets";
import { sumOf } from "./estimate-results";
import { fillPack } from "./fill-pack";
import { handOverOf, linesOf, type OwnedEntry } from "./hand-over-of";
import type { GivenInput } from "./plan-row";
import { FILLED_MAX, filledLength, fillInputs } from "./resolve-load";

export type CheckPacks = {
  project_id: string;
  plan: Plan;
  caller: CheckCaller;
  wagons: readonly Aimed[];
  loads: CheckedLoads;
  /** Of text inputs, by name. */
  texts: Record<string, string>;
  /** By place. */
  headcodes: ReadonlyMap<string, string>;
  offer?: Offer;
  /** Warnings about secrets read every card. */
  finds_secrets: boolean;
  /** The one place whose prompt is rendered. */
  prompt_of?: string;
  /** Of a run that is a fork: it may swap cards. */
  is_fork?: boolean;
};

type Ready = Aimed & {
  target: Target;
  args: TaskArgs;
  /** Of each entry of its load, then of what its agent remembers from another wagon. */
  weights: EntryWeight[];
  memory: EntryWeight | null;
};

export async function checkPacks(
  unit: Unit,
  input: CheckPacks,
): Promise<{ checks: PlaceCheck[]; problems: KernelProblem[] }> {
  const texts = Object.fromEntries(Object.entries(input.texts).map(([name, text]) => [name, { text, card_id: "" }]));
  const long: KernelProblem[] = [];
  let filled = 0;
  const ready = input.wagons.flatMap((wagon): Ready[] => {
    const { target, rider, node } = wagon;
    if (!target || rider.instruction.trim() === "") return [];
    const length = filledLength(rider.instruction, texts);
    filled += length;
    if (length > INSTRUCTION_BYTES_MAX || filled > FILLED_MAX) {
      long.push(longProblem(wagon, length));
      return [];
    }
    const { ref, strategy } = rider.target ?? { ref: "", strategy: "new" };
    const memory = strategy !== "new" && ref.startsWith("@") ? input.loads.memoryOf(ref) : null;
    const weights = [
      ...entriesOf(wagon).map((entry) => input.loads.weigh(entry, node.id)),
      ...(memory ? [memory] : []),
      ...packWeight(wagon, input),
    ];
    return [
      {
        ...wagon,
        target,
        weights,
        memory,
        args: argsOf(input.is_fork ? wagon : withoutEdits(wagon), target, texts, weights),
      },
    ];
  });
  const packed = await packAll(
    unit,
    isHeavy(input, ready) ? { ...input, offer: undefined, finds_secrets: false } : input,
    ready,
    texts,
  );
  const problems = [...(input.is_fork ? [] : input.wagons.flatMap(editsOf)), ...long];
  const told = new Set<string>();
  const byPlace = new Map(
    ready.map((wagon, i) => {
      const result = packed[i];
      if (result === undefined) throw new Error("a wagon was packed and did not come back");
      const check = checkOf(input, wagon, isRefusal(result) ? null : result);
      problems.push(...(isRefusal(result) ? [refusalOf(wagon, result)] : weightProblems(wagon, check, result)));
      if (!isRefusal(result)) problems.push(...secretsOf(wagon, result, told));
      return [wagon.place, check] as const;
    }),
  );
  const checks = input.wagons.map(
    (wagon) => byPlace.get(wagon.place) ?? checkOf(input, { ...wagon, weights: [] }, null),
  );
  return { checks, problems };
}

const withoutEdits = (wagon: Aimed): Aimed => ({ ...wagon, rider: { ...wagon.rider, edits: [] } });

/** Tokens over all wagons. Above it nobody's first request is rendered: that would hold others up for seconds. */
const RENDERED_TOKENS_MAX = 5_000_000;

function isHeavy({ loads, prompt_of }: CheckPacks, ready: readonly Ready[]): boolean {
  if (prompt_of !== undefined) return false;
  const items = ready.flatMap(({ weights }) => weights.flatMap((weight) => weight.items));
  return items.reduce((sum, item) => sum + loads.tokensOf(item), 0) > RENDERED_TOKENS_MAX;
}

/** They name cards of one run: only a fork of that run hands those over once more. */
function editsOf({ rider, place, path }: Aimed): KernelProblem[] {
  if (rider.edits.length === 0) return [];
  const says = `${nameOf(rider)}: cards are swapped only in forks of a run. Take the edits away, or fork the run.`;
  return [kernelProblem("recipe_argument", place, `${path}.edits`, says, [{ op: "set", node: place, path: "/edits" }])];
}

const entriesOf = ({ rider, fork }: Pick<Aimed, "rider" | "fork">): Load[] => [...(fork?.load ?? []), ...rider.load];

function longProblem({ rider, place, path }: Aimed, length: number): KernelProblem {
  const says =
    length > INSTRUCTION_BYTES_MAX
      ? `${nameOf(rider)}'s instruction is over 1 MiB with its inputs. Load the text as a card.`
      : `With ${nameOf(rider)} the instructions of the plan are over 64 MiB with their inputs. Load the text as a card.`;
  return kernelProblem("instruction_long", place, `${path}.instruction`, says);
}

function argsOf({ rider }: Aimed, target: Target, texts: Record<string, GivenInput>, weights: EntryWeight[]): TaskArgs {
  const load = weights.flatMap(({ items }) => items);
  const { recipe, handover } = rider;
  return {
    target_strategy: target.strategy,
    target_ref: target.agent?.agent_id ?? target.profile.name,
    instruction: fillInputs(rider.instruction, texts),
    ...(load.length > 0 && { load }),
    ...(recipe !== undefined && { recipe }),
    ...(handover !== undefined && { handover }),
    ...(rider.edits.length > 0 && { edits: rider.edits }),
    ...(Object.keys(rider.arguments).length > 0 && { arguments: rider.arguments }),
    ...(rider.context_pack && { context_pack: rider.context_pack }),
  };
}

/** One that exists is weighed. One to build is built for the place that is looked at, and estimated for all others. */
const isWeighed = ({ rider: { context_pack }, place }: Aimed, { prompt_of }: CheckPacks): boolean =>
  context_pack !== undefined && (!("goal" in context_pack) || place === prompt_of);

function packWeight(wagon: Aimed, input: CheckPacks): EntryWeight[] {
  const { context_pack } = wagon.rider;
  if (!context_pack || !("goal" in context_pack) || isWeighed(wagon, input)) return [];
  const high = PACK_LIMITS[context_pack.profile];
  return [{ items: [], tokens: 0, estimates: [{ low: 0, likely: Math.round(high / 2), high }], unknown: [] }];
}

async function packsOf(
  unit: Unit,
  input: CheckPacks,
  ready: readonly Ready[],
  texts: Record<string, GivenInput>,
): Promise<(HandedPack | KernelError | undefined)[]> {
  const { project_id, caller } = input;
  const requests = ready.map((wagon) => {
    const { context_pack } = wagon.rider;
    return context_pack && isWeighed(wagon, input) ? attempt(() => fillPack(context_pack, texts)) : undefined;
  });
  return tryPacks(unit, {
    project_id,
    by: { turn: caller.turn, body: caller.body, is_human: caller.is_human },
    requests,
    at: () => "context_pack",
    dry_run: true,
  });
}

/** In the order of the wagons. */
async function packAll(
  unit: Unit,
  input: CheckPacks,
  ready: readonly Ready[],
  texts: Record<string, GivenInput>,
): Promise<(Packed | KernelError)[]> {
  const { project_id, caller } = input;
  if (ready.length === 0) return [];
  const chosen = await tryRecipes(unit, { project_id, tasks: [...ready], at: () => "" });
  const facts = await readCallerFacts(unit, { project_id, caller: caller.turn });
  const handed = await packsOf(unit, input, ready, texts);
  const items = ready.map((wagon, i): PackItem | KernelError => {
    const { args, target, fork, task_index } = wagon;
    const recipe = chosen[i];
    if (recipe === undefined || isRefusal(recipe)) return recipe ?? missing();
    const agent_id = target.agent?.agent_id ?? newAgentId(target.profile.name, unit.kernel.newId());
    const batch = fork ? { task_index, task_count: fork.tasks.length } : undefined;
    const told = { facts, batch, group: fork ?? wagon };
    return attempt(() =>
      itemOf({ args, target, chosen: recipe, at: "", ...told, agent_id, context_pack: pass(handed[i]) }),
    );
  });
  return tryContexts(unit, {
    project_id,
    source_agent_id: caller.turn.agent_id,
    tool_suffix: "launch_plan",
    items,
    renderer,
    offer: input.offer,
    is_brief: input.prompt_of === undefined,
    finds_secrets: input.finds_secrets,
  });
}

function missing(): never {
  throw new Error("a wagon was checked and did not come back");
}

function refusalOf({ place, path, rider }: Ready, error: KernelError): KernelProblem {
  const where = typeof error.detail?.path === "string" ? `.${error.detail.path}` : "";
  if (where === ".recipe" && error.code === "not_found")
    return kernelProblem("recipe_missing", place, `${path}.recipe`, error.message);
  return kernelProblem("recipe_argument", place, `${path}${where}`, `${nameOf(rider)}: ${error.message}`);
}

type Weighed = Aimed & { weights: EntryWeight[]; memory?: EntryWeight | null };

function ownedOf({ place, rider, fork, weights }: Weighed): OwnedEntry[] {
  const owned = [
    ...(fork?.load ?? []).map((load, index) => ({ owner: fork?.id ?? "", index, load })),
    ...rider.load.map((load, index) => ({ owner: place, index, load })),
  ];
  return owned.flatMap((entry, i) => {
    const weight = weights[i];
    return weight ? [{ ...entry, weight }] : [];
  });
}

function checkOf(input: CheckPacks, wagon: Weighed, packed: Packed | null): PlaceCheck {
  const { place, target, weights, worker_count } = wagon;
  const text = weights.reduce((sum, { tokens }) => sum + tokens, 0);
  const rendered = packed?.rendered;
  const request =
    packed?.request ??
    (rendered && {
      tokens: rendered.tokens,
      tools_tokens: rendered.tools_tokens,
      window_tokens: rendered.window_tokens,
      unasked_servers: rendered.unasked_servers,
    });
  const estimated = sumOf(weights.flatMap(({ estimates }) => estimates));
  return {
    place,
    headcode: input.headcodes.get(place) ?? "",
    ...(target && { profile_name: target.profile.name }),
    ...(packed && {
      cards: packed.length,
      consist: packed.consist,
      receipt: countOf(packed),
      loads: loadsOf(packed, ownedOf(wagon)),
    }),
    tokens: {
      exact: (request?.tokens ?? packed?.token_sum ?? 0) + text,
      ...(estimated && { estimated }),
      unknown: weights.flatMap(({ unknown }) => unknown),
    },
    window_tokens: target ? windowOf(target.body.llm_config) : null,
    worker_count,
    queue_ahead: target?.strategy === "reuse" ? (target.agent?.queue ?? 0) : 0,
    ...(request && { request }),
    ...(rendered && input.prompt_of === place && { prompt: rendered }),
    ...(packed &&
      input.prompt_of === place && {
        hand_over: handOverOf({ packed, entries: ownedOf(wagon), memory: wagon.memory ?? null }),
      }),
  };
}

/** The pointer comes last, whatever comes first. */
function loadsOf(
  { receipt: { lines, order } }: Packed,
  owned: readonly OwnedEntry[],
): NonNullable<PlaceCheck["loads"]> {
  const passed = lines.filter(({ verdict }) => verdict === "included" || verdict === "redacted");
  const sum = (some: typeof lines) => some.reduce((total, { tokens }) => total + tokens, 0);
  const isMade = (origin: string) => origin.startsWith("arg:") || origin === "pack" || origin === "sys";
  const own = linesOf(passed, owned);
  return {
    begins: order === "arguments_first" ? sum(passed.filter(({ origin }) => isMade(origin))) : 0,
    entries: owned.map(({ owner, index }, i) => ({ owner, index, tokens: sum(own[i] ?? []) })),
  };
}

function countOf({ receipt: { lines } }: Packed): NonNullable<PlaceCheck["receipt"]> {
  const counts = { included: 0, withheld: 0, redacted: 0, duplicate: 0 };
  for (const { verdict, cards } of lines) counts[verdict] += cards;
  return counts;
}

function weightProblems(wagon: Ready, check: PlaceCheck, packed: Packed): KernelProblem[] {
  const { place, path, rider, weights } = wagon;
  const { exact, estimated = { low: 0, likely: 0, high: 0 } } = check.tokens;
  const [low, likely, high] = [exact + estimated.low, exact + estimated.likely, exact + estimated.high];
  const found: KernelProblem[] = [];
  // The limit is on what is handed over, without the prompt and the tools.
  const given = packed.token_sum + weights.reduce((sum, { tokens }) => sum + tokens, 0) + estimated.low;
  const { context_tokens_max: max } = rider;
  if (max !== undefined && given > max) {
    const says = `${nameOf(rider)} is given ${given} tokens; its limit is ${max}. Raise the limit, or load less.`;
    found.push(kernelProblem("over_limit", place, `${path}.context_tokens_max`, says));
  }
  const { window_tokens: window } = check;
  if (window === null) return found;
  if (low > window) {
    const says = `It would not fit: ~${likely} tokens, at least ${low}, window ${window}.`;
    found.push(kernelProblem("over_window", place, path, says, lighter(wagon)));
  } else if (high > window) {
    const says = `It may not fit: ~${likely} tokens, up to ${high}, window ${window}.`;
    found.push(kernelProblem("may_not_fit", place, path, says, lighter(wagon)));
  } else if (likely >= window * NEAR_WINDOW) {
    const says = `${Math.round((likely / window) * 100)} % of the window before the first step.`;
    found.push(kernelProblem("near_window", place, path, says, lighter(wagon)));
  }
  return found;
}

/** Take the deliverable for the whole output, or the summary for the deliverables. */
function lighter({ rider, place }: Ready): PlanOp[] {
  return rider.load.flatMap((entry, i): PlanOp[] => {
    if (!("from" in entry) || entry.take === "summary") return [];
    const value = entry.take === "output" ? "deliverable" : "summary";
    return [{ op: "set", node: place, path: `/load/${i}/take`, value }];
  });
}

function secretsOf({ place, path, rider }: Ready, packed: Packed, told: Set<string>): KernelProblem[] {
  return (packed.secrets ?? []).flatMap(({ card_id, count, is_redacted }) => {
    const key = `${card_id} ${is_redacted}`;
    // Once a plan, on the first wagon that it travels to.
    if (told.has(key)) return [];
    told.add(key);
    const secrets = count === 1 ? "1 secret" : `${count} secrets`;
    const says = is_redacted
      ? `${secrets} would be redacted from card ${card_id}.`
      : `Card ${card_id} holds ${secrets} and travels as it is.`;
    const own = rider.handover?.context_packing_config;
    const fix: PlanOp[] = own
      ? [{ op: "set", node: place, path: "/handover/context_packing_config/inherit_context/redact", value: true }]
      : [];
    return [kernelProblem("secret", place, path, says, is_redacted ? [] : fix)];
  });
}
