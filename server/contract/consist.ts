// A consist: the cards of a box to scale, as runs of role and tokens in order ("S120 U400 A30").
// Stored beside the box, so that a thousand turns can be drawn without reading a card.
import type { Role } from "./card";

export type ConsistRun = { role: Role; tokens: number };

export const CONSIST_RUNS_MAX = 48;
const letterOf: Record<Role, string> = { system: "S", user: "U", assistant: "A", tool: "T" };
const roleOf: Record<string, Role> = { S: "system", U: "user", A: "assistant", T: "tool" };

export function parseConsist(consist: string): ConsistRun[] {
  if (consist === "") return [];
  return consist.split(" ").map((run) => ({ role: roleOf[run.charAt(0)] ?? "user", tokens: Number(run.slice(1)) }));
}

/** Joins runs; past the cap the smallest neighbours are merged (the larger one's role stays), so the sum never changes. */
export function formatConsist(runs: ConsistRun[]): string {
  const kept = runs.filter((r) => r.tokens > 0).map((r) => ({ ...r }));
  while (kept.length > CONSIST_RUNS_MAX) mergeSmallest(kept);
  return kept.map((r) => `${letterOf[r.role]}${r.tokens}`).join(" ");
}

export const appendConsist = (consist: string, runs: ConsistRun[]): string =>
  formatConsist([...parseConsist(consist), ...runs]);

function mergeSmallest(runs: ConsistRun[]): void {
  let at = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 1 < runs.length; i++) {
    const sum = (runs[i]?.tokens ?? 0) + (runs[i + 1]?.tokens ?? 0);
    if (sum < least) {
      least = sum;
      at = i;
    }
  }
  const [a, b] = [runs[at], runs[at + 1]];
  if (a && b) runs.splice(at, 2, { role: a.tokens >= b.tokens ? a.role : b.role, tokens: least });
}
