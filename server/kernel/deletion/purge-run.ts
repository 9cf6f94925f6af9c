// Goes on with the deletion of a run, one bounded unit after the other. Each unit ends with where the next one begins, so a process
// may die at any point. Rows go only when every transaction that began before their boxes were closed has ended: whoever packed
// from a box of the run by then has all of its cards, and whoever comes later is refused.
import type { DeletionCounts } from "@/server/contract/answers/deletions";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { closeBoxes, reopenBoxes, type TurnPlace } from "./close-boxes";
import { type DeletionKey, moveDeletion, type Phase, SETTLED, WAIT_MS } from "./deletion-row";
import { dropRunPacks } from "./drop-run-packs";
import { dropRunCards, eraseRunCards } from "./erase-run-cards";
import { layParts, PARTS, type PurgeKey } from "./purge-parts";

// One at a time in a project: two runs that hold the same card would each leave it to the other.
const LOCK = `
  SELECT d.subject_id AS root_turn_id, d.phase, d.place,
    ${SETTLED} AS is_settled
  FROM state.deletions d
  WHERE d.project_id = $1 AND d.deletion_id = $2 AND d.kind = 'run' AND d.ended_at IS NULL FOR UPDATE SKIP LOCKED`;
const ALONE = "SELECT pg_try_advisory_xact_lock(hashtextextended('deletions of ' || $1::text, 0)) AS is_alone";

type Row = { root_turn_id: string; phase: Phase; place: TurnPlace | null; is_settled: boolean };
/** `wait`: somebody who began before is not done yet. `held`: another process is at it, or it is done. */
type Step = "more" | "wait" | "held" | "done";

/** True when it is done. At least one unit is. */
export async function purgeRun(kernel: Kernel, input: DeletionKey & { untilMs: number }): Promise<boolean> {
  const { untilMs, ...key } = input;
  for (;;) {
    const step = await withUnit(kernel, (unit) => purgeStep(unit, key));
    if (step === "done" || step === "held") return step === "done";
    if (Date.now() >= untilMs) return false;
    if (step === "wait") await new Promise((done) => setTimeout(done, WAIT_MS));
  }
}

async function purgeStep(unit: Unit, key: DeletionKey): Promise<Step> {
  const [lock] = await unit.query<{ is_alone: boolean }>("deletion_alone", ALONE, [key.project_id]);
  if (!lock?.is_alone) return "held";
  const [row] = await unit.query<Row>("deletion_lock", LOCK, [key.project_id, key.deletion_id]);
  if (!row) return "held";
  const run = { ...key, root_turn_id: row.root_turn_id };
  await unit.probe(`deletion-${row.phase}`);
  switch (row.phase) {
    case "close": {
      const place = await closeBoxes(unit, { ...run, place: row.place });
      moveDeletion(unit, key, place ? { to: "close", place } : { to: "settle", settles: true });
      return "more";
    }
    case "settle":
      if (!row.is_settled) return "wait";
      await reopenBoxes(unit, run);
      moveDeletion(unit, key, { to: "lay" });
      return "more";
    case "lay": {
      const { isOver } = await layParts(unit, run, unit.kernel.tunables.purgeRowsMax);
      moveDeletion(unit, key, { to: isOver ? "rows" : "lay" });
      return "more";
    }
    case "rows": {
      const { isOver, counts } = await purgeRows(unit, run);
      moveDeletion(unit, key, { to: isOver ? "erase" : "rows", counts });
      return "more";
    }
    case "erase": {
      const { isOver, ...counts } = await eraseRunCards(unit, key);
      moveDeletion(unit, key, isOver ? { to: "settle_cards", settles: true } : { to: "erase", counts: some(counts) });
      return "more";
    }
    case "settle_cards":
      if (!row.is_settled) return "wait";
      moveDeletion(unit, key, { to: "drop" });
      return "more";
    case "drop":
      return dropRest(unit, run);
    default:
      throw new Error(`the deletion of run ${row.root_turn_id} is in phase ${row.phase}, which runs do not have`);
  }
}

/** Part after part: what a part refers to goes when nothing of it is left. */
async function purgeRows(unit: Unit, run: PurgeKey): Promise<{ isOver: boolean; counts: DeletionCounts }> {
  let left = unit.kernel.tunables.purgeRowsMax;
  const counts: Record<string, number> = {};
  for (const part of PARTS) {
    const gone = await part(unit, run, left);
    for (const [key, n] of Object.entries(gone.counts ?? {})) counts[key] = (counts[key] ?? 0) + n;
    left -= gone.rows;
    if (!gone.isOver || left <= 0) return { isOver: false, counts };
  }
  return { isOver: true, counts };
}

async function dropRest(unit: Unit, run: PurgeKey): Promise<Step> {
  const { isOver, ...counts } = await dropRunCards(unit, run);
  if (!isOver) {
    moveDeletion(unit, run, { to: "drop", counts: some(counts) });
    return "more";
  }
  const packs = await dropRunPacks(unit, run);
  moveDeletion(unit, run, { to: packs.context_packs > 0 ? "drop" : "done", counts: some(packs) });
  return packs.context_packs > 0 ? "more" : "done";
}

/** A record lists what there was. */
const some = (counts: DeletionCounts): DeletionCounts =>
  Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0));
