// What is said about a wagon that holds several turns, on it, in its panel and to a screen reader: the same words everywhere.
import { formatCompact, formatCount } from "@/components/ui/format";
import type { AspectStatus } from "@/components/ui/sign-words";
import { spokenBatch } from "./batch-words";
import { type FoldView, worstOf } from "./plan/fold-view";
import { groupStatuses, type StatGroup } from "./run-stats";

/** Worst first: what a person looks for. */
export const foldGroups = ["failed", "running", "waiting", "canceled", "done"] as const satisfies readonly StatGroup[];

/** "64 turns"; of a batch its tasks, for some may have no turn yet. */
export const foldCount = ({ kind, count }: FoldView): string => formatCount(count, kind === "batch" ? "task" : "turn");

/** "and 120 they called" */
export function belowWords({ kind, count, turns }: FoldView): string | null {
  const more = turns.length - count;
  return kind === "below" || more <= 0 ? null : `and ${more} they called`;
}

export type FoldLamp = { group: StatGroup; status: AspectStatus; count: number; words: string };

/** A lamp for each group that has turns, of the worst in it: 27 done of which 2 ended in part are not 27 good ones. */
export function foldLamps({ stats, turns }: FoldView): FoldLamp[] {
  return foldGroups.flatMap((group) => {
    const count = stats[group];
    if (count === 0) return [];
    const own = turns.flatMap(({ status }) => (groupStatuses[group].includes(status) ? [status] : []));
    const status = own.reduce((worst, next) => worstOf([worst, next]), own[0] ?? "success");
    const same = own.filter((one) => one === status).length;
    const part = partWords[status];
    return [{ group, status, count, words: part ? `${count} ${group}, ${same} ${part}` : `${count} ${group}` }];
  });
}

/** What the name of a group does not say. */
const partWords: Partial<Record<AspectStatus, string>> = { partial: "in part" };

/** "3 failed, 1 running, 60 done, 2 in part" */
export const statWords = (fold: FoldView): string =>
  foldLamps(fold)
    .map(({ words }) => words)
    .join(", ");

/** How many of it the filter finds; null while nothing is filtered. */
export function foldMatches({ turns }: FoldView, matches: ReadonlySet<string> | null): number | null {
  if (matches === null) return null;
  let found = 0;
  for (const turn of turns) if (matches.has(turn.agent_turn_id)) found++;
  return found;
}

/** "3 of 64 match" */
export const matchWords = (found: number, { turns }: FoldView): string =>
  `${found} of ${turns.length} ${found === 1 ? "matches" : "match"}`;

/** "64 turns of scout, folded, 3 failed, 61 done, 1.2M tokens, 3 of 64 match" */
export function spokenFold(fold: FoldView, matches: ReadonlySet<string> | null): string {
  const found = foldMatches(fold, matches);
  const own = {
    batch: fold.batch ? spokenBatch(fold.batch) : fold.name,
    alike: `${foldCount(fold)} of ${fold.name}`,
    stretch: `${foldCount(fold)} that follow ${fold.name}`,
    below: `${foldCount(fold)} that ${fold.name} called`,
  };
  return [
    own[fold.kind],
    belowWords(fold),
    "folded",
    fold.kind === "batch" ? null : statWords(fold),
    fold.stats.tokens === 0 ? null : `${formatCompact(fold.stats.tokens)} tokens`,
    found === null ? null : matchWords(found, fold),
  ]
    .filter((part) => part !== null && part !== "")
    .join(", ");
}
