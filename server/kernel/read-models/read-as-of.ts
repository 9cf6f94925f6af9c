// A run as it was at a moment: the last frame of each entity until then, folded in one statement, however many frames there were.
import { emptyPicture, type Frame } from "@/server/contract/frame";
import { type AsOf, pictureAt } from "@/server/contract/run-history";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { noRun } from "../roster/no-run";
import { readRunTimes } from "./read-run-times";
import { isShown, TOLD_LOOK, TOLD_RUN, type ToldLook, tellFrames, whyTimes } from "./told-run-sql";

const AS_OF = `
  WITH ${TOLD_RUN}
  SELECT ${TOLD_LOOK},
    (SELECT coalesce(json_agg(l.frame), '[]') FROM (
      SELECT DISTINCT ON (t.frame ->> 'kind', t.frame ->> 'id') t.frame FROM told t
      ORDER BY t.frame ->> 'kind', t.frame ->> 'id', (t.frame ->> 'rev')::bigint DESC) l) AS frames`;

type Row = ToldLook & { frames: Frame[] };

/** not_found for a run that the project does not have. */
export async function readAsOf(
  kernel: Kernel,
  { project_id, root_turn_id, at }: { project_id: string; root_turn_id: string; at: string },
): Promise<AsOf> {
  const moment = Date.parse(at);
  const until = new Date(moment).toISOString();
  const [row] = await read<Row>(kernel, "run_as_of", AS_OF, [project_id, root_turn_id, until]);
  if (!row?.source || row.began_at === null) throw await noRun(kernel, { project_id, root_turn_id });
  const answer = (frames: Frame[]) => ({
    root_turn_id,
    at: until,
    frames,
    shown_turns: frames.filter(({ kind }) => kind === "turn").length,
  });
  // Before it began there was nothing, whoever tells it.
  const isBefore = row.source !== "import" && moment < Math.floor(Date.parse(row.began_at));
  const why = isBefore ? null : whyTimes(row);
  if (why === null) return { source: "journal", ...answer(row.frames.filter(isShown).map(tellFrames(row))) };
  const picture = pictureAt(emptyPicture(), await readRunTimes(kernel, { project_id, root_turn_id }, why), moment);
  return { source: "times", why, ...answer(Object.values(picture).flatMap((kind): Frame[] => [...kind.values()])) };
}
