// The turns of a yard as the rows of a table: each under the turn that called it, those of one caller in the order of time.
import type { TurnFrame } from "@/server/contract/frame";

export type TreeRow = {
  turn: TurnFrame;
  parent: string | null;
  /** From 1, as assistive technology counts. */
  level: number;
  position: number;
  siblings: number;
  /** Null without callees. */
  isOpen: boolean | null;
  /** Callees at every depth, as far as they are listed. */
  below: number;
  /** Only listed because something below it was asked for. */
  isPath: boolean;
};

export type TreeAsk = {
  /** In the order they were made. */
  turns: readonly TurnFrame[];
  closed: ReadonlySet<string>;
  /** Null when nothing is filtered. */
  matches: ReadonlySet<string> | null;
};

export function treeRows({ turns, closed, matches }: TreeAsk): TreeRow[] {
  const { roots, callees, parents } = familyOf(turns);
  const listed = matches === null ? null : withCallers(matches, parents);
  const isListed = (turn: TurnFrame) => listed === null || listed.has(turn.agent_turn_id);
  const rows: TreeRow[] = [];
  // A stack, for a chain may be as long as a run: the last pushed is drawn first.
  const stack: { turn: TurnFrame; level: number; position: number; siblings: number; parent: string | null }[] = [];
  const push = (all: readonly TurnFrame[], level: number, parent: string | null) => {
    const some = all.filter(isListed);
    for (let i = some.length - 1; i >= 0; i--) {
      const turn = some[i];
      if (turn) stack.push({ turn, level, position: i + 1, siblings: some.length, parent });
    }
  };
  const open: TreeRow[] = [];
  push(roots, 1, null);
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const id = next.turn.agent_turn_id;
    const own = (callees.get(id) ?? []).filter(isListed);
    const row: TreeRow = {
      ...next,
      isOpen: own.length === 0 ? null : !closed.has(id),
      below: 0,
      isPath: matches !== null && !matches.has(id),
    };
    rows.push(row);
    open.length = next.level - 1;
    for (const above of open) above.below++;
    open.push(row);
    if (row.isOpen) push(own, next.level + 1, id);
  }
  return rows;
}

/** Every caller of a turn, the nearest first. */
export function callersOf(turns: ReadonlyMap<string, TurnFrame>, id: string): string[] {
  const callers: string[] = [];
  const seen = new Set([id]);
  for (let at = callerOf(turns.get(id)); at !== null && turns.has(at) && !seen.has(at); at = callerOf(turns.get(at))) {
    seen.add(at);
    callers.push(at);
  }
  return callers;
}

/** A person who launches into a run was called by nobody: they stand beside the one who began it. */
const callerOf = (turn: TurnFrame | undefined): string | null =>
  turn === undefined || turn.primitive === "ui_action" ? null : (turn.parent_turn_id ?? null);

function familyOf(turns: readonly TurnFrame[]) {
  const known = new Set(turns.map((turn) => turn.agent_turn_id));
  const callees = new Map<string, TurnFrame[]>();
  const parents = new Map<string, string>();
  const roots: TurnFrame[] = [];
  for (const turn of turns) {
    const caller = callerOf(turn);
    // One whose caller lies past a cap still has a row.
    if (caller === null || !known.has(caller)) roots.push(turn);
    else {
      parents.set(turn.agent_turn_id, caller);
      const list = callees.get(caller);
      if (list) list.push(turn);
      else callees.set(caller, [turn]);
    }
  }
  return { roots, callees, parents };
}

function withCallers(matches: ReadonlySet<string>, parents: ReadonlyMap<string, string>): ReadonlySet<string> {
  const listed = new Set<string>();
  for (const id of matches)
    for (let at: string | undefined = id; at !== undefined && !listed.has(at); at = parents.get(at)) listed.add(at);
  return listed;
}

export type TreeKey = { select?: string; toggle?: string };

/** What a key does on a row, as the pattern of a treegrid has it. Null = not a key of the tree. */
export function treeKey(rows: readonly TreeRow[], at: number, key: string, page: number): TreeKey | null {
  const to = (index: number): TreeKey => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))];
    return row ? { select: row.turn.agent_turn_id } : {};
  };
  const row = rows[at];
  if (key === "Home") return to(0);
  if (key === "End") return to(rows.length - 1);
  if (row === undefined) return key in steps ? to(0) : null;
  const step = steps[key];
  if (step !== undefined) return to(at + step);
  if (key === "PageDown") return to(at + page);
  if (key === "PageUp") return to(at - page);
  const id = row.turn.agent_turn_id;
  if (key === "ArrowRight") return row.isOpen === false ? { toggle: id } : row.isOpen ? to(at + 1) : {};
  if (key === "ArrowLeft") return row.isOpen ? { toggle: id } : row.parent === null ? {} : { select: row.parent };
  return null;
}

const steps: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
