// Files that a run's cards refer to, and its context packs with what they were made of; their bytes piece by piece.
import type { FileLine, NameLine, PackLine } from "@/server/contract/bundle/store-lines";
import { piecesOf } from "../artifacts/stream-blob";
import { columnsOf } from "../columns";
import { type Reader, read } from "../reader";
import { NAME_COLUMNS, PACK_COLUMNS, usSql } from "./columns";
import { addAll, type Gathered, pagesOf, sorted } from "./gathered";
import type { Piece, RunFacts, RunKey } from "./piece";

const PAGE = 100;

const PACKS = `
  SELECT ${columnsOf(PACK_COLUMNS, "p")}, ${usSql("p.created_at")} AS created_at,
    ARRAY(SELECT s.sha256 FROM resource.context_pack_sources s WHERE s.project_id = $1 AND s.pack_sha256 = p.sha256
      ORDER BY s.sha256) AS sources
  FROM resource.context_packs p WHERE p.project_id = $1 AND p.root_turn_id = $2 AND p.sha256 > $3
  ORDER BY p.sha256 LIMIT ${PAGE}`;
const NAMES = `
  SELECT ${columnsOf(NAME_COLUMNS, "n")} FROM resource.artifact_names n
  WHERE n.project_id = $1 AND n.sha256 = ANY ($2)`;
const FILES = `
  SELECT a.sha256, a.mime, a.size, a.blob_id FROM resource.artifacts a
  WHERE a.project_id = $1 AND a.sha256 = ANY ($2) ORDER BY a.sha256`;
const BYTES =
  "SELECT a.bytes FROM resource.artifacts a WHERE a.project_id = $1 AND a.sha256 = $2 AND a.bytes IS NOT NULL";

export async function* readFiles(
  reader: Reader,
  { project_id, root_turn_id }: RunKey,
  gathered: Gathered,
  facts: RunFacts,
): AsyncGenerator<Piece> {
  const named = new Set<string>();
  const own = new Set(gathered.turns);
  for (let after = ""; ; ) {
    const rows = await read<PackLine>(reader, "bundle_packs", PACKS, [project_id, root_turn_id, after]);
    for (const line of rows) {
      after = line.sha256;
      addAll(named, [line.sha256, line.sidecar_sha256, line.input_sha256, ...line.sources]);
      const agent_turn_id = own.has(line.agent_turn_id ?? "") ? line.agent_turn_id : null;
      yield { part: "artifacts/packs.jsonl", line: { ...line, agent_turn_id } };
    }
    if (rows.length < PAGE) break;
  }
  yield* readNames(reader, project_id, named);
  addAll(gathered.files, [...named]);
  let missing = gathered.files.size;
  for (const ids of pagesOf(sorted(gathered.files), PAGE))
    for (const { blob_id, ...line } of await read<FileLine & { blob_id: string | null }>(
      reader,
      "bundle_files",
      FILES,
      [project_id, ids],
    )) {
      missing--;
      yield { part: "artifacts/files.jsonl", line };
      yield* readBytes(reader, project_id, line, blob_id);
    }
  if (missing > 0 && !facts.notes.some((note) => note.code === "files_missing"))
    facts.notes.push({ code: "files_missing", count: missing, text: "files that cards refer to and that are gone" });
}

async function* readNames(reader: Reader, project_id: string, sha256s: Set<string>): AsyncGenerator<Piece> {
  const rows: NameLine[] = [];
  for (const ids of pagesOf(sorted(sha256s), PAGE))
    rows.push(...(await read<NameLine>(reader, "bundle_names", NAMES, [project_id, ids])));
  const keyOf = ({ area, name }: NameLine) => JSON.stringify([area, name]);
  for (const line of rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))) yield { part: "artifacts/names.jsonl", line };
}

async function* readBytes(
  reader: Reader,
  project_id: string,
  { sha256, size }: FileLine,
  blob_id: string | null,
): AsyncGenerator<Piece> {
  if (blob_id !== null) {
    for await (const bytes of piecesOf(reader, { project_id, blob_id, size })) yield { file: sha256, bytes };
    return;
  }
  const [row] = await read<{ bytes: Buffer }>(reader, "bundle_bytes", BYTES, [project_id, sha256]);
  yield { file: sha256, bytes: row?.bytes ?? Buffer.alloc(0) };
}
