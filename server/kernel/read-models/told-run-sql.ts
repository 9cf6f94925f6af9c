// A run's frames out of the journal. Packs are found by their age, for the journal knows no runs: an index of them would be written with
// every frame, and is read only when somebody looks back.
import type { Frame, LateFrame } from "@/server/contract/frame";
import type { TimesWhy } from "@/server/contract/run-history";
import { framesOf } from "../journal/told";
import { ERASED_WORDS, withoutErased } from "./erased-words";

/** Packs of the project that are unpacked: further ones would take longer than a page waits. */
const PACKS_MAX = 20_000;
/** Refused writes, as in the snapshot. */
const LATE_MAX = 500;

const WINDOW = `p.project_id = $1 AND p.created_at >= (SELECT created_at FROM run WHERE source <> 'import')
      AND p.created_at < $3::timestamptz + interval '1 millisecond'`;

// Rows of other runs are left out before they are made JSON: that is most of what it takes to read them.
const OF_RUN = "ARRAY(SELECT t FROM unnest(p.turns) AS t WHERE t.root_turn_id = $2)";

/**
 * Parts of a WITH: `run`, `looked` (packs in its time) and `told` (its frames until $3, with their times). $1 is the project, $2 the root
 * turn. Of kinds that the yard's snapshot has too.
 */
export const TOLD_RUN = `run AS MATERIALIZED (
    SELECT r.source, r.created_at FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = $2
  ), looked AS (
    SELECT count(*)::int AS packs FROM (SELECT 1 FROM state.journal_packs p WHERE ${WINDOW} LIMIT ${PACKS_MAX + 1}) p
  ), told AS MATERIALIZED (
    SELECT p.created_at, e.frame
    FROM (SELECT p.created_at, p.frames, ${OF_RUN} AS turns, NULL::state.told_agent[] AS agents FROM state.journal_packs p
      WHERE ${WINDOW} AND (SELECT packs FROM looked) <= ${PACKS_MAX}) p
    CROSS JOIN LATERAL ${framesOf("p")} AS e
    WHERE e.frame ->> 'root_turn_id' = $2 AND e.frame ->> 'kind' IN
      ('turn', 'edge', 'run', 'batch', 'batch_task', 'plan_run', 'plan_node', 'human_request', 'alarm')
    UNION ALL
    (SELECT p.created_at, (p.frames -> 0) || jsonb_build_object('created_at', p.created_at) FROM state.journal_packs p
    WHERE ${WINDOW} AND p.kind = 'rejected_late' AND p.entity_id = ANY (ARRAY(
      SELECT t.agent_turn_id FROM state.agent_turns t WHERE t.project_id = $1 AND t.root_turn_id = $2))
    ORDER BY p.created_at DESC LIMIT ${LATE_MAX})
  )`;

/** Columns of a statement with TOLD_RUN: no `source` = no such run; `has_start`: the run's own first frame is among them. */
export const TOLD_LOOK = `(SELECT source FROM run) AS source, (SELECT created_at FROM run) AS began_at, (SELECT packs FROM looked) AS packs,
    EXISTS (SELECT 1 FROM told, run WHERE told.frame ->> 'kind' = 'run' AND told.created_at < run.created_at + interval '1 second') AS has_start,
    ${ERASED_WORDS}`;

export type ToldLook = {
  source: "launch" | "import" | "demo" | null;
  began_at: string | null;
  packs: number;
  has_start: boolean;
  erased: string[];
};

/** Why the journal cannot tell the run; null = it can. */
export function whyTimes({ source, packs, has_start }: ToldLook): TimesWhy | null {
  if (source === "import") return "imported";
  if (packs > PACKS_MAX) return "too_many";
  return has_start ? null : "expired";
}

/** A branch that has its turn is drawn as the turn. */
export const isShown = (frame: Frame): boolean => frame.kind !== "batch_task" || frame.agent_turn_id === undefined;

/** A frame as it is shown; of a time inside a row made by jsonb, Postgres keeps its spelling. */
export function tellFrames({ erased }: Pick<ToldLook, "erased">): (frame: Frame) => Frame {
  const gone = new Set(erased);
  return (frame) => {
    if (frame.kind !== "rejected_late" || frame.created_at === undefined) return withoutErased(frame, gone);
    return { ...frame, created_at: new Date(frame.created_at).toISOString() } satisfies LateFrame;
  };
}
