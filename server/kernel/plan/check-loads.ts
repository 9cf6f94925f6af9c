// The part of a plan's check that is about what is loaded: may it be handed over, does it exist, and what does it weigh. What
// is not there yet is estimated from what the profile has delivered before.
import { givenValue, isId } from "@/server/contract/plan/given-value";
import { type Estimate, type KernelProblem, kernelProblem } from "@/server/contract/plan/kernel-check";
import type { Load, Plan } from "@/server/contract/plan/plan";
import { isTaskPlace, nodeIdOf } from "@/server/contract/plan/plan-words";
import { entryAt } from "@/server/contract/plan/problem";
import { loadsOf } from "@/server/contract/plan/tracks";
import { readGrants, type WeighedGrant, type WeighedGrants } from "../context/read-grants";
import { cardTokens } from "../tokens/card-tokens";
import type { Unit } from "../unit";
import type { CheckCaller } from "./check-caller";
import type { Aimed } from "./check-targets";
import { estimateOf, estimateResults, type ProfileResults, type TakeOf } from "./estimate-results";
import type { readResults } from "./lock-plan";
import { type LoadItem, resolveEntry, summaryContent } from "./resolve-load";

export type Lent = NonNullable<Awaited<ReturnType<typeof readResults>>>;

/** One entry of a load, as far as it is known. `items` may be handed over and exist; `tokens` weighs what is no card yet. */
export type EntryWeight = { items: LoadItem[]; tokens: number; estimates: Estimate[]; unknown: string[] };

export type CheckLoads = {
  project_id: string;
  plan: Plan;
  caller: CheckCaller;
  /** All that are switched on: the loaded ones too. */
  aimed: readonly Aimed[];
  /** The nodes that are checked. */
  nodes: ReadonlySet<string>;
  inputs: Record<string, string>;
  lent: Lent | null;
};

export type CheckedLoads = {
  problems: KernelProblem[];
  /** Of an entry of this node or task. */
  weigh: (entry: Load, nodeId: string) => EntryWeight;
  /** What an agent that goes on remembers: the output of the wagon that `@place` names. */
  memoryOf: (ref: string) => EntryWeight;
  /** Of everything that exists. */
  tokensOf: (item: LoadItem) => number;
};

export async function checkLoads(unit: Unit, input: CheckLoads): Promise<CheckedLoads> {
  const { plan, caller, project_id, aimed, nodes } = input;
  const entries = plan.nodes.flatMap((node, i) =>
    nodes.has(node.id) ? loadsOf(node, i).map((entry) => ({ ...entry, node })) : [],
  );
  const asked = [
    ...entries.flatMap(({ load, node }) => itemsOf(input, load, node.id)),
    ...givenInputs(input).map(({ item }) => item),
    ...aimed.flatMap(({ rider }) => lentMemory(input, rider.target?.ref ?? "") ?? []),
  ];
  const grants = await readGrants(unit, {
    project_id,
    source_agent_id: caller.turn.agent_id,
    box_ids: asked.flatMap((item) => ("box_id" in item ? item.box_id : [])),
    card_ids: asked.flatMap((item) => ("card_id" in item ? item.card_id : [])),
  });
  const profiles = new Map(aimed.flatMap(({ place, target }) => (target ? [[place, target.profile.name]] : [])));
  const named = sourcesOf(plan, aimed, nodes).flatMap((place) => profiles.get(place) ?? []);
  const results = await estimateResults(unit, { project_id, profile_names: named });
  const known = (place: string): ProfileResults | undefined => results.get(profiles.get(place) ?? "");
  const { name = "agents" } = caller.body ?? {};
  const problems = [
    ...entries.flatMap(({ load, at, path }) =>
      staticOf(load).flatMap((item) => refusal(grants, item, name, entryAt(at, path), path)),
    ),
    ...entries.flatMap(({ load, at, path }) =>
      caller.is_human && plan.run_by.profiles.length > 0
        ? staticOf(load).map((item) => ofPerson(item, entryAt(at, path), path))
        : [],
    ),
    ...malformedInputs(input),
    ...givenInputs(input).flatMap(({ item, index }) => refusal(grants, item, name, "", `inputs.${index}`)),
  ];
  return {
    problems,
    weigh: (entry, nodeId) => weigh(input, grants, known, entry, nodeId),
    memoryOf: (ref) => {
      const items = lentMemory(input, ref);
      if (!items) return estimateFrom(plan, known, ref.slice(1), "output");
      const tokens = items.reduce((sum, item) => sum + (grantOf(grants, item)?.tokens ?? 0), 0);
      return { ...NOTHING, tokens };
    },
    tokensOf: (item) => grantOf(grants, item)?.tokens ?? 0,
  };
}

