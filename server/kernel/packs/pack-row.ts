// A context pack as its row has it.
import { packCode } from "@/server/contract/context-pack/pack-code";
import { packRef } from "@/server/contract/context-pack/pack-name";
import type { PackRecord } from "@/server/contract/context-pack/record";

export type PackRow = {
  sha256: string;
  pack_id: string;
  kind: PackRecord["kind"];
  title: string;
  sidecar_sha256: string;
  input_sha256: string;
  estimate: number;
  token_limit: number;
  found: number;
  profile: PackRecord["profile"];
  global_mode: PackRecord["globalMode"];
  counts: PackRecord["counts"];
  root_turn_id: string | null;
  agent_turn_id: string | null;
  created_at: string;
  created_by: string;
};

/** Of `resource.context_packs p`. */
export const PACK_COLUMNS = `
  p.sha256, p.pack_id, p.kind, p.title, p.sidecar_sha256, p.input_sha256, p.estimate, p.token_limit, p.found, p.profile,
  p.global_mode, p.counts, p.root_turn_id, p.agent_turn_id, p.created_at, p.created_by`;

export function toRecord(row: PackRow): PackRecord {
  const { token_limit, global_mode, root_turn_id, agent_turn_id, created_at, ...same } = row;
  return {
    ...same,
    code: packCode(row.sha256),
    limit: token_limit,
    globalMode: global_mode,
    artifact_ref: packRef(row.sha256),
    created_at: new Date(created_at).toISOString(),
    ...(root_turn_id !== null && { root_turn_id }),
    ...(agent_turn_id !== null && { agent_turn_id }),
  };
}
