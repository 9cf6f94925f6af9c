// Adds the line number to a refusal that names only a key, so that an editor can mark it.
import { KernelError } from "@/server/contract/errors";
import { lineOfYaml } from "@/server/kernel/roster/read-yaml";

/** Runs `check`. A refusal with `detail.path` also gets `detail.line`: the line of the key or of the closest one above it. */
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
