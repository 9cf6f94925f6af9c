// Files and context packs of a run that was brought along: before the cards that refer to them. The same bytes are the same file.
import type { FileLine, NameLine, PackLine } from "@/server/contract/bundle/store-lines";
import { columnsOf } from "../columns";
import { NAME_COLUMNS, PACK_COLUMNS } from "./columns";
import { partsOf } from "./parts-of";
import { taken, type Writing } from "./writing";

/** As receive-blob.ts cuts them. */
const PIECE_BYTES = 1_048_576;

// Locked, so that whoever deletes the last card of a file waits, and finds this one.
const HOLD = `
  SELECT sha256 FROM resource.artifacts WHERE project_id = $1 AND sha256 = ANY ($2::text[]) ORDER BY sha256 FOR UPDATE`;
const FILE = `
  INSERT INTO resource.artifacts (project_id, sha256, mime, bytes, size, blob_id) VALUES ($1, $2, $3, $4, $5, $6)`;
const BLOB = "INSERT INTO resource.artifact_blobs (project_id, blob_id) VALUES ($1, $2)";
const CHUNK = "INSERT INTO resource.artifact_chunks (project_id, blob_id, n, bytes) VALUES ($1, $2, $3, $4)";
const PACKS = `
  INSERT INTO resource.context_packs (project_id, root_turn_id, ${PACK_COLUMNS.join(", ")}, created_at)
  SELECT $1, $2, ${columnsOf(PACK_COLUMNS, "g")}, g.created_at
  FROM jsonb_populate_recordset(NULL::resource.context_packs, $3::jsonb) AS g
  ON CONFLICT DO NOTHING RETURNING sha256`;
const SOURCES = `
  INSERT INTO resource.context_pack_sources (project_id, pack_sha256, sha256)
  SELECT $1, g.pack_sha256, g.sha256 FROM jsonb_to_recordset($2::jsonb) AS g(pack_sha256 text, sha256 text)`;
const NAMES = `
  INSERT INTO resource.artifact_names (project_id, ${NAME_COLUMNS.join(", ")})
  SELECT $1, ${columnsOf(NAME_COLUMNS, "g")} FROM jsonb_to_recordset($2::jsonb) AS g(area text, name text, sha256 text,
    mime text, size int, created_by text)
  ON CONFLICT DO NOTHING`;
const NAMED = `
  SELECT n.area, n.name, n.sha256 FROM jsonb_to_recordset($2::jsonb) AS g(area text, name text)
  JOIN resource.artifact_names n ON n.project_id = $1 AND n.area = g.area AND n.name = g.name`;

export async function writeFiles(writing: Writing): Promise<void> {
  const { unit, project_id, source } = writing;
  for await (const part of partsOf<FileLine>(source.lines("artifacts/files.jsonl"))) {
    const sha256s = part.map((file) => file.sha256);
    const there = await unit.query<{ sha256: string }>("bundle_files_hold", HOLD, [project_id, sha256s]);
    const known = new Set(there.map((row) => row.sha256));
    for (const file of part) if (!known.has(file.sha256)) await writeFile(writing, file);
  }
  for await (const part of partsOf<PackLine>(source.lines("artifacts/packs.jsonl"))) {
    const rows = part.map(({ sources: _sources, agent_turn_id, ...row }) => ({
      ...row,
      ...(agent_turn_id !== null && { agent_turn_id }),
    }));
    const values = [project_id, source.root_turn_id, JSON.stringify(rows)];
    const made = new Set(
      (await unit.query<{ sha256: string }>("bundle_packs_add", PACKS, values)).map((row) => row.sha256),
    );
    const sources = part
      .filter((pack) => made.has(pack.sha256))
      .flatMap((pack) => pack.sources.map((sha256) => ({ pack_sha256: pack.sha256, sha256 })));
    if (sources.length > 0) await unit.query("bundle_sources_add", SOURCES, [project_id, JSON.stringify(sources)]);
  }
  for await (const part of partsOf<NameLine>(source.lines("artifacts/names.jsonl"))) await writeNames(writing, part);
}

async function writeFile({ unit, project_id, source }: Writing, { sha256, mime, size }: FileLine): Promise<void> {
  // What a card may refer to lies in one row: readers of pictures and files look there.
  if (size <= unit.kernel.tunables.artifactBytesMax) {
    const pieces: Uint8Array[] = [];
    for await (const piece of source.file(sha256)) pieces.push(piece);
    await unit.query("bundle_file_add", FILE, [project_id, sha256, mime, Buffer.concat(pieces), size, null]);
    return;
  }
  const blob_id = unit.kernel.newId();
  await unit.query("bundle_blob_add", BLOB, [project_id, blob_id]);
  let n = 0;
  for await (const bytes of inPieces(source.file(sha256)))
    await unit.query("bundle_chunk_add", CHUNK, [project_id, blob_id, n++, bytes]);
  await unit.query("bundle_file_add", FILE, [project_id, sha256, mime, null, size, blob_id]);
}

async function* inPieces(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0);
  for await (const part of parts) {
    held = Buffer.concat([held, part]);
    for (; held.length >= PIECE_BYTES; held = held.subarray(PIECE_BYTES)) yield held.subarray(0, PIECE_BYTES);
  }
  if (held.length > 0) yield held;
}

async function writeNames({ unit, project_id }: Writing, names: NameLine[]): Promise<void> {
  const given = JSON.stringify(names);
  await unit.query("bundle_names_add", NAMES, [project_id, given]);
  const there = await unit.query<Pick<NameLine, "area" | "name" | "sha256">>("bundle_names_known", NAMED, [
    project_id,
    given,
  ]);
  const bytesOf = new Map(there.map((row) => [JSON.stringify([row.area, row.name]), row.sha256]));
  for (const { area, name, sha256 } of names)
    if (bytesOf.get(JSON.stringify([area, name])) !== sha256) throw taken("artifact", `${area}/${name}`);
}
