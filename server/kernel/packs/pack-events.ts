// What has happened to the node of a pack: in the turns that the request names, or in the turn that asks.
import type { BuildInput, SnapshotFile } from "@/server/contract/context-pack/build-input";
import type { PackToBuildOverRest } from "@/server/contract/context-pack/request";
import { KernelError } from "@/server/contract/errors";
import { type Reader, read } from "../reader";
import { readResults } from "./read-results";
import { redactor } from "./redactor";
import { whatHappened } from "./what-happened";

type Asked = { project_id: string; request: PackToBuildOverRest; caller?: { agent_turn_id: string } };

const THERE = "SELECT agent_turn_id FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = ANY ($2::text[])";

/** not_found for an unknown turn. Without a watermark, only what still fails reaches the pack. */
export async function packEvents(
  reader: Reader,
  { project_id, request, caller }: Asked,
  files: readonly SnapshotFile[],
): Promise<Pick<BuildInput, "events" | "watermark">> {
  const { evidence_from, evidence_since } = request;
  if (evidence_from) await refuseUnknownTurns(reader, { project_id, turn_ids: evidence_from });
  const turn_ids = evidence_from ?? (caller ? [caller.agent_turn_id] : []);
  const results = await readResults(reader, { project_id, turn_ids });
  const paths = new Set(files.map(({ path }) => path));
  const watermark = evidence_since === undefined ? null : Math.max(Date.parse(evidence_since) * 1_000, 0);
  return { events: whatHappened(results, { paths, redact: redactor }), watermark };
}

/** not_found with the place of the first. */
async function refuseUnknownTurns(
  reader: Reader,
  { project_id, turn_ids }: { project_id: string; turn_ids: readonly string[] },
): Promise<void> {
  const rows = await read<{ agent_turn_id: string }>(reader, "pack_turns", THERE, [project_id, turn_ids]);
  const known = new Set(rows.map(({ agent_turn_id }) => agent_turn_id));
  const i = turn_ids.findIndex((id) => !known.has(id));
  if (i === -1) return;
  const path = `evidence_from.${i}`;
  throw new KernelError("not_found", `${path}: turn ${turn_ids[i]} not found. Check the id and the project`, { path });
}
