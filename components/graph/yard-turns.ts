// Which turns a yard shows, in which order, and who called whom. Pure: from the picture alone.
import type { EdgeFrame, Picture, TurnFrame } from "@/server/contract/frame";
import type { Placing } from "./plan";

/** One run by its root turn, or all of them. */
export type Scope = string;
export const ALL_RUNS = "all";

export type Link = { source: string; target: string; edge: EdgeFrame | undefined };

/** Turns of the scope, callers before those they called, otherwise in the order they were made. */
export function turnsOf(picture: Picture, scope: Scope): TurnFrame[] {
  const turns: TurnFrame[] = [];
  for (const turn of picture.turn.values()) if (scope === ALL_RUNS || turn.root_turn_id === scope) turns.push(turn);
  if (!isInOrder(turns)) turns.sort(byCreation);
  return turns;
}

/** Who called each turn: its edge says, and where an edge is missing (it lies past a cap) the turn itself. */
export function linksOf(picture: Picture, scope: Scope): Map<string, Link> {
  const links = new Map<string, Link>();
  for (const edge of picture.edge.values()) {
    if (scope !== ALL_RUNS && edge.root_turn_id !== scope) continue;
    // An agent used again has one caller a turn; should an import name two, the first stands.
    if (!links.has(edge.target_turn_id))
      links.set(edge.target_turn_id, { source: edge.source_turn_id, target: edge.target_turn_id, edge });
  }
  return links;
}

/** What the plan needs, callers first. */
export function placingsOf(turns: readonly TurnFrame[], links: ReadonlyMap<string, Link>): Placing[] {
  const byId = new Map(turns.map((turn) => [turn.agent_turn_id, turn]));
  const done = new Set<string>();
  const placings: Placing[] = [];
  for (const turn of turns) {
    // Walk up to the first caller that is listed already: in one transaction a child may be older than its parent.
    const waiting: TurnFrame[] = [];
    for (let at: TurnFrame | undefined = turn; at && !done.has(at.agent_turn_id); ) {
      done.add(at.agent_turn_id);
      waiting.push(at);
      at = byId.get(callerOf(at, links) ?? "");
    }
    for (const next of waiting.reverse())
      placings.push({
        id: next.agent_turn_id,
        parent: callerOf(next, links) ?? null,
        is_human: next.is_human,
        is_inferred: links.get(next.agent_turn_id)?.edge?.is_inferred ?? false,
      });
  }
  return placings;
}

const callerOf = (turn: TurnFrame, links: ReadonlyMap<string, Link>): string | undefined =>
  links.get(turn.agent_turn_id)?.source ?? turn.parent_turn_id;

const byCreation = (a: TurnFrame, b: TurnFrame): number =>
  a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0;

function isInOrder(turns: readonly TurnFrame[]): boolean {
  for (let i = 1; i < turns.length; i++) {
    const [a, b] = [turns[i - 1], turns[i]];
    if (a && b && a.created_at > b.created_at) return false;
  }
  return true;
}
