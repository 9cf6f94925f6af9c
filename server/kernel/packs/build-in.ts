// Builds a pack inside a unit, for whoever hands it over there.
import { packRef } from "@/server/contract/context-pack/pack-name";
import type { HandedPack } from "../context/pack-cards";
import type { Unit } from "../unit";
import type { BuildContextPackInput } from "./build-context-pack";
import { computePack } from "./compute-pack";
import { readPackBytes } from "./pack-bytes";
import { preparePack } from "./prepare-pack";
import { storeBuilt } from "./store-built";
import { findByInput } from "./store-pack";

type Input = BuildContextPackInput & { dry_run: boolean };

/** The same input again is the pack that is there. */
export async function buildIn(unit: Unit, { dry_run, ...given }: Input): Promise<HandedPack> {
  const { project_id } = given;
  const prepared = await preparePack(unit, unit.kernel.now(), given);
  const known = await findByInput(unit, { project_id, input: prepared.input });
  if (known) {
    const [read] = await readPackBytes(unit, { project_id, records: [known] });
    if (!read) throw new Error("a pack was read and did not come back");
    return { pack: read.pack, sidecar: read.sidecar, sha256: known.sha256, ref: known.artifact_ref };
  }
  const built = await computePack(unit, project_id, prepared);
  if (!dry_run) await storeBuilt(unit, given, prepared, built);
  const { pack, sidecar, sha256 } = built;
  return { pack, sidecar, sha256, ref: packRef(sha256) };
}
