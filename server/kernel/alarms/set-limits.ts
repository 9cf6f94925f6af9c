// The thresholds of a project: its own where it has some, the program's elsewhere.
import { AlarmLimits, type AlarmLimitsPatch } from "@/server/contract/alarm";
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { withUnit } from "../unit";

const SET = `
  UPDATE projects SET alarm_limits = jsonb_strip_nulls(alarm_limits || $2::jsonb), updated_at = now()
  WHERE project_id = $1 AND removed_at IS NULL RETURNING alarm_limits`;
const READ = "SELECT p.alarm_limits FROM projects p WHERE p.project_id = $1 AND p.removed_at IS NULL";

/** `limits`: what holds. `own`: what the project has set itself. `defaults`: the program's. */
export type AlarmLimitsState = { limits: AlarmLimits; own: Partial<AlarmLimits>; defaults: AlarmLimits };
type Row = { alarm_limits: Partial<AlarmLimits> };

/** They hold for what ends from now on. not_found for an unknown project. */
export async function setAlarmLimits(
  kernel: Kernel,
  { project_id, ...patch }: AlarmLimitsPatch & { project_id: string },
): Promise<AlarmLimitsState> {
  return withUnit(kernel, async (unit) => {
    const [row] = await unit.query<Row>("alarm_limits_set", SET, [project_id, JSON.stringify(patch)]);
    return stateOf(kernel, project_id, row);
  });
}

export async function readAlarmLimits(
  kernel: Kernel,
  { project_id }: { project_id: string },
): Promise<AlarmLimitsState> {
  const [row] = await read<Row>(kernel, "alarm_limits_read", READ, [project_id]);
  return stateOf(kernel, project_id, row);
}

function stateOf({ tunables }: Kernel, project_id: string, row: Row | undefined): AlarmLimitsState {
  if (!row) throw new KernelError("not_found", `project ${project_id} not found`);
  const defaults = tunables.alarmLimits;
  return { limits: AlarmLimits.parse({ ...defaults, ...row.alarm_limits }), own: row.alarm_limits, defaults };
}
