// Builds a pack from what was looked up for it, and stores nothing: building, handing over and estimating are this and what each does
// with it.
import type { Reader } from "../reader";
import { buildPack } from "./build/build-pack";
import { buildWithLoading } from "./load-blobs";
import type { PreparedPack } from "./prepare-pack";
import { redactor } from "./redactor";
import { type Built, builtOrRefused } from "./refuse-fault";

/** Throws what the builder refuses. The prepared blobs are filled with what was read. */
export async function computePack(reader: Reader, project_id: string, prepared: PreparedPack): Promise<Built> {
  const { input, blobs, workspace } = prepared;
  const outcome = await buildWithLoading(reader, { project_id, workspace }, blobs, (read) =>
    buildPack({ input, read, redact: redactor }),
  );
  return builtOrRefused(outcome);
}
