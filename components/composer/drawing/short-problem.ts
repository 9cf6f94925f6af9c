// A problem in the few words that a wagon has room for. The whole sentence, with what to do, stands in its title, in the inspector and in
// the dry run; cut in the middle it said neither what is wrong nor what to do. Pure.
import type { PlanProblem } from "@/server/contract/plan/problem";

const words: Readonly<Record<string, string>> = {
  no_instruction: "no instruction",
  no_target: "no target",
  instruction_long: "instruction too long",
  circle: "waits for itself",
  twin: "same agent twice",
  would_queue: "may have to queue",
  profile_missing: "profile not found",
  agent_missing: "agent not found",
  nothing_to_clone: "nothing to clone yet",
  recipe_missing: "recipe not found",
  box_missing: "load not found",
  box_denied: "load not allowed",
  policy: "delegation not allowed",
  depth: "too deep",
  over_window: "over its window",
  may_not_fit: "may not fit",
  near_window: "window nearly full",
  over_limit: "over its token limit",
  no_worker: "no worker",
  loose: "joined to nothing",
  answer_stays: "nobody reads its result",
  dead_track: "never starts",
  secret: "holds secrets",
};

/** Beside its own name a problem need not name it again. */
export function shortProblem({ code, message }: Pick<PlanProblem, "code" | "message">, title: string): string {
  return words[code] ?? (message.startsWith(`${title} `) ? message.slice(title.length + 1) : message);
}
