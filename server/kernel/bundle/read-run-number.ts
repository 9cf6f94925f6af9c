// The number of a run in its project: what its file is called after.
import type { Kernel } from "../kernel";
import { read } from "../reader";
import type { RunKey } from "./piece";

const NUMBER = "SELECT number FROM state.runs WHERE project_id = $1 AND root_turn_id = $2";

/** null = the run is gone. */
export async function readRunNumber(kernel: Kernel, { project_id, root_turn_id }: RunKey): Promise<number | null> {
  const [run] = await read<{ number: number }>(kernel, "bundle_number", NUMBER, [project_id, root_turn_id]);
  return run?.number ?? null;
}
