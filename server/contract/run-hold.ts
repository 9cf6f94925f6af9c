// A limit that holds a run, and how it is said. Apart from the limits' schema: the yard needs no validation before it is drawn.

/** The limit that holds a run, what has been used of it, and how many turns wait for it. */
export type RunHold = {
  limit: "turns_max" | "tokens_max" | "cost_max";
  max: number;
  used: number;
  waiting: number;
};

/** The reason in the inbox of a turn that a limit holds. */
export const HELD_REASON = "run_limit";

/** "turns_max 100 reached: 100 turns" */
export function holdWords({ limit, max, used }: Pick<RunHold, "limit" | "max" | "used">): string {
  if (limit === "cost_max") return `cost_max ${max} reached: ${used}`;
  const unit = limit === "turns_max" ? "turn" : "token";
  return `${limit} ${max} reached: ${used} ${unit}${used === 1 ? "" : "s"}`;
}
