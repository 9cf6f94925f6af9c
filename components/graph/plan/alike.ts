// Calls alike: turns that one caller has called one after the other with one profile. Many of them tell no more than a few, so
// they stand as one wagon.
import { isFramed } from "@/server/contract/batch-code";
import type { BatchFrame, TurnFrame } from "@/server/contract/frame";
import { type Folds, isFolded } from "./folds";
import { callerOf, type Link, type WagonLoad } from "./yard-turns";

/** In the order they were made. */
export type Alike = WagonLoad & { profile_name: string };

/** More than this of one caller and one profile fold by themselves. */
export const ALIKE_MAX = 6;
/** Of those that were drawn one by one already nothing moves: they go on one by one up to here, and only what comes then folds. */
const GROWN_MAX = 12;

export const alikeId = (parent: string, profileName: string): string => `${parent}~${profileName}`;

export type AlikeInput = {
  turns: readonly TurnFrame[];
  links: ReadonlyMap<string, Link>;
  batchOf: (batchId: string) => BatchFrame | undefined;
};

/** Branches have their frame, steps of a plan their place, and speakers of a log follow each other: none of these is a call alike. */
export function alikeOf({ turns, links, batchOf }: AlikeInput): ReadonlyMap<string, Alike> {
  const listed = new Set(turns.map((turn) => turn.agent_turn_id));
  const groups = new Map<string, { parent: string; profile_name: string; members: TurnFrame[] }>();
  for (const turn of turns) {
    const parent = callerOf(turn, links);
    if (parent === undefined || turn.is_human || !listed.has(parent)) continue;
    if (links.get(turn.agent_turn_id)?.edge?.is_inferred) continue;
    const batch = batchOf(turn.batch_id ?? "");
    if (batch && (isFramed(batch) || batch.plan_run_id !== undefined)) continue;
    const id = alikeId(parent, turn.profile_name);
    const group = groups.get(id);
    if (group) group.members.push(turn);
    else groups.set(id, { parent, profile_name: turn.profile_name, members: [turn] });
  }
  const alike = new Map<string, Alike>();
  for (const [id, group] of groups) if (group.members.length > 1) alike.set(id, { id, ...group });
  return alike;
}

/** By turn: the folded calls alike that hold it. */
export function alikeHolding(
  groups: ReadonlyMap<string, Alike>,
  folds: Folds,
  isDrawn: (agentTurnId: string) => boolean,
): ReadonlyMap<string, Alike> {
  const holders = new Map<string, Alike>();
  for (const group of groups.values()) {
    const hidden = group.members.filter((turn) => !isDrawn(turn.agent_turn_id));
    const most = hidden.length === group.members.length ? ALIKE_MAX : GROWN_MAX;
    if (!isFolded(folds, group.id, group.members.length > most)) continue;
    for (const turn of hidden) holders.set(turn.agent_turn_id, group);
  }
  return holders;
}

export const alikeByItself = ({ members }: Pick<Alike, "members">): boolean => members.length > ALIKE_MAX;
