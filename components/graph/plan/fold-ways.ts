// What a person's wish to fold or unfold means: which id it is about, how it stands without a wish, and what must be unfolded
// before a turn can be seen. Pure.
import { isFramed } from "@/server/contract/batch-code";
import type { BatchFrame, TurnFrame } from "@/server/contract/frame";
import { type Alike, alikeByItself, alikeId } from "./alike";
import { type Folds, foldsByItself, isFolded, isShut, wished } from "./folds";
import { type Stretch, stretchId } from "./stretches";
import { callerOf, type Link } from "./yard-turns";

export type FoldGround = {
  turnOf: (agentTurnId: string) => TurnFrame | undefined;
  batchOf: (batchId: string) => BatchFrame | undefined;
  links: ReadonlyMap<string, Link>;
  alike: ReadonlyMap<string, Alike>;
  stretches: ReadonlyMap<string, Stretch>;
};

/** The wishes once it is folded, or unfolded. */
export function folding(ground: FoldGround, folds: Folds, id: string, shall: boolean): string[] {
  const batch = ground.batchOf(id);
  const group = ground.alike.get(id);
  if (batch) return wished(folds, id, foldsByItself(batch), shall);
  if (group) return wished(folds, id, alikeByItself(group), shall);
  // One key for both: what follows the turn in its conversation, unless all that hangs on it is folded.
  if (ground.stretches.has(id) && !isShut(folds, id)) return wished(folds, stretchId(id), true, shall);
  const others = folds.filter((one) => one !== id);
  return shall ? [...others, id] : others;
}

/** The wishes once nothing that is folded holds the turn; the same if nothing does. */
export function openedTo(ground: FoldGround, folds: Folds, agentTurnId: string): Folds {
  let open = folds;
  let isAhead = false;
  for (let turn = ground.turnOf(agentTurnId); turn; ) {
    const batch = ground.batchOf(turn.batch_id ?? "");
    const caller = callerOf(turn, ground.links);
    const group = ground.alike.get(alikeId(caller ?? "", turn.profile_name));
    if (batch && isFramed(batch)) {
      if (isFolded(open, batch.batch_id, foldsByItself(batch))) open = folding(ground, open, batch.batch_id, false);
    } else if (group?.members.includes(turn) && isFolded(open, group.id, alikeByItself(group)))
      open = folding(ground, open, group.id, false);
    const head = isAhead ? undefined : headOf(ground, turn);
    if (head !== undefined && isFolded(open, stretchId(head), true)) open = wished(open, stretchId(head), true, false);
    if (caller !== undefined && isShut(open, caller)) open = folding(ground, open, caller, false);
    // Whoever spoke before stands for what is before, and hides nothing of what follows.
    isAhead = ground.links.get(turn.agent_turn_id)?.edge?.is_inferred ?? false;
    turn = ground.turnOf(caller ?? "");
  }
  return open;
}

/** The turn that stands, or would stand, for the stretch of a conversation that it is in. */
function headOf({ stretches }: FoldGround, { agent_turn_id: id }: TurnFrame): string | undefined {
  if (stretches.has(id)) return id;
  for (const { head, members } of stretches.values()) if (members.includes(id)) return head;
  return undefined;
}

/**
 * What the key folds, or unfolds, at what is selected: what holds it, else the batch or the calls alike it stands in, else the
 * last thing it called that can be folded, else all that hangs on it.
 */
export function foldableAt(
  ground: FoldGround & {
    held: ReadonlyMap<string, string>;
    blocks: ReadonlyMap<string, { id: string; parent: string; is_folded: boolean }>;
    places: ReadonlyMap<string, { entries: readonly string[] }>;
  },
  id: string | null,
): string | undefined {
  if (id === null) return undefined;
  if (ground.blocks.get(id)?.is_folded) return id;
  const holder = ground.held.get(id);
  if (holder !== undefined) return holder;
  const turn = ground.turnOf(id);
  if (!turn) return undefined;
  const batch = ground.batchOf(turn.batch_id ?? "");
  if (batch && isFramed(batch)) return batch.batch_id;
  const group = ground.alike.get(alikeId(callerOf(turn, ground.links) ?? "", turn.profile_name));
  if (group?.members.includes(turn)) return group.id;
  const head = headOf(ground, turn);
  if (head !== undefined) return head;
  const own = [...ground.blocks.values()].filter((block) => block.parent === id).at(-1);
  if (own) return own.id;
  return (ground.places.get(id)?.entries.length ?? 0) > 0 || [...ground.held.values()].includes(id) ? id : undefined;
}