const staticOf = (load: Load): LoadItem[] =>
  "box" in load ? [{ box_id: load.box }] : "card" in load ? [{ card_id: load.card }] : [];

/** Boxes and cards that stand for inputs. */
function givenInputs({ plan, inputs }: CheckLoads): { item: LoadItem; index: number }[] {
  return plan.inputs.flatMap((input, index) => {
    const value = givenValue(input, inputs);
    if (input.kind === "text" || value === undefined || !isId(value)) return [];
    return [{ item: input.kind === "box" ? { box_id: value } : { card_id: value }, index }];
  });
}

/** A megabyte that is no id came back in the refusal, twice. */
function malformedInputs({ plan, inputs }: CheckLoads): KernelProblem[] {
  return plan.inputs.flatMap((input, index) => {
    const value = givenValue(input, inputs);
    if (input.kind === "text" || value === undefined || isId(value)) return [];
    const says = `Input ${input.name} is no id of a ${input.kind}. An id has 1 to 128 characters of A-Z a-z 0-9 _ -.`;
    return kernelProblem("box_missing", "", `inputs.${index}`, says);
  });
}

/** Everything of an entry that has an id now. */
function itemsOf(input: CheckLoads, load: Load, nodeId: string): LoadItem[] {
  if (!("from" in load)) return staticOf(load);
  return lentItems(input, load, nodeId)?.flatMap((item) => ("summary_of" in item ? [] : [item])) ?? [];
}

/** What an earlier run recorded for it. Null = nothing. */
function lentItems({ lent, plan }: CheckLoads, load: Extract<Load, { from: string }>, nodeId: string) {
  const standing = lent?.nodes.get(nodeIdOf(load.from));
  const node = plan.nodes.find(({ id }) => id === nodeId);
  if (!lent || !node || !standing?.tasks) return null;
  return resolveEntry({ plan: lent.plan, nodes: lent.nodes, inputs: lent.inputs }, node, load).items;
}

function lentMemory({ lent }: CheckLoads, ref: string): LoadItem[] | null {
  const place = ref.slice(1);
  if (!lent || !ref.startsWith("@") || !lent.nodes.get(nodeIdOf(place))?.tasks) return null;
  const node = lent.plan.nodes.find(({ id }) => id === nodeIdOf(place));
  const load = { from: place, take: "output" } as const;
  const { items } = node
    ? resolveEntry({ plan: lent.plan, nodes: lent.nodes, inputs: lent.inputs }, node, load)
    : { items: [] };
  return items.flatMap((item) => ("summary_of" in item ? [] : item));
}

/** Places whose results are loaded, or whose agents go on. */
function sourcesOf(plan: Plan, aimed: readonly Aimed[], nodes: ReadonlySet<string>): string[] {
  const froms = plan.nodes.flatMap((node, i) =>
    nodes.has(node.id) ? loadsOf(node, i).flatMap(({ load }) => ("from" in load ? [load.from] : [])) : [],
  );
  const agents = aimed.flatMap(({ rider }) => (rider.target?.ref.startsWith("@") ? [rider.target.ref.slice(1)] : []));
  return [...froms, ...agents].flatMap((place) => placesAt(plan, place));
}

