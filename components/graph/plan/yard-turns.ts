// Which turns and batches a yard shows, in which order, and who called whom. Pure: from the picture alone.
import type { Placing } from "@/components/ground/plan";
import type { PlanGround } from "@/components/ground/seat-stops";
import { stopId } from "@/components/ground/stop";
import { isFramed } from "@/server/contract/batch-code";
import type { BatchFrame, EdgeFrame, Picture, PlanRunFrame, TurnFrame } from "@/server/contract/frame";

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

/** Forks of the scope in the order they were made. An expert that is asked is drawn as a turn like any other. */
export function forksOf(picture: Picture, scope: Scope): BatchFrame[] {
  const forks: BatchFrame[] = [];
  for (const batch of picture.batch.values())
    if (isFramed(batch) && (scope === ALL_RUNS || batch.root_turn_id === scope)) forks.push(batch);
  return forks.sort(byBirth);
}

/** Runs of plans of the scope in the order they were launched. */
export function planRunsOf(picture: Picture, scope: Scope): PlanRunFrame[] {
  const runs: PlanRunFrame[] = [];
  for (const run of picture.plan_run.values()) if (scope === ALL_RUNS || run.root_turn_id === scope) runs.push(run);
  return runs.sort((a, b) =>
    a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : a.plan_run_id < b.plan_run_id ? -1 : 1,
  );
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

/** Turns of one caller that stand as one wagon. */
export type WagonLoad = { id: string; parent: string; members: readonly TurnFrame[] };

export type PlacingsInput = {
  turns: readonly TurnFrame[];
  links: ReadonlyMap<string, Link>;
  forks?: readonly BatchFrame[];
  /** Batches that stand as one wagon: what they hold is left out. */
  folded?: ReadonlySet<string>;
  /** Turns that stand for all that hangs on them. */
  shut?: ReadonlySet<string>;
  /** By turn of a long conversation: the turn that stands for it; and by such a turn what it hangs on. */
  stretches?: { heads: ReadonlyMap<string, string>; parents: ReadonlyMap<string, string> };
  /** How many columns a conversation has before it goes on in the next line. */
  line?: number;
  /** By turn: the calls alike that stand as one wagon and hold it. */
  alike?: ReadonlyMap<string, WagonLoad>;
  plans?: readonly PlanRunFrame[];
  /** null = the plan cannot be drawn, undefined = not known yet: what it started is left out until then. */
  groundOf?: (planRunId: string) => PlanGround | null | undefined;
  /** Batches of every kind. */
  batchOf?: (batchId: string) => BatchFrame | undefined;
};

export type Placings = {
  placings: Placing[];
  /** By turn: the folded batch, the folded calls alike or the turn that holds it; the outermost of several. */
  held: ReadonlyMap<string, string>;
};

/** What the plan needs: callers first, and a batch before its branches and before whatever came after it. */
export function placingsOf(input: PlacingsInput): Placings {
  const { turns, links, forks = [], folded = nothing, shut = nothing, alike = noAlike, plans = [] } = input;
  const { stretches = { heads: noHeads, parents: noHeads }, line } = input;
  const { groundOf = noGround, batchOf = noBatchOf } = input;
  const byId = new Map(turns.map((turn) => [turn.agent_turn_id, turn]));
  const batches = new Map(forks.map((batch) => [batch.batch_id, batch]));
  const runs = new Map(plans.map((run) => [run.plan_run_id, run]));
  const done = new Set<string>();
  /** What is not drawn, and what holds it; of a plan that is not known yet nothing does. */
  const hidden = new Map<string, string | null>();
  const placings: Placing[] = [];

  /** undefined = what it calls is drawn. */
  function holderBelow(parent: string): string | null | undefined {
    return hidden.get(parent) ?? (hidden.has(parent) ? null : shut.has(parent) ? parent : undefined);
  }

  function place(turn: TurnFrame) {
    // Walk up to the first caller that is listed already: in one transaction a child may be older than its parent.
    const waiting: TurnFrame[] = [];
    for (let at: TurnFrame | undefined = turn; at && !done.has(at.agent_turn_id); ) {
      done.add(at.agent_turn_id);
      waiting.push(at);
      at = byId.get(callerOf(at, links) ?? "");
    }
    for (const next of waiting.reverse()) {
      const batch = batches.get(next.batch_id ?? "");
      if (batch) reserve(batch);
      const parent = stretches.parents.get(next.agent_turn_id) ?? callerOf(next, links) ?? null;
      const stop = stopOf(batchOf(next.batch_id ?? ""), next.created_at);
      const holder = holderOf(next, parent, batch, stop);
      if (holder !== undefined) {
        hidden.set(next.agent_turn_id, holder);
        continue;
      }
      placings.push({
        id: next.agent_turn_id,
        parent,
        is_human: next.is_human,
        is_inferred: links.get(next.agent_turn_id)?.edge?.is_inferred ?? false,
        ...(line !== undefined && { line }),
        ...(batch && next.task_index !== undefined
          ? { lane: { batch_id: batch.batch_id, task_index: next.task_index, since: next.created_at } }
          : {}),
        ...(stop && !batch && { stop }),
      });
    }
  }

  /** undefined = it is drawn itself. */
  function holderOf(
    turn: TurnFrame,
    parent: string | null,
    batch: BatchFrame | undefined,
    stop: Placing["stop"] | null | undefined,
  ): string | null | undefined {
    const above = holderBelow(parent ?? "");
    if (above !== undefined) return above;
    if (stop === undefined) return null;
    const head = stretches.heads.get(turn.agent_turn_id);
    if (head !== undefined) return head;
    if (batch && hidden.has(batch.batch_id)) return hidden.get(batch.batch_id);
    if (batch && folded.has(batch.batch_id)) return batch.batch_id;
    const group = alike.get(turn.agent_turn_id);
    if (group) reserveAlike(group);
    return group?.id;
  }

  function reserveAlike({ id, parent, members }: WagonLoad) {
    if (done.has(id)) return;
    done.add(id);
    placings.push({
      id,
      parent,
      is_human: false,
      is_inferred: false,
      batch: { lanes: members.length, is_folded: true },
    });
  }

  /** null = it is no node of a plan that is drawn; undefined = its plan is not known yet. */
  function stopOf(batch: BatchFrame | undefined, since: string): Placing["stop"] | null | undefined {
    const run = runs.get(batch?.plan_run_id ?? "");
    if (!batch || !run) return null;
    const ground = groundOf(run.plan_run_id);
    if (!ground) return ground;
    seat(run);
    return { id: stopId(run.plan_run_id, batch.plan_node_id ?? ""), since };
  }

  function seat(run: PlanRunFrame) {
    const ground = groundOf(run.plan_run_id);
    if (!ground || done.has(run.plan_run_id)) return;
    done.add(run.plan_run_id);
    const parent = byId.get(run.parent_turn_id);
    if (parent) place(parent);
    if (holderBelow(run.parent_turn_id) !== undefined) return;
    placings.push({
      id: run.plan_run_id,
      parent: run.parent_turn_id,
      is_human: false,
      is_inferred: false,
      plan: ground,
    });
  }

  function reserve(batch: BatchFrame) {
    if (done.has(batch.batch_id)) return;
    done.add(batch.batch_id);
    const parent = byId.get(batch.parent_agent_turn_id);
    if (parent) place(parent);
    const stop = stopOf(batch, batch.created_at);
    const above = holderBelow(batch.parent_agent_turn_id);
    const holder = above === undefined && stop === undefined ? null : above;
    if (holder !== undefined) hidden.set(batch.batch_id, holder);
    if (stop === undefined || holder !== undefined) return;
    placings.push({
      id: batch.batch_id,
      parent: batch.parent_agent_turn_id,
      is_human: false,
      is_inferred: false,
      batch: { lanes: batch.task_count, is_folded: folded.has(batch.batch_id) },
      ...(stop && { stop }),
    });
  }

  let [next, launched] = [0, 0];
  for (const turn of turns) {
    for (let run = plans[launched]; run && run.created_at < turn.created_at; run = plans[++launched]) seat(run);
    for (let batch = forks[next]; batch && batch.created_at < turn.created_at; batch = forks[++next]) reserve(batch);
    place(turn);
  }
  for (const run of plans.slice(launched)) seat(run);
  for (const batch of forks.slice(next)) reserve(batch);
  return {
    placings,
    held: new Map([...hidden].flatMap(([id, by]) => (by !== null && byId.has(id) ? [[id, by]] : []))),
  };
}

/** A branch that was retried has several turns; the newest is what its batch waits for. */
export function currentAttempts(turns: Iterable<TurnFrame>): ReadonlyMap<string, TurnFrame> {
  const current = new Map<string, TurnFrame>();
  for (const turn of turns) {
    if (turn.batch_id === undefined || turn.task_index === undefined) continue;
    const known = current.get(branchKey(turn));
    if (!known || byCreation(known, turn) < 0) current.set(branchKey(turn), turn);
  }
  return current;
}

const branchKey = (turn: TurnFrame): string => `${turn.batch_id} ${turn.task_index}`;

const nothing: ReadonlySet<string> = new Set();
const noHeads: ReadonlyMap<string, string> = new Map();
const noAlike: ReadonlyMap<string, WagonLoad> = new Map();
const noBatchOf = () => undefined;
const noGround = () => null;

/** A person who launches into a run was called by nobody: they stand at the left, like the one who began it. */
export const callerOf = (turn: TurnFrame, links: ReadonlyMap<string, Link>): string | undefined =>
  links.get(turn.agent_turn_id)?.source ?? (turn.primitive === "ui_action" ? undefined : turn.parent_turn_id);

const byCreation = (a: TurnFrame, b: TurnFrame): number =>
  a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0;

const byBirth = (a: BatchFrame, b: BatchFrame): number =>
  a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : a.batch_id < b.batch_id ? -1 : 1;

function isInOrder(turns: readonly TurnFrame[]): boolean {
  for (let i = 1; i < turns.length; i++) {
    const [a, b] = [turns[i - 1], turns[i]];
    if (a && b && a.created_at > b.created_at) return false;
  }
  return true;
}
