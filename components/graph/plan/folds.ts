// What stands as one wagon: large batches and many calls alike by themselves, every other one, or not, by a person's wish.
import type { BatchFrame } from "@/server/contract/frame";

/** With more lanes a first look shows a wall of wagons and not the run. */
export const FOLD_ABOVE = 12;
/**
 * Wishes, which live in the address. "all" folds every batch and all calls alike, "none" nothing; without either each folds by
 * itself or not. An id is folded, "-" before it is not: of a batch, of calls alike (`alike.ts`), or of a turn, which then holds
 * all that hangs on it.
 */
export type Folds = readonly string[];

export const ALL = "all";
export const NONE = "none";

/** `isByItself`: whether it folds while nobody wishes anything. */
export function isFolded(folds: Folds, id: string, isByItself: boolean): boolean {
  if (folds.includes(id)) return true;
  if (folds.includes(`-${id}`)) return false;
  return unasked(folds, isByItself);
}

/** What hangs on a turn is folded into it by its own wish alone. */
export const isShut = (folds: Folds, agentTurnId: string): boolean => folds.includes(agentTurnId);

/** The wishes after a person has folded it, or unfolded it; a wish that says what is so anyway is dropped. */
export function wished(folds: Folds, id: string, isByItself: boolean, shall: boolean): string[] {
  const others = folds.filter((one) => one !== id && one !== `-${id}`);
  return unasked(folds, isByItself) === shall ? others : [...others, shall ? id : `-${id}`];
}

export const foldsByItself = ({ task_count }: Pick<BatchFrame, "task_count">): boolean => task_count > FOLD_ABOVE;

export function foldedOf(forks: readonly BatchFrame[], folds: Folds): ReadonlySet<string> {
  return new Set(
    forks.filter((batch) => isFolded(folds, batch.batch_id, foldsByItself(batch))).map((batch) => batch.batch_id),
  );
}

function unasked(folds: Folds, isByItself: boolean): boolean {
  if (folds.includes(ALL)) return true;
  return folds.includes(NONE) ? false : isByItself;
}
