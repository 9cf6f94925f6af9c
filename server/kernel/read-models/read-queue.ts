// How full a project's queue is, by the same count that refuses a launch with `queue_full`: shown before it refuses.

import { COUNT_WAITING } from "../delegation/take-headcodes";
import type { Kernel } from "../kernel";
import { read } from "../reader";

/** `waiting` is counted up to the maximum. */
export type Queue = { waiting: number; max_queued: number };

export async function readQueue(kernel: Kernel, project_id: string): Promise<Queue> {
  const max_queued = kernel.tunables.queuedMax;
  const [row] = await read<{ waiting: number }>(kernel, "queue_read", COUNT_WAITING, [project_id, max_queued]);
  return { waiting: row?.waiting ?? 0, max_queued };
}
