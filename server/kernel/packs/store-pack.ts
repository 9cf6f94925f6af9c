// Stores a pack with all that it needs to be read and built again, in one unit: its bytes, its sidecar, its input, and what it was
// made of. The same input again finds the pack that is there, and writes nothing.
import { canonicalJson } from "@/server/contract/canonical-json";
import { PACK_AREA, packName } from "@/server/contract/context-pack/pack-name";
import type { PackRecord } from "@/server/contract/context-pack/record";
import { type Naming, nameArtifacts } from "../artifacts/name-artifacts";
import { type ArtifactFile, storeArtifacts } from "../artifacts/store-artifacts";
import { type Reader, read } from "../reader";
import type { Unit } from "../unit";
import { digestOf } from "./build/ids";
import type { BuildOutcome } from "./build/outcome";
import { countItems } from "./count-items";
import { PACK_COLUMNS, type PackRow, toRecord } from "./pack-row";

export type StorePackInput = {
  project_id: string;
  kind: PackRecord["kind"];
  built: Extract<BuildOutcome, { ok: true }>;
  /** What it was built from, with its clock. */
  input: { now: string };
  /** Of the packs and files that it was made from. Those with bytes are stored; the others are there. */
  sources: Map<string, Uint8Array | null>;
  /** For sources that have one: messages that were too long for their envelopes. */
  names?: readonly Naming[];
  created_by: string;
  root_turn_id?: string;
  agent_turn_id?: string;
};
export type StoredPack = { record: PackRecord; is_new: boolean };

const ADD = `
  INSERT INTO resource.context_packs AS p (project_id, sha256, pack_id, input_key, kind, title, goal, sidecar_sha256, input_sha256,
    estimate, token_limit, found, profile, global_mode, counts, root_turn_id, agent_turn_id, created_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::jsonb, $16, $17, $18)
  ON CONFLICT DO NOTHING RETURNING ${PACK_COLUMNS}`;
const KNOWN = `SELECT ${PACK_COLUMNS} FROM resource.context_packs p WHERE p.project_id = $1 AND p.input_key = $2`;
const SAME = `SELECT ${PACK_COLUMNS} FROM resource.context_packs p WHERE p.project_id = $1 AND (p.input_key = $2 OR p.sha256 = $3)`;
const SOURCES = `
  INSERT INTO resource.context_pack_sources (project_id, pack_sha256, sha256) SELECT $1, $2, s FROM unnest($3::text[]) AS s`;

/** Without its clock: the same input later is the same input. */
const inputKeyOf = (input: { now: string }): string => digestOf(canonicalJson({ ...input, now: undefined }));

/** null if this input has not been built before. */
export async function findByInput(
  reader: Reader,
  { project_id, input }: { project_id: string; input: { now: string } },
): Promise<PackRecord | null> {
  const [row] = await read<PackRow>(reader, "pack_by_input", KNOWN, [project_id, inputKeyOf(input)]);
  return row ? toRecord(row) : null;
}

export async function storePack(unit: Unit, given: StorePackInput): Promise<StoredPack> {
  const { project_id, built, input, created_by } = given;
  const { sha256, bytes } = built;
  const sidecar = jsonFile(built.sidecar);
  const from = jsonFile(input);
  // The record first: of two builds of one input, the second waits here and then writes nothing.
  const [row] = await unit.query<PackRow>("pack_add", ADD, rowOf(given, sidecar.sha256, from.sha256));
  if (!row) return known(unit, given);
  const sources = [...given.sources].flatMap(([, one]) =>
    one ? { mime: "application/octet-stream", bytes: one } : [],
  );
  await storeArtifacts(unit, { project_id, files: [{ mime: JSON_TYPE, bytes }, sidecar.file, from.file, ...sources] });
  await nameArtifacts(unit, {
    project_id,
    created_by,
    names: [
      { area: PACK_AREA, name: packName(sha256), sha256, mime: JSON_TYPE, size: bytes.byteLength },
      ...(given.names ?? []),
    ],
  });
  const needed = new Set([sha256, sidecar.sha256, from.sha256, ...given.sources.keys()]);
  await unit.query("pack_sources", SOURCES, [project_id, sha256, [...needed].sort()]);
  return { record: toRecord(row), is_new: true };
}

async function known(unit: Unit, { project_id, input, built }: StorePackInput): Promise<StoredPack> {
  const [row] = await unit.query<PackRow>("pack_same", SAME, [project_id, inputKeyOf(input), built.sha256]);
  if (!row) throw new Error(`pack ${built.sha256} is neither new nor known`);
  return { record: toRecord(row), is_new: false };
}

function rowOf(given: StorePackInput, sidecarSha256: string, inputSha256: string): unknown[] {
  const { project_id, kind, input, created_by, root_turn_id, agent_turn_id } = given;
  const { pack, sidecar, sha256, found, limit } = given.built;
  return [
    project_id,
    sha256,
    pack.packId,
    inputKeyOf(input),
    kind,
    pack.goal.split("\n", 1)[0] ?? "",
    pack.goal,
    sidecarSha256,
    inputSha256,
    sidecar.estimate,
    limit,
    found,
    sidecar.profile,
    pack.globalMode,
    JSON.stringify(countItems(pack, sidecar)),
    root_turn_id ?? null,
    agent_turn_id ?? null,
    created_by,
  ];
}

const JSON_TYPE = "application/json";

function jsonFile(value: unknown): { file: ArtifactFile; sha256: string } {
  const bytes = Buffer.from(canonicalJson(value));
  return { file: { mime: JSON_TYPE, bytes }, sha256: digestOf(bytes) };
}
