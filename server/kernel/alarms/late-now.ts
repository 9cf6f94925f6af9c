// Branches that are late while they still run: their end would tell too late.
import { log } from "@/server/log";
import type { Kernel } from "../kernel";
import type { FoundRow } from "./found";
import { isLate, siblingsMs, tookMs } from "./late-sql";
import { writeAlarms } from "./write-alarms";

const of = (limit: string, given: string) => `coalesce((p.alarm_limits ->> '${limit}')::float8, ${given})`;
const LATE_MAX = 200;

// Of all projects: the batches that run are few, and have an index of their own.
const LATE = `
  SELECT t.project_id, t.agent_turn_id AS subject_id, t.root_turn_id, t.agent_turn_id, jsonb_build_object('ms', round(${tookMs("t")}),
    'median_ms', round(${siblingsMs("t")}), 'threshold', ${of("late_times", "$1::float8")}) AS figures
  FROM state.pmo_batches b JOIN projects p ON p.project_id = b.project_id AND p.removed_at IS NULL
  JOIN state.agent_turns t ON t.project_id = b.project_id AND t.batch_id = b.batch_id AND t.ended_at IS NULL
  WHERE b.status = 'running' AND ${isLate("t", { times: of("late_times", "$1::float8"), ms: of("late_ms", "$2::float8") })}
    AND NOT EXISTS (SELECT 1 FROM state.alarms a
      WHERE a.project_id = t.project_id AND a.rule = 'late' AND a.subject_id = t.agent_turn_id)
  ORDER BY t.started_at LIMIT ${LATE_MAX}`;

type LateRow = FoundRow & { project_id: string };

/** How many alarms are new. A project that cannot be written does not keep the others from theirs: its own are found again. */
export async function findLateNow(kernel: Kernel): Promise<number> {
  const { late_times, late_ms } = kernel.tunables.alarmLimits;
  const { rows } = await kernel.db.pool.query<LateRow>({
    name: "alarms_late_now",
    text: LATE,
    values: [late_times, late_ms],
  });
  let written = 0;
  for (const project_id of new Set(rows.map((row) => row.project_id))) {
    const own = rows.filter((row) => row.project_id === project_id);
    const found = own.map(({ project_id: _project, ...row }) => ({ ...row, rule: "late" as const }));
    try {
      written += await writeAlarms(kernel, { project_id, found, due_ids: [] });
    } catch (error) {
      log().error({ project_id, err: error }, "late branches could not be noted");
    }
  }
  return written;
}
