// A name that stands in an address may not be one that clients read as the way up: DELETE /plans/.. would reach the project.
import { KernelError } from "@/server/contract/errors";

export function refuseDots(name: string, path: string): void {
  if (!/^\.{1,2}$/.test(name.trim())) return;
  throw new KernelError("bad_request", `${path}: ${name.trim()} cannot stand in an address; choose another name`, {
    path,
  });
}
