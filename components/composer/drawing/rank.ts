// Where in a load something is put that is dropped on a wagon: at the gap of its consist that is nearest. Pure.
import type { PlaceCheck } from "@/server/contract/plan/kernel-check";
import { scaleOf } from "../check/figures";

export type Gap = {
  /** In the wagon's own list. */
  index: number;
  /** As a share of the wagon's width. */
  share: number;
};

/** `at`: a share of the wagon's width. Null = nothing is known of its consist: then it comes last. */
export function gapAt(check: PlaceCheck | undefined, place: string, at: number): Gap | null {
  if (!check?.loads) return null;
  const { begins, entries } = check.loads;
  const own = entries.filter(({ owner }) => owner === place);
  const scale = scaleOf(check);
  if (own.length === 0 || scale === 0) return null;
  const before = begins + entries.filter(({ owner }) => owner !== place).reduce((sum, { tokens }) => sum + tokens, 0);
  const gaps: Gap[] = [{ index: 0, share: before / scale }];
  let sum = before;
  for (const { index, tokens } of own) {
    sum += tokens;
    gaps.push({ index: index + 1, share: sum / scale });
  }
  return gaps.reduce((best, gap) => (Math.abs(gap.share - at) < Math.abs(best.share - at) ? gap : best));
}
