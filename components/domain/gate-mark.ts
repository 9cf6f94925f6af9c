// What a branch was to a gate that does not wait for all: in the same words on the batch board and where a plan is drawn. Pure.
import type { JoinPolicy } from "@/server/contract/join-policy";

export type GateSeen<Branch> = {
  policy: Pick<JoinPolicy, "kind" | "count">;
  /** How many counted arrivals close it. */
  needed: number;
  /** In the order of their arrival. */
  arrivals: readonly Branch[];
  late: readonly Branch[];
  delivered: (branch: Branch) => boolean;
};

/** Those that counted, in the order of their arrival, at most as many as it needs. */
export const countedBy = <Branch>({ policy, needed, arrivals, delivered }: Omit<GateSeen<Branch>, "late">): Branch[] =>
  arrivals.filter((branch) => policy.count === "ended" || delivered(branch)).slice(0, needed);

/** "counted, 2nd", "did not count", "late". Null where all are waited for, and before it has arrived. */
export function gateMarkOf<Branch>(gate: GateSeen<Branch>, branch: Branch): string | null {
  if (gate.late.includes(branch)) return "late";
  if (gate.policy.kind === "all" || !gate.arrivals.includes(branch)) return null;
  const place = countedBy(gate).indexOf(branch);
  return place === -1 ? "did not count" : `counted, ${ordinal(place + 1)}`;
}

function ordinal(n: number): string {
  const tens = n % 100;
  const end = tens > 10 && tens < 14 ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[n % 10] ?? "th");
  return `${n}${end}`;
}
