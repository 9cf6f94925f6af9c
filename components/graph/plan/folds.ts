// Which batches stand as one wagon: the very large ones by themselves, every other one, or not, by a person's wish.
import type { BatchFrame } from "@/server/contract/frame";

/** With more lanes a frame is larger than any screen that could still name them. */
export const FOLD_ABOVE = 500;
/** In the address: "batch_1" folds it, "-batch_1" unfolds one that folds by itself. */
export type Folds = readonly string[];

export function foldedOf(forks: readonly BatchFrame[], folds: Folds): ReadonlySet<string> {
  const wishes = new Set(folds);
  return new Set(
    forks
      .filter(({ batch_id, task_count }) =>
        task_count > FOLD_ABOVE ? !wishes.has(`-${batch_id}`) : wishes.has(batch_id),
      )
      .map((batch) => batch.batch_id),
  );
}

/** The wishes after a person has folded it, or unfolded it. */
export function toggled(folds: Folds, { batch_id, task_count }: BatchFrame): string[] {
  const wish = task_count > FOLD_ABOVE ? `-${batch_id}` : batch_id;
  return folds.includes(wish) ? folds.filter((one) => one !== wish) : [...folds, wish];
}
