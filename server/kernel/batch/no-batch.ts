import { KernelError } from "@/server/contract/errors";

/** The same for a missing batch and one of another project (K11). */
export const noBatch = (project_id: string, batch_id: string): KernelError =>
  new KernelError("not_found", `batch ${batch_id} not found in project ${project_id}`);
