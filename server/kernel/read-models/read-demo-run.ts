// The run that the demo made, and not the newest one: people launch runs of their own beside it, and the tour of the demo then
// said of most of its steps that this run has nothing to show.
import type { Kernel } from "../kernel";
import { read } from "../reader";

/** Of several, for the demo can be started again: the newest. */
const DEMO_RUN = `
  SELECT r.root_turn_id FROM state.runs r WHERE r.project_id = $1 AND r.source = 'demo'
  ORDER BY r.created_at DESC, r.root_turn_id DESC LIMIT 1`;

/** Null where it was deleted. */
export async function readDemoRun(kernel: Kernel, project_id: string): Promise<string | null> {
  const [row] = await read<{ root_turn_id: string }>(kernel, "demo_run", DEMO_RUN, [project_id]);
  return row?.root_turn_id ?? null;
}
