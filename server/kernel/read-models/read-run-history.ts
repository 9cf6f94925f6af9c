// All moments of a run at once, so that a browser can go back and forth in it without asking. Of a run with more frames than are sent
// none: each moment is then asked for by itself (read-as-of.ts).
import type { Frame } from "@/server/contract/frame";
import { HISTORY_FRAMES_MAX, type HistoryFrame, type RunHistory } from "@/server/contract/run-history";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { noRun } from "../roster/no-run";
import { readRunTimes } from "./read-run-times";
import { TOLD_LOOK, TOLD_RUN, type ToldLook, tellFrames, whyTimes } from "./told-run-sql";

const HISTORY = `
  WITH ${TOLD_RUN}
  SELECT ${TOLD_LOOK}, (SELECT count(*)::int FROM told) AS total,
    (SELECT coalesce(json_agg(json_build_object('at', floor(extract(epoch FROM t.created_at) * 1000), 'frame', t.frame)
      ORDER BY t.created_at, (t.frame ->> 'rev')::bigint), '[]')
      FROM told t WHERE (SELECT count(*) FROM told) <= ${HISTORY_FRAMES_MAX}) AS frames`;

type Row = ToldLook & { total: number; frames: { at: number; frame: Frame }[] };

/** not_found for a run that the project does not have. */
export async function readRunHistory(
  kernel: Kernel,
  key: { project_id: string; root_turn_id: string },
): Promise<RunHistory> {
  const read_at = new Date().toISOString();
  const { project_id, root_turn_id } = key;
  const [row] = await read<Row>(kernel, "run_history", HISTORY, [project_id, root_turn_id, "infinity"]);
  if (!row?.source) throw await noRun(kernel, key);
  const why = whyTimes(row);
  const tell = tellFrames(row);
  const all =
    why === null
      ? row.frames.map(({ at, frame }) => ({ at, frame: tell(frame) }))
      : await readRunTimes(kernel, key, why);
  const isWhole = why === null ? row.total <= HISTORY_FRAMES_MAX : all.length <= HISTORY_FRAMES_MAX;
  const frames: HistoryFrame[] = isWhole ? all : [];
  const source = why === null ? ({ source: "journal" } as const) : ({ source: "times", why } as const);
  return { ...source, root_turn_id, read_at, is_whole: isWhole, frames };
}
