// Builds a context pack and stores it. A refusal has written nothing; the same request about the same cards gives the same pack.
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { buildPack } from "./build/build-pack";
import { buildWithLoading } from "./load-blobs";
import { type PackInput, preparePack, sourcesOf } from "./prepare-pack";
import { redactor } from "./redactor";
import { builtOrRefused } from "./refuse-fault";
import { findByInput, type StoredPack, storePack } from "./store-pack";

export type BuildContextPackInput = PackInput & { created_by: string };

/** `is_new` is false if this input has been built before. */
export async function buildContextPack(kernel: Kernel, given: BuildContextPackInput): Promise<StoredPack> {
  const { project_id, caller, created_by } = given;
  const prepared = await preparePack(kernel, kernel.now(), given);
  const { input, blobs, consumed, workspace } = prepared;
  const known = await findByInput(kernel, { project_id, input });
  if (known) return { record: known, is_new: false };
  const outcome = await buildWithLoading(kernel, { project_id, workspace }, blobs, (read) =>
    buildPack({ input, read, redact: redactor }),
  );
  const built = builtOrRefused(outcome);
  const sources = sourcesOf(prepared, built.used);
  return withUnit(kernel, (unit) =>
    storePack(unit, {
      project_id,
      kind: "built",
      built,
      input,
      sources,
      names: consumed.names,
      created_by,
      root_turn_id: caller?.root_turn_id,
      agent_turn_id: caller?.agent_turn_id,
    }),
  );
}
