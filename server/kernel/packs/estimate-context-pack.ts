// What a pack would cost and leave out, by building it and storing nothing.
import type { PackEstimate } from "@/server/contract/answers/context-packs";
import type { Kernel } from "../kernel";
import { buildPack } from "./build/build-pack";
import { countItems } from "./count-items";
import { buildWithLoading } from "./load-blobs";
import { type PackInput, preparePack } from "./prepare-pack";
import { redactor } from "./redactor";
import { builtOrRefused } from "./refuse-fault";

/** Refuses what building would refuse. */
export async function estimateContextPack(kernel: Kernel, given: PackInput): Promise<PackEstimate> {
  const { project_id } = given;
  const { input, blobs, workspace } = await preparePack(kernel, kernel.now(), given);
  const outcome = await buildWithLoading(kernel, { project_id, workspace }, blobs, (read) =>
    buildPack({ input, read, redact: redactor }),
  );
  const { pack, sidecar, found, limit } = builtOrRefused(outcome);
  const { estimate, profile, warnings } = sidecar;
  return { estimate, found, limit, profile, counts: countItems(pack, sidecar), warnings };
}
