// What is shown of two runs lives in the address, so that a link opens it as it was.
import { parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs";
import { compareVerdicts } from "@/server/contract/run-compare/run-comparison";

export const pairTabs = ["context", "requests", "deliverable"] as const;
export type PairTab = (typeof pairTabs)[number];

export const compareParams = {
  /** Ids of the first turns of the runs. */
  a: parseAsString,
  b: parseAsString,
  /** The turn for which a run to compare with is looked for, while one of them is open. */
  like: parseAsString,
  verdict: parseAsStringLiteral(compareVerdicts),
  from: parseAsInteger.withDefault(0),
  /** The turn of the first run, or of the second where it is alone, whose row is looked at. */
  pair: parseAsString,
  /** Without a choice, where the two part is shown. */
  tab: parseAsStringLiteral(pairTabs),
  /** Of the first turn, whose request is compared. */
  step: parseAsInteger,
};
