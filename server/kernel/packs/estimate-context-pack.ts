// What a pack would cost and leave out, by building it and storing nothing.
import type { PackEstimate } from "@/server/contract/answers/context-packs";
import type { Kernel } from "../kernel";
import { computePack } from "./compute-pack";
import { countItems } from "./count-items";
import type { PackInput } from "./pack-input";
import { preparePack } from "./prepare-pack";

/** Refuses what building would refuse. */
export async function estimateContextPack(kernel: Kernel, given: PackInput): Promise<PackEstimate> {
  const { project_id } = given;
  const prepared = await preparePack(kernel, kernel.now(), given);
  const { pack, sidecar, found, limit } = await computePack(kernel, project_id, prepared);
  const { estimate, profile, warnings } = sidecar;
  return { estimate, found, limit, profile, counts: countItems(pack, sidecar), warnings };
}