/** The wagons of a node: of a fork all its tasks. */
function placesAt(plan: Plan, place: string): string[] {
  const node = plan.nodes.find(({ id }) => id === nodeIdOf(place));
  if (node?.kind !== "fork" || isTaskPlace(place)) return [place];
  return node.tasks.map(({ id }) => `${node.id}.${id}`);
}

const grantOf = (grants: WeighedGrants, item: LoadItem): WeighedGrant | undefined =>
  "box_id" in item ? grants.boxes.get(item.box_id) : grants.cards.get(item.card_id);
const wordsOf = (item: LoadItem): [string, string] =>
  "box_id" in item ? ["Box", item.box_id] : ["Card", item.card_id];

/** The right comes before existence: a refusal never tells whether something exists. */
function refusal(grants: WeighedGrants, item: LoadItem, caller: string, at: string, path: string): KernelProblem[] {
  const grant = grantOf(grants, item);
  const [kind, id] = wordsOf(item);
  if (!grant?.is_allowed) {
    const says = `${kind} ${id} is not ${caller}'s to hand over. Load a copy you may, or ask a person.`;
    return [kernelProblem("box_denied", at, path, says)];
  }
  return grant.is_there ? [] : [kernelProblem("box_missing", at, path, `${kind} ${id} is not in this project.`)];
}

function ofPerson(item: LoadItem, at: string, path: string): KernelProblem {
  const [kind, id] = wordsOf(item);
  const says = `Agents that run this plan may have no right to ${kind.toLowerCase()} ${id}; it is checked at their launch.`;
  return kernelProblem("box_of_person", at, path, says);
}

const NOTHING: EntryWeight = { items: [], tokens: 0, estimates: [], unknown: [] };

function weigh(
  input: CheckLoads,
  grants: WeighedGrants,
  known: (place: string) => ProfileResults | undefined,
  load: Load,
  nodeId: string,
): EntryWeight {
  const passed = (items: LoadItem[]): LoadItem[] =>
    items.filter((item) => grantOf(grants, item)?.is_allowed && grantOf(grants, item)?.is_there);
  if (!("from" in load))
    return "input" in load ? weighInput(input, passed, load.input) : { ...NOTHING, items: passed(staticOf(load)) };
  const { plan, lent } = input;
  if (plan.nodes.find(({ id }) => id === nodeIdOf(load.from))?.disabled) return NOTHING;
  const items = lentItems(input, load, nodeId);
  if (items) {
    const joins = items.flatMap((item) => ("summary_of" in item ? (lent?.nodes.get(item.summary_of) ?? []) : []));
    const tokens = joins.reduce((sum, join) => sum + cardTokens({ content: summaryContent(join) }), 0);
    return { ...NOTHING, items: passed(items.flatMap((item) => ("summary_of" in item ? [] : item))), tokens };
  }
  return estimateFrom(plan, known, load.from, load.take);
}

/** Of a result that is not there yet. */
function estimateFrom(
  plan: Plan,
  known: (place: string) => ProfileResults | undefined,
  from: string,
  take: TakeOf,
): EntryWeight {
  const places = placesAt(plan, from).map((place) => ({ place, estimate: estimateOf(known(place), take) }));
  return {
    ...NOTHING,
    estimates: places.flatMap(({ estimate }) => estimate ?? []),
    unknown: places.flatMap(({ place, estimate }) => (estimate ? [] : place)),
  };
}

function weighInput(
  { plan, inputs }: CheckLoads,
  passed: (items: LoadItem[]) => LoadItem[],
  name: string,
): EntryWeight {
  const input = plan.inputs.find((one) => one.name === name);
  if (!input) return NOTHING;
  const value = givenValue(input, inputs);
  if (value === undefined || value === "") return input.required ? { ...NOTHING, unknown: [`input.${name}`] } : NOTHING;
  // It becomes a card at the launch.
  if (input.kind === "text") return { ...NOTHING, tokens: cardTokens({ content: { kind: "text", text: value } }) };
  return { ...NOTHING, items: passed([input.kind === "box" ? { box_id: value } : { card_id: value }]) };
}
