// Builds a pack inside a unit, for whoever hands it over there.
import { KernelError } from "@/server/contract/errors";
import type { HandedPack } from "../context/pack-cards";
import type { Unit } from "../unit";
import { buildPack } from "./build/build-pack";
import { buildWithLoading } from "./load-blobs";
import { readPackBytes } from "./pack-bytes";
import { artifactRefOf } from "./pack-row";
import { type PackInput, preparePack, sourcesOf } from "./prepare-pack";
import { redactor } from "./redactor";
import { builtOrRefused } from "./refuse-fault";
import { findByInput, storePack } from "./store-pack";

type Input = PackInput & { created_by: string; dry_run: boolean };

/** The same input again is the pack that is there. */
export async function buildIn(unit: Unit, given: Input): Promise<HandedPack> {
  const { project_id, caller, created_by, dry_run } = given;
  if (given.request.workspace !== undefined) throw noneGranted(project_id, given.request.workspace);
  const prepared = await preparePack(unit, unit.kernel.now(), given);
  const { input, blobs, consumed, workspace } = prepared;
  const known = await findByInput(unit, { project_id, input });
  if (known) {
    const [read] = await readPackBytes(unit, { project_id, records: [known] });
    if (!read) throw new Error("a pack was read and did not come back");
    return { pack: read.pack, sidecar: read.sidecar, sha256: known.sha256, ref: known.artifact_ref };
  }
  const built = builtOrRefused(
    await buildWithLoading(unit, { project_id, workspace }, blobs, (read) =>
      buildPack({ input, read, redact: redactor }),
    ),
  );
  const { pack, sidecar, sha256 } = built;
  const sources = sourcesOf(prepared, built.used);
  const { root_turn_id, agent_turn_id } = caller ?? {};
  if (!dry_run)
    await storePack(unit, {
      project_id,
      kind: "built",
      built,
      input,
      sources,
      names: consumed.names,
      created_by,
      root_turn_id,
      agent_turn_id,
    });
  return { pack, sidecar, sha256, ref: artifactRefOf(sha256) };
}

/** Agents hand packs over, too, and no profile says yet which workspaces they may read. */
const noneGranted = (project_id: string, name: string): KernelError =>
  new KernelError(
    "not_found",
    `workspace: ${name} is not registered in project ${project_id} for hand-overs. Leave it out, and give boxes or cards`,
    { path: "workspace" },
  );
