// Where two turns that are paired part: the first thing that differs, in the order in which a turn reads and writes. Pure.
import type { PartingKind } from "./parting";

/** A card of a turn. `words`: equal for cards that say the same. `step`: as the turn counts; null = not recorded. */
export type TurnItem = { card_id: string; type: string; words: string; step: number | null; at_ms: number };

/** The start of a request, before any card. */
export type StepHead = { step: number; at_ms: number; system: string; tools: string };

export type TurnContents = {
  profile_name: string;
  /** Its model and settings; equal for equal ones. null = not known. */
  model: string | null;
  status: string;
  started_ms: number;
  ended_ms: number | null;
  /** What it remembered and was handed. */
  given: readonly TurnItem[];
  written: readonly TurnItem[];
  heads: readonly StepHead[];
  /** Its first step continues this step of the turn that it is a fork of; 1 for all others. */
  begins_at: number;
  /** Cards that a person changed in a fork. */
  edited: ReadonlySet<string>;
};

export type FoundSide = { at_ms: number; step?: number; card_id?: string };
export type FoundParting = { kind: PartingKind; a: FoundSide; b: FoundSide };

/** null = nothing that is stored differs. */
export function findParting(a: TurnContents, b: TurnContents): FoundParting | null {
  const [factsA, factsB] = [factsOf(a, b), factsOf(b, a)];
  const at = factsA.findIndex((fact, i) => fact.of !== factsB[i]?.of || fact.words !== factsB[i]?.words);
  const [one, other] = [factsA[at], factsB[at]];
  if (!one || !other) return null;
  const kind = kindOf(one, other, { a, b });
  const cause = [one, other].find((fact) => fact.kind === kind) ?? one;
  return { kind, a: sideOf(one, a, cause.step), b: sideOf(other, b, cause.step) };
}

/** `step`: as the original of a fork counts. `of`: facts are only equal to facts of the same sort. */
type Fact = {
  of: "head" | "given" | "written" | "end";
  kind: PartingKind;
  words: string;
  step: number | null;
  at_ms: number;
} & {
  item?: TurnItem;
};

/** The last is its end, which both have. */
function factsOf(turn: TurnContents, other: TurnContents): Fact[] {
  const { given, written, heads, started_ms, ended_ms, status } = turn;
  const shift = turn.begins_at - 1;
  const first = Math.max(turn.begins_at, other.begins_at);
  const fact = (kind: PartingKind, words: string, more: Partial<Fact> = {}): Fact => ({
    ...{ of: "head" as const, kind, words, step: heads.length > 0 ? first : null, at_ms: started_ms },
    ...more,
  });
  // A request that only one of them has stored says nothing about the other.
  const others = new Set(other.heads.map(({ step }) => step + other.begins_at - 1));
  const headFacts = heads.flatMap(({ step, at_ms, system, tools }) => {
    const at = { step: step + shift, at_ms };
    return others.has(at.step) ? [fact("system_prompt", system, at), fact("tools", tools, at)] : [];
  });
  const isKnown = turn.model !== null && other.model !== null;
  const facts = [
    fact("profile", turn.profile_name),
    ...headFacts.filter(({ step }) => step === first),
    fact("model", isKnown ? (turn.model ?? "") : ""),
    ...given.map((item) =>
      fact(item.type === "task.instruction" ? "instruction" : "context", item.words, { of: "given", item }),
    ),
  ];
  const later = headFacts.filter(({ step }) => (step ?? 0) > first);
  let step: number | null = null;
  for (const item of written) {
    step = item.step === null ? step : item.step + shift;
    while ((later[0]?.step ?? Number.POSITIVE_INFINITY) <= (step ?? 0)) facts.push(...later.splice(0, 1));
    facts.push(fact(kindOfWritten(item), item.words, { of: "written", item, step, at_ms: item.at_ms }));
  }
  return [...facts, ...later, fact("status", status, { of: "end", step, at_ms: ended_ms ?? started_ms })];
}

function kindOfWritten({ type }: TurnItem): PartingKind {
  if (type === "tool.result") return "tool_answer";
  return type.startsWith("agent.") || type === "tool.call" || type === "task.deliverable" ? "model_answer" : "card";
}

function kindOf(one: Fact, other: Fact, { a, b }: { a: TurnContents; b: TurnContents }): PartingKind {
  const isEdited = ({ item }: Fact) => item !== undefined && (a.edited.has(item.card_id) || b.edited.has(item.card_id));
  if (isEdited(one) || isEdited(other)) return "edited";
  const ends = [one, other].filter(({ of }) => of === "end");
  // The one that went on wrote more; that the other had ended is what differs.
  if (ends.length > 0 && a.status !== b.status) return "status";
  const isAny = (of: Fact["of"]) => one.of === of || other.of === of;
  if (isAny("given")) return one.kind === other.kind ? one.kind : "context";
  if (!isAny("written")) return one.kind;
  const kinds = [one, other].flatMap((fact) => (fact.of === "written" ? fact.kind : []));
  return (["tool_answer", "model_answer"] as const).find((kind) => kinds.includes(kind)) ?? "card";
}

function sideOf(fact: Fact, { begins_at }: TurnContents, at: number | null): FoundSide {
  const step = fact.step ?? at;
  return {
    at_ms: fact.at_ms,
    ...(step !== null && { step: Math.max(1, step - begins_at + 1) }),
    ...(fact.item && { card_id: fact.item.card_id }),
  };
}
