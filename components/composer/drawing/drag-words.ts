// What letting go of a coupling would do, in one sentence: the keys that change it are learnt where they are needed. Pure.
import type { Plan } from "@/server/contract/plan/plan";
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import { writtenTracks } from "@/server/contract/plan/tracks";
import { type Carried, named } from "../draft/edits";

export type Coupled = {
  from: string;
  /** A wagon, a task or a fork; null = open ground. */
  to: string | null;
  carried: Carried;
  refusal: string | undefined;
};

export function couplingWords(plan: Plan, { from, to, carried, refusal }: Coupled): string {
  const source = named(plan, from);
  if (to === null) return "Let go on a wagon to lead there, or here to choose what follows.";
  if (refusal !== undefined) return `Not here: ${refusal}.`;
  const index = plan.nodes.findIndex(({ id }) => id === nodeIdOf(to));
  const node = plan.nodes[index];
  const waits = node ? writtenTracks(node, index).map((track) => track.from) : [];
  const others = [...new Set(waits.filter((one) => one !== from))].map((one) => named(plan, one));
  const starts = `It then starts after ${[source, ...others].join(" and after ")}.`;
  if (carried === "order") return `Loads nothing of ${source}. ${starts}`;
  return `Loads ${carried === "output" ? "all that" : "what"} ${source} ${carried === "output" ? "writes" : "delivers"}. ${starts}`;
}
