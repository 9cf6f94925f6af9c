// Looks for alarms in a set of turns and batches of one project that have ended. Each read is a short unit of its own: one
// transaction for all would hold a connection for up to a second. The number of statements does not depend on the set.
import type { AlarmLimits } from "@/server/contract/alarm";
import type { AlarmRule } from "@/server/contract/alarm-rules";
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import type { Reader } from "../reader";
import { storageError } from "../storage-error";
import { type Unit, withUnit } from "../unit";
import type { DueRow } from "./due-row";
import type { Found, FoundRow, Swept } from "./found";
import { findInHandovers } from "./handover-alarms";
import { findLate } from "./late";
import { findLeftBehind } from "./left-behind";
import { findLoops } from "./loop";
import { findUnread } from "./no-reader";
import { findPaidOften } from "./paid-often";
import { findBrokenPrefixes } from "./prefix-broken";
import { findPressure } from "./pressure";
import { findSecrets } from "./secret";
import { findSiblingLacks } from "./sibling-lacks";
import { writeAlarms } from "./write-alarms";

const rules: [AlarmRule, (reader: Reader, swept: Swept) => Promise<FoundRow[]>][] = [
  ["pressure", findPressure],
  ["late", findLate],
  ["loop", findLoops],
  ["left_behind", findLeftBehind],
  ["no_reader", findUnread],
  ["paid_often", findPaidOften],
  ["sibling_lacks", findSiblingLacks],
  ["prefix_broken", findBrokenPrefixes],
  ["secret", findSecrets],
];

/** `due`: at least one row, all of one project. Answers how many alarms are new. */
export async function sweepSet(kernel: Kernel, due: readonly DueRow[]): Promise<number> {
  const [first] = due;
  if (!first) return 0;
  const { project_id } = first;
  const of = (kind: DueRow["subject_kind"]) =>
    due.flatMap(({ subject_kind, subject_id }) => (subject_kind === kind ? subject_id : []));
  const swept = {
    project_id,
    agent_turn_ids: of("turn"),
    batch_ids: of("batch"),
    limits: limitsOf(kernel, first.alarm_limits),
  };
  const found = await findAlarms(inOwnUnits(kernel), swept);
  await kernel.probe?.("alarms-found", []);
  return writeAlarms(kernel, { project_id, found, due_ids: due.map(({ due_id }) => due_id) });
}

/**
 * Runs each statement in a unit of its own, for the unit's planner settings: rows are found by key even before Postgres has counted the tables.
 * With plans made for the values, one rule read all turns of a young project (50 ms in place of 1).
 */
const inOwnUnits = (kernel: Kernel): Pick<Unit, "query"> => ({
  query: async (name, text, values) => {
    try {
      const options = { isOftenEmpty: true, isOneStatement: true, comparesSets: true } as const;
      return await withUnit(kernel, (unit) => unit.query(name, text, values), options);
    } catch (error) {
      // It wrote nothing, so a connection that was lost with its commit is only a connection that was lost.
      const isLost = error instanceof KernelError && error.code === "outcome_unknown";
      throw isLost ? storageError(error.cause) : error;
    }
  },
});

const limitsOf = (kernel: Pick<Kernel, "tunables">, own: Partial<AlarmLimits>): AlarmLimits => ({
  ...kernel.tunables.alarmLimits,
  ...own,
});

async function findAlarms(reader: Reader, swept: Swept): Promise<Found[]> {
  const found = await findInHandovers(reader, swept);
  for (const [rule, find] of rules) for (const row of await find(reader, swept)) found.push({ ...row, rule });
  return withoutRepeats(found);
}

/** One fact is one alarm: what nobody read at all was not read by its caller either. */
function withoutRepeats(found: readonly Found[]): Found[] {
  const unread = new Set(found.flatMap(({ rule, subject_id }) => (rule === "no_reader" ? subject_id : [])));
  return found.filter(({ rule, subject_id }) => rule !== "left_behind" || !unread.has(subject_id));
}
