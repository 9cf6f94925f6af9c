// What became of a place in two runs, as it is called and drawn. Pure.
import type { Compared } from "./comparison";

export const comparedWords: Record<Compared, string> = {
  same: "the same result",
  changed: "ran again",
  here: "only here",
  there: "only there",
  neither: "ran in neither",
};
export const comparedMarks = {
  same: "passed",
  changed: "redacted",
  here: "added",
  there: "withheld",
  neither: "withheld",
} as const satisfies Record<Compared, string>;
