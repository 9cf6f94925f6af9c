// Which kinds of turns no worker takes now, by the rule of the claim: what lists, facts and the first run say about workers.
// They used to check only the target, and said that a profile was served although the built-in worker leaves its turns.
import type { AskedOfWorkers } from "@/server/contract/health";
import { type LlmConfig, namesModel } from "@/server/contract/profile";
import { takesTurnSql } from "../inbox/who-serves";
import { askableIds, type Reader, read } from "../reader";
import { tunables } from "../tunables";

const UNSERVED = `
  SELECT a.worker_target, a.needs_own_worker
  FROM unnest($2::text[], $3::boolean[]) AS a(worker_target, needs_own_worker)
  WHERE NOT EXISTS (SELECT 1 FROM state.workers v WHERE ${takesTurnSql("a.needs_own_worker", "a.worker_target", "$1", "$4::float8")})`;

const CONFIGS = `
  SELECT b.box_id, c.content -> 'data' -> 'llm_config' AS llm_config
  FROM card_box_chunks b JOIN cards c ON c.tenant_id = $1 AND c.card_id = b.card_ids[1]
  WHERE b.tenant_id = $1 AND b.box_id = ANY ($2) AND b.n = 0`;

/** The ones in the input that no worker takes. */
export async function readUnserved(
  reader: Reader,
  { project_id, asked }: { project_id: string; asked: readonly AskedOfWorkers[] },
): Promise<AskedOfWorkers[]> {
  if (asked.length === 0) return [];
  const { workerSeenMsMax } = ("tunables" in reader ? reader.tunables : undefined) ?? tunables;
  return read<AskedOfWorkers>(reader, "workers_unserved", UNSERVED, [
    project_id,
    asked.map((one) => one.worker_target),
    asked.map((one) => one.needs_own_worker),
    workerSeenMsMax,
  ]);
}

/** Of these versions of profiles, by their boxes, those that name no model: only a worker of the project's own takes them. */
export async function readModelless(
  reader: Reader,
  input: { project_id: string; profile_box_ids: readonly string[] },
): Promise<Set<string>> {
  const boxes = askableIds(input.profile_box_ids);
  if (boxes.length === 0) return new Set();
  const rows = await read<{ box_id: string; llm_config: LlmConfig | null }>(reader, "workers_models", CONFIGS, [
    input.project_id,
    boxes,
  ]);
  return new Set(rows.flatMap((row) => (namesModel(row.llm_config ?? {}) ? [] : row.box_id)));
}
