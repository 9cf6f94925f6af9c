// How far the first requests of the branches of a fork begin alike: each is compared with the branch that began first.
import type { PrefixSheet } from "@/server/contract/prefix";
import { noBatch } from "../batch/no-batch";
import { type Reader, read } from "../reader";
import { comparePrefixes } from "./compare-prefixes";
import { prefixSheet } from "./prefix-sheet";
import { withinCards } from "./read-agent-prefix";
import { readBatchRequests } from "./read-sent-requests";

const BATCH = "SELECT b.batch_id FROM state.pmo_batches b WHERE b.project_id = $1 AND b.batch_id = $2";

/** not_found for an unknown batch and for one of another project alike. */
export async function readBatchPrefix(
  reader: Reader,
  input: { project_id: string; batch_id: string },
): Promise<PrefixSheet> {
  const { project_id } = input;
  const found = await readBatchRequests(reader, input);
  if (found.length === 0) await refuseUnknown(reader, input);
  const requests = await comparePrefixes(reader, {
    project_id,
    requests: withinCards(found),
    before: (at) => (at === 0 ? null : 0),
  });
  const [least] = requests.slice(1).sort((one, other) => one.common.cards - other.common.cards);
  return { ...prefixSheet(requests, found[0]?.total ?? 0), ...(least && { shared: least.common }) };
}

/** A batch whose branches have not sent a request yet has none to compare. */
async function refuseUnknown(
  reader: Reader,
  { project_id, batch_id }: { project_id: string; batch_id: string },
): Promise<void> {
  const rows = await read<{ batch_id: string }>(reader, "prefix_batch_known", BATCH, [project_id, batch_id]);
  if (rows.length === 0) throw noBatch(project_id, batch_id);
}
