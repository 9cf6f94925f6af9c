// Adds the line to a refusal that names only a key, so that an editor can show where it is.
import { KernelError } from "@/server/contract/errors";
import { lineOfYaml } from "@/server/kernel/roster/read-yaml";

/** Runs `check`; a refusal with `detail.path` leaves with `detail.line` too, where the key or one above it is written. */
export async function atLine<T>(
  { project_id, yaml }: { project_id: string; yaml: string },
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof KernelError) || typeof error.detail?.path !== "string") throw error;
    const line = await lineOfYaml(project_id, yaml, error.detail.path);
    throw line === undefined ? error : new KernelError(error.code, error.message, { ...error.detail, line });
  }
}
