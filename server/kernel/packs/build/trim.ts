// Step 8: trims a draft until it fits. The order is fixed, so the question is only how many steps are needed: it is answered by
// halving, because a pack of 1,000 inputs would otherwise be counted 1,000 times.
import { type Estimator, PACK_LIMITS, type PackProfile, type Trimmed } from "@/server/contract/context-pack/sidecar";
import { assemble, type Draft, type Lists, listNames } from "./draft";
import { estimatePack } from "./estimate";
import { BuildFault, type Redactor } from "./outcome";
import { type Trim, trimOrder } from "./trim-order";

export type Fitting = { draft: Draft; estimate: number; found: number; limit: number; trimmed: Trimmed[] };

export function trimToFit(
  draft: Draft,
  { profile, estimator, redact }: { profile: PackProfile; estimator: Estimator; redact: Redactor },
): Fitting {
  const limit = PACK_LIMITS[profile];
  const weigh = (one: Draft): number => estimatePack(assemble(one), estimator);
  const found = weigh(draft);
  if (found <= limit) return { draft, estimate: found, found, limit, trimmed: [] };

  const order = trimOrder(draft, redact);
  const least = applied(draft, order);
  const required = weigh(least);
  if (required > limit) {
    const bare = weigh({ ...least, lists: { ...least.lists, docRefs: [] } });
    throw unsatisfiable({ required, limit, profile, isOfDocs: bare < required / 2 });
  }

  // `under` does not fit, `enough` does.
  let [under, enough] = [0, order.length];
  while (enough - under > 1) {
    const middle = (under + enough) >> 1;
    if (weigh(applied(draft, order.slice(0, middle))) <= limit) enough = middle;
    else under = middle;
  }
  const done = order.slice(0, enough);
  const fitting = applied(draft, done);
  return { draft: fitting, estimate: weigh(fitting), found, limit, trimmed: done.map(({ log }) => log) };
}

type Unsatisfiable = { required: number; limit: number; profile: PackProfile; isOfDocs: boolean };

function unsatisfiable({ required, limit, profile, isOfDocs }: Unsatisfiable): BuildFault {
  const less = isOfDocs
    ? "Name fewer cards and documents, or give the cards in a box (those of boxes are left out when they do not fit)"
    : "Shorten the definition of done, constraints or tool policy";
  const remedy = `${less}, or ${profile === "routine" ? "use the profile expanded with a reason" : "split the task"}`;
  return new BuildFault(
    "budget_unsatisfiable",
    `profile: what may not be trimmed needs ${required} tokens, and ${profile} allows ${limit}. ${remedy}`,
    { required, limit },
  );
}

function applied(draft: Draft, trims: Trim[]): Draft {
  const lists = Object.fromEntries(listNames.map((name) => [name, [...draft.lists[name]]])) as Record<
    string,
    ({ item: object } | null)[]
  >;
  const facts = { ...draft.frame.repoFacts };
  for (const one of trims) {
    if (one.list === "repoFacts") delete facts[one.index];
    else {
      const entry = lists[one.list]?.[one.index] ?? null;
      const list = lists[one.list];
      if (list) list[one.index] = one.item === null || entry === null ? null : { ...entry, item: one.item };
    }
  }
  const kept = Object.fromEntries(
    listNames.map((name) => [name, lists[name]?.filter((entry) => entry !== null)]),
  ) as unknown as Lists;
  const repoFacts = Object.keys(facts).length === 0 ? undefined : facts;
  return { ...draft, frame: { ...draft.frame, repoFacts }, lists: kept };
}
