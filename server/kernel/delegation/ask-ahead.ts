// What a delegation can read before its caller is known: sent in the same round trip as the caller's lock.
import { heardLater } from "../heard-later";
import { type CallerRecords, readCallerRecords } from "../provenance/read-facts";
import type { Unit } from "../unit";
import { findTargets, type MissingTarget, type Target, type TargetRef } from "./resolve-target";

export type Ahead = { targets: Promise<(Target | MissingTarget)[]>; records: Promise<CallerRecords | undefined> };

/**
 * Undefined if a target is an agent or a version of a profile, which takes more than one round trip. Call it after the caller's lock
 * is sent, or its insert. If the caller is refused, errors of these reads are dropped.
 */
export function askAhead(
  unit: Unit,
  input: { project_id: string; agent_turn_id: string; refs: TargetRef[] },
): Ahead | undefined {
  const { project_id, agent_turn_id, refs } = input;
  const areNewest = refs.every((ref) => ref.target_strategy === "new" && ref.profile_box_id === undefined);
  if (refs.length === 0 || !areNewest) return undefined;
  return {
    targets: heardLater(findTargets(unit, { project_id, refs })),
    records: heardLater(readCallerRecords(unit, { project_id, agent_turn_id })),
  };
}
