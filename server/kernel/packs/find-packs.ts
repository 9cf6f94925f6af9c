// Finds stored packs by what people call them: id, code, digest, or the name of the artifact.
import { parseArtifactName } from "@/server/contract/context-pack/artifact-name";
import { bareDigest } from "@/server/contract/context-pack/forms";
import type { PackRecord } from "@/server/contract/context-pack/record";
import { KernelError } from "@/server/contract/errors";
import { passAll } from "../attempt";
import { type Reader, read } from "../reader";
import { PACK_COLUMNS, type PackRow, toRecord } from "./pack-row";

/** The digits that a digest begins with, by its key: with LIKE, all packs of the project were read. */
export const BY_DIGITS = (digits: string) => `(p.sha256 >= ${digits} AND p.sha256 < ${digits} || 'g')`;

const ONE = `
  SELECT ${PACK_COLUMNS} FROM resource.context_packs p
  WHERE p.project_id = $1 AND (p.pack_id = $2 OR ${BY_DIGITS("$3::text")}) ORDER BY p.created_at DESC, p.sha256 DESC LIMIT 2`;

/** `pack`: an id (its newest pack), a code such as P-31D0, or a SHA-256. not_found, and conflict for a code of several. */
export async function findPack(
  reader: Reader,
  { project_id, pack }: { project_id: string; pack: string },
): Promise<PackRecord> {
  const digits = /^(?:P-|sha256:)?([0-9a-f]{4,64})$/i.exec(pack)?.[1]?.toLowerCase();
  const isId = /^[0-9a-f-]{36}$/i.test(pack);
  const values = [project_id, isId ? pack.toLowerCase() : null, digits ?? null];
  const rows = isId || digits ? await read<PackRow>(reader, "pack_find", ONE, values) : [];
  const [row, other] = rows;
  if (!row) throw noPack(project_id, pack);
  if (other && !isId)
    throw new KernelError("conflict", `pack: ${pack.slice(0, 80)} stands for several packs. Give the whole SHA-256`, {
      sha256s: rows.map(({ sha256 }) => sha256),
    });
  return toRecord(row);
}

const BY_ID = `
  SELECT DISTINCT ON (p.pack_id) ${PACK_COLUMNS} FROM resource.context_packs p
  WHERE p.project_id = $1 AND p.pack_id = ANY ($2::text[]) ORDER BY p.pack_id, p.created_at DESC, p.sha256 DESC`;
const BY_REF = `
  SELECT n.area, n.name, ${PACK_COLUMNS} FROM jsonb_to_recordset($2::jsonb) AS g(area text, name text)
  JOIN resource.artifact_names n ON n.project_id = $1 AND n.area = g.area AND n.name = g.name
  JOIN resource.context_packs p ON p.project_id = $1 AND p.sha256 = n.sha256`;

export type PackRef = { pack_id: string } | { ref: string; sha256?: string };

/** In input order. not_found names the field; digest_mismatch if a name stands for other bytes than the caller thinks. */
export const findPacks = async (
  reader: Reader,
  { project_id, packs, field }: { project_id: string; packs: readonly PackRef[]; field: string },
): Promise<PackRecord[]> => passAll(await tryFindPacks(reader, { project_id, packs, at: (i) => `${field}.${i}` }));

/** Each for itself: a refusal stands where its pack does. `at` = the field of each. */
export async function tryFindPacks(
  reader: Reader,
  { project_id, packs, at }: { project_id: string; packs: readonly PackRef[]; at: (i: number) => string },
): Promise<(PackRecord | KernelError)[]> {
  const ids = packs.flatMap((one) => ("pack_id" in one ? one.pack_id.toLowerCase() : []));
  const names = packs.flatMap((one) => ("ref" in one ? nameOf(one.ref) : []));
  const byId = ids.length > 0 ? await read<PackRow>(reader, "packs_by_id", BY_ID, [project_id, ids]) : [];
  const byRef =
    names.length > 0
      ? await read<PackRow & { area: string; name: string }>(reader, "packs_by_ref", BY_REF, [
          project_id,
          JSON.stringify(names),
        ])
      : [];
  const found = new Map<string, PackRow>(byId.map((row) => [row.pack_id, row]));
  for (const { area, name, ...row } of byRef) found.set(`artifact://${area}/${name}`, row);
  return packs.map((one, i) => {
    const key = "ref" in one ? one.ref : one.pack_id.toLowerCase();
    const row = found.get(key);
    if (!row) return noPack(project_id, key, at(i));
    if ("ref" in one && one.sha256 !== undefined && bareDigest(one.sha256) !== row.sha256)
      return new KernelError(
        "digest_mismatch",
        `${at(i)}.sha256: ${key} has the digest ${row.sha256}. Leave the digest out, or give the pack that you mean`,
        { expected: bareDigest(one.sha256), actual: row.sha256 },
      );
    return toRecord(row);
  });
}

function nameOf(ref: string): { area: string; name: string }[] {
  const parsed = parseArtifactName(ref);
  return "fault" in parsed ? [] : [parsed];
}

const noPack = (project_id: string, pack: string, field = "pack"): KernelError =>
  new KernelError(
    "not_found",
    `${field}: no context pack ${pack.slice(0, 200)} in project ${project_id}. GET /context-packs lists them`,
    { path: field },
  );
