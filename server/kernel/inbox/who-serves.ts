// Which workers take the turns of a worker target, in SQL: used by every claim, and by every message that says nobody does.
import { DEFAULT_TARGET } from "@/server/contract/profile";

const isThere = (worker: string, ms: string) => `${worker}.seen_at > now() - ${ms} * interval '1 ms'`;

/**
 * Somebody asks for the target by name: who takes '*' leaves its turns to them. A program of a project's own may be away for
 * longer than a worker counts as there, to be restarted or mended; the built-in worker would fail what it cannot run, so the
 * target is kept for it until its row goes, a day later. All but the default target, which anybody may have tried by hand.
 */
export const keptSql = (target: string, project: string, ms: string) =>
  `EXISTS (SELECT 1 FROM state.workers w WHERE ${target} = ANY (w.targets) AND w.project_id IN ('*', ${project})
    AND (${isThere("w", ms)} OR (w.project_id <> '*' AND ${target} <> '${DEFAULT_TARGET}')))`;

/** Of a row `v` of state.workers: it is there and takes the target's turns. `ms`: how long a worker counts as there. */
const takesSql = (target: string, project: string, ms: string) =>
  `v.project_id IN ('*', ${project}) AND ${isThere("v", ms)}
    AND (${target} = ANY (v.targets) OR ('*' = ANY (v.targets) AND NOT ${keptSql(target, project, ms)}))`;

/** Of a row `v` of state.workers: it takes turns whose profile names no model, which is for the project's own programs only. */
const ownTakesSql = (target: string, project: string, ms: string) =>
  `v.project_id = ${project} AND ${isThere("v", ms)} AND ${target} = ANY (v.targets)`;

/** Of a row `v` of state.workers: it takes a turn, by the rule of the claim; `isOwn`: the turn's profile names no model. */
export const takesTurnSql = (isOwn: string, target: string, project: string, ms: string) =>
  `v.project_id IN ('*', ${project}) AND CASE WHEN ${isOwn} THEN ${ownTakesSql(target, project, ms)} ELSE ${takesSql(target, project, ms)} END`;

/** Of a row `i` of the inbox. */
export const rowServedSql = (ms: string) =>
  `EXISTS (SELECT 1 FROM state.workers v WHERE ${takesTurnSql("i.needs_own_worker", "i.worker_target", "i.project_id", ms)})`;
