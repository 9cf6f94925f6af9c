// Builds a context pack and stores it. A refusal has written nothing; the same request about the same cards gives the same pack.
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { computePack } from "./compute-pack";
import type { PackInput } from "./pack-input";
import { preparePack } from "./prepare-pack";
import { storeBuilt } from "./store-built";
import { findByInput, type StoredPack } from "./store-pack";

export type BuildContextPackInput = PackInput & { created_by: string };

/** `is_new` is false if this input has been built before. */
export async function buildContextPack(kernel: Kernel, given: BuildContextPackInput): Promise<StoredPack> {
  const { project_id } = given;
  const prepared = await preparePack(kernel, kernel.now(), given);
  const known = await findByInput(kernel, { project_id, input: prepared.input });
  if (known) return { record: known, is_new: false };
  const built = await computePack(kernel, project_id, prepared);
  return withUnit(kernel, (unit) => storeBuilt(unit, given, prepared, built));
}
