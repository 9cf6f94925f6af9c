// Everything a launch is given but its text lives in the URL, so that a link opens the composer as it was:
// ?launch=1&target=new:Associate_Search&boxes=<id>,<id>&cards=<id>
import { createParser, parseAsArrayOf, parseAsString } from "nuqs";
import type { TargetStrategy } from "@/server/contract/turn";

export type LaunchTarget = { target_strategy: TargetStrategy; target_ref: string };

export const parseAsTarget = createParser<LaunchTarget>({
  parse: parseTarget,
  serialize: (target) => `${target.target_strategy}:${target.target_ref}`,
  eq: (a, b) => a.target_strategy === b.target_strategy && a.target_ref === b.target_ref,
});

export const launchParams = {
  /** Open while it is there, whatever it says. */
  launch: parseAsString,
  target: parseAsTarget,
  boxes: parseAsArrayOf(parseAsString).withDefault([]),
  cards: parseAsArrayOf(parseAsString).withDefault([]),
};

/** "new:Planner", "reuse:<agent id>", "clone:<agent id>"; a bare name is a profile. */
export function parseTarget(text: string): LaunchTarget | null {
  const at = text.indexOf(":");
  const word = at === -1 ? "" : text.slice(0, at);
  const strategy = strategies.find((candidate) => candidate === word);
  const target_ref = (strategy === undefined ? text : text.slice(at + 1)).trim();
  return target_ref === "" ? null : { target_strategy: strategy ?? "new", target_ref };
}

const strategies: readonly TargetStrategy[] = ["new", "reuse", "clone"];
