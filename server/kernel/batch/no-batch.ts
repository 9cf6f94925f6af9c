import { KernelError } from "@/server/contract/errors";

/** Of another project, or of none: told alike (K11). */
export const noBatch = (project_id: string, batch_id: string): KernelError =>
  new KernelError("not_found", `batch ${batch_id} not found in project ${project_id}`);
