// The place of a batch: its lanes, reserved as one when it says how many tasks it has, so that nothing moves when they come.
import type { Lanes } from "./geometry";

export type Block = Lanes & {
  /** The batch. */
  id: string;
  /** The turn that forked. */
  parent: string;
  /** A folded batch is one wagon without frame and gate; what it holds is not drawn. */
  is_folded: boolean;
  /** The node of a plan that it is the batch of. */
  stop?: string;
  /** Turns by task index; a hole where a task has no turn. */
  turns: (string | undefined)[];
};

/** Where the children of a turn begin: behind the gate for what stands in a lane, or stood there. */
export function childColumn({ col, block, left }: { col: number; block: Block | null; left: Block | null }): number {
  const batch = block ?? left;
  return batch ? batch.col + batch.cols + 1 : col + 1;
}
