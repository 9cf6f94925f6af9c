// What a delegation reads that its arguments and the name of its caller are enough for: sent together with the caller's lock, and
// answered with it, where it used to be a round trip of its own.
import { type CallerRecords, readCallerRecords } from "../provenance/read-facts";
import type { Unit } from "../unit";
import { findTargets, type MissingTarget, type Target, type TargetRef } from "./resolve-target";

export type Ahead = { targets: Promise<(Target | MissingTarget)[]>; records: Promise<CallerRecords | undefined> };

/**
 * Undefined where one of the targets is an agent or a version of a profile: those take more than one round. To be asked behind the
 * lock; if the caller turns out to be refused, what fails here is told to nobody.
 */
export function askAhead(
  unit: Unit,
  input: { project_id: string; agent_turn_id: string; refs: TargetRef[] },
): Ahead | undefined {
  const { project_id, agent_turn_id, refs } = input;
  const areNewest = refs.every((ref) => ref.target_strategy === "new" && ref.profile_box_id === undefined);
  if (refs.length === 0 || !areNewest) return undefined;
  const ahead = {
    targets: findTargets(unit, { project_id, refs }),
    records: readCallerRecords(unit, { project_id, agent_turn_id }),
  };
  ahead.targets.catch(() => undefined);
  ahead.records.catch(() => undefined);
  return ahead;
}
