// How long a project keeps its runs: read with what a number of days would delete, and set. The watchdog deletes them, one by one.
import type { Retention } from "@/server/contract/answers/deletions";
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { type Reader, read } from "../reader";
import { withUnit } from "../unit";
import { COUNTED_MAX, counted } from "./counted";
import { isAtRest, isOld } from "./old-runs";

const DAYS = "SELECT p.keep_runs_days FROM projects p WHERE p.project_id = $1";
// The oldest runs, no more than are counted.
const OLD = `
  SELECT (count(*) FILTER (WHERE o.is_at_rest))::int AS due, (count(*) FILTER (WHERE NOT o.is_at_rest))::int AS kept
  FROM (SELECT ${isAtRest("$2::int")} AS is_at_rest FROM state.runs r
    WHERE r.project_id = $1 AND ${isOld("$2::int")} ORDER BY r.created_at LIMIT ${COUNTED_MAX + 1}) o`;
const NEWEST = `
  SELECT r.root_turn_id, r.number, r.title, r.created_at FROM state.runs r
  WHERE r.project_id = $1 AND ${isOld("$2::int")} AND ${isAtRest("$2::int")} ORDER BY r.created_at DESC, r.root_turn_id DESC LIMIT 1`;
const SET = "UPDATE projects SET keep_runs_days = $2, updated_at = now() WHERE project_id = $1 RETURNING project_id";

type Newest = { root_turn_id: string; number: number; title: string; created_at: string };

/** `days`: what they would delete; absent = those that are set. not_found for an unknown project. */
export async function readRetention(
  reader: Reader,
  { project_id, days }: { project_id: string; days?: number },
): Promise<Retention> {
  const [project] = await read<{ keep_runs_days: number | null }>(reader, "keep_runs_days", DAYS, [project_id]);
  if (!project) throw noProject(project_id);
  const asked = days ?? project.keep_runs_days;
  const none = counted(0);
  if (asked === null) return { days: null, due: none, kept: none };
  const [old] = await read<{ due: number; kept: number }>(reader, "keep_runs_old", OLD, [project_id, asked]);
  const newest = old && old.due > 0 ? await read<Newest>(reader, "keep_runs_newest", NEWEST, [project_id, asked]) : [];
  return {
    days: asked,
    due: counted(old?.due ?? 0),
    kept: counted(old?.kept ?? 0),
    ...(newest[0] && { newest: { ...newest[0], created_at: new Date(newest[0].created_at).toISOString() } }),
  };
}

/** null = for ever. Answers what is deleted from now on. */
export async function setRetention(
  kernel: Kernel,
  { project_id, days }: { project_id: string; days: number | null },
): Promise<Retention> {
  return withUnit(kernel, async (unit) => {
    const found = await unit.query("keep_runs_set", SET, [project_id, days]);
    if (found.length === 0) throw noProject(project_id);
    return readRetention(unit, { project_id });
  });
}

const noProject = (project_id: string) =>
  new KernelError("not_found", `project ${project_id} not found`, { path: "project_id" });
