// Live frames after a cursor: woken by rings, and polled anyway. A ring may come before the horizon has passed its
// transaction (an older writer is still open), so after a ring the tail is read again in short steps until it yields.
import type { TrackedFrame } from "@/server/contract/frame";
import { type Cursor, parseCursor, resetError } from "../journal/cursor";
import { tailJournal } from "../journal/tail-journal";
import type { Kernel } from "../kernel";
import { read } from "../reader";

const RETRY_MS = 20;
const RETRY_MS_MAX = 400;
/** A stalled reader holds this many: with the tail's own five hundred, sixty of them held 300 MB. */
const FRAMES_MAX = 40;

/**
 * Yields batches (never empty) until `signal` aborts. Refuses a cursor of another project, and one so old that frames
 * after it may have been dropped, or of another generation (`detail.reset`): then start from a snapshot. Under way too: a
 * standby may take over between two looks.
 */
export async function* streamFrames(
  kernel: Kernel,
  input: { project_id: string; after: string; signal: AbortSignal },
): AsyncGenerator<TrackedFrame[]> {
  let cursor = parseCursor(input.project_id, input.after);
  let isRung = false;
  let wake: (() => void) | undefined;
  const rouse = () => wake?.();
  const stop = await kernel.doorbell.listen((ring) => {
    if (ring.kind !== "journal" || ring.project_id !== input.project_id) return;
    isRung = true;
    rouse();
  });
  input.signal.addEventListener("abort", rouse);
  let wait = kernel.tunables.pollMs;
  try {
    await refuseOldCursor(kernel, cursor);
    while (!input.signal.aborted) {
      // Reset before the fetch, so that a ring during it is not lost.
      const wasRung = isRung;
      isRung = false;
      const tail = await tailJournal(kernel, { project_id: input.project_id, after: cursor, limit: FRAMES_MAX });
      if (tail.cursor.generation !== cursor.generation) throw anotherGeneration();
      cursor = tail.cursor;
      if (tail.frames.length > 0) yield tail.frames;
      if (tail.is_full || isRung) continue;
      wait = tail.frames.length > 0 ? kernel.tunables.pollMs : nextWait(wait, wasRung, kernel.tunables.pollMs);
      await new Promise<void>((done) => {
        const timer = setTimeout(done, wait);
        wake = () => {
          clearTimeout(timer);
          done();
        };
        if (input.signal.aborted || isRung) wake();
      });
      wake = undefined;
    }
  } finally {
    input.signal.removeEventListener("abort", rouse);
    await stop();
  }
}

const nextWait = (last: number, wasRung: boolean, pollMs: number): number => {
  if (wasRung) return RETRY_MS;
  return last < RETRY_MS_MAX ? last * 2 : pollMs;
};

const anotherGeneration = () => resetError("is from before a restore or a failover");

// The generation is checked before the floor: comparing an xid of another server with it means nothing.
async function refuseOldCursor(kernel: Kernel, { generation, xid }: Cursor): Promise<void> {
  const rows = await read<{ is_current: boolean; is_kept: boolean }>(
    kernel,
    "journal_is_kept",
    `SELECT generation = $2::text::bigint AS is_current,
        $1::text::xid8 >= coalesce((SELECT dropped_xid FROM state.journal_floor), '0'::xid8) AS is_kept
      FROM state.installation`,
    [xid, generation],
  );
  if (rows[0]?.is_current !== true) throw anotherGeneration();
  if (!rows[0].is_kept) throw resetError("is older than the frames that are kept");
}
