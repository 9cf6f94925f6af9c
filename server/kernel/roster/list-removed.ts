// Projects whose removal can still be undone.
import type { RemovedProject } from "@/server/contract/project";
import type { Kernel } from "../kernel";
import { read } from "../reader";

const LIST = `
  SELECT project_id, title, is_demo, removed_at, removed_at + $1 * interval '1 ms' AS deleted_at FROM projects
  WHERE removed_at IS NOT NULL AND deleting_at IS NULL ORDER BY removed_at DESC LIMIT 20`;

export const listRemoved = (kernel: Kernel): Promise<RemovedProject[]> =>
  read<RemovedProject>(kernel, "project_list_removed", LIST, [kernel.tunables.removedMs]);
