// Checks a whole bundle before anything is written: its manifest, the digest of each part, the shape of each line, and that every
// reference leads to a line of the bundle. What it answers is small: the lines stay in their files.
import { setImmediate as breathe } from "node:timers/promises";
import type * as z from "zod";
import type { RequestLine } from "@/server/contract/bundle/lines";
import {
  BUNDLE_PARTS,
  BundleManifest,
  type BundleNote,
  MANIFEST,
  type BundleManifest as Manifest,
  partsOf,
} from "@/server/contract/bundle/manifest";
import type { PackLine } from "@/server/contract/bundle/store-lines";
import { shapeFault } from "@/server/contract/shape-fault";
import type { HeldCard } from "@/server/kernel/bundle/writing";
import { checkPack } from "./check-pack";
import { digestOf, faultOf } from "./faults";
import { FILE, type Folder } from "./folder";
import { type LinedPart, PART_LINES } from "./part-lines";
import { refused } from "./read-tar";
import { type Ids, idOf, referencesOf } from "./references";
import { valueFault } from "./value-fault";

export type CheckedBundle = {
  manifest: Manifest;
  notes: BundleNote[];
  cards: Map<string, HeldCard>;
  counts: Record<LinedPart, number>;
};

export async function checkBundle(folder: Folder): Promise<CheckedBundle> {
  const manifest = await readManifest(folder);
  checkParts(folder, manifest);
  // What an older version does not have is empty.
  for (const part of BUNDLE_PARTS) if (!folder.has(part)) await folder.add(part, new Uint8Array());
  const notes = await readLines(folder, "notes.json", async () => undefined);
  const ids: Ids = new Map();
  const cards = new Map<string, HeldCard>();
  const counts = {} as Record<LinedPart, number>;
  const parents = new Map<string, string | null>();
  const sent = new Map<string, unknown>();
  for (const part of Object.keys(PART_LINES) as LinedPart[]) {
    if (part === "notes.json") continue;
    const own = new Set<string>();
    ids.set(part, own);
    counts[part] = 0;
    await readLines(folder, part, async (line, where) => {
      counts[part]++;
      const id = idOf(part, line);
      if (own.has(id)) throw refused(`${where}: ${id.slice(0, 128)} is there twice`);
      own.add(id);
      const fault = faultOf(part, line);
      if (fault !== null) throw refused(`${where}: ${fault}`);
      if (part === "cards.jsonl") {
        const { card_id, metadata, token_count } = line as { card_id: string; metadata: HeldCard; token_count: number };
        cards.set(card_id, { role: metadata.role, type: metadata.type, token_count });
      }
      if (part === "steps.jsonl") sent.set(id, line.request_sha256);
      if (part === "requests.jsonl" && sent.get(id) !== digestOf(line as RequestLine))
        throw refused(`${where}: the request is not the one that step ${id} names by its request_sha256`);
      if (part === "turns.jsonl") parents.set(String(line.agent_turn_id), line.parent_turn_id as string | null);
      if (part === "artifacts/files.jsonl") checkFile(folder, line as { sha256: string; size: number }, where);
      if (part === "run.json" && line.root_turn_id !== manifest.root_turn_id)
        throw refused(`${where}: root_turn_id is not that of ${MANIFEST}`);
    });
  }
  if (counts["run.json"] !== 1) throw refused("run.json must hold one run");
  checkExtraFiles(folder, ids);
  await checkReferences(folder, ids, manifest);
  checkParents(parents);
  await readLines(folder, "artifacts/packs.jsonl", (line, where) => checkPack(folder, line as PackLine, where));
  return { manifest, notes: notes as BundleNote[], cards, counts };
}

async function readManifest(folder: Folder): Promise<Manifest> {
  if (!folder.has(MANIFEST)) throw refused(`${MANIFEST} is missing: this is no run bundle`);
  const pieces: Uint8Array[] = [];
  for await (const piece of folder.bytes(MANIFEST)) pieces.push(piece);
  const parsed = BundleManifest.safeParse(jsonOf(Buffer.concat(pieces).toString(), MANIFEST));
  if (parsed.success) return parsed.data;
  const { path, message } = shapeFault(parsed.error, MANIFEST);
  throw refused(`${path}: ${message}`, { path });
}

function checkParts(folder: Folder, { version, sha256, counts }: Manifest): void {
  const parts = partsOf(version);
  const missing = parts.find((part) => !folder.has(part));
  if (missing) throw refused(`${missing} is missing from the bundle; export the run again`);
  const newer = BUNDLE_PARTS.find((part) => folder.has(part) && !parts.includes(part));
  if (newer) throw refused(`${newer} does not belong into a bundle of version ${version}; export the run again`);
  for (const name of folder.names()) {
    if (name === MANIFEST) continue;
    const part = folder.facts(name);
    if (sha256[name] !== part.sha256)
      throw refused(`${name} was changed: it is not what ${MANIFEST} says; export the run again`, { part: name });
    if (!FILE.test(name) && counts[name] !== part.lines)
      throw refused(`${name} has ${part.lines} lines, and ${MANIFEST} says ${counts[name] ?? 0}`, { part: name });
  }
  const gone = Object.keys(sha256).find((name) => !folder.has(name));
  if (gone !== undefined) throw refused(`${gone.slice(0, 120)} is missing from the bundle; export the run again`);
}

type Line = Record<string, unknown>;

/** The last line's value; of parts with many, nobody asks. */
async function readLines(
  folder: Folder,
  part: LinedPart,
  take: (line: Line, where: string) => Promise<void>,
): Promise<unknown> {
  const schema: z.ZodType = PART_LINES[part];
  let n = 0;
  let last: unknown;
  let until = performance.now() + SLICE_MS;
  for await (const text of folder.lines(part)) {
    const where = `${part} line ${++n}`;
    const value = jsonOf(text, where);
    const fault = value === null || typeof value !== "object" ? null : valueFault(value, where);
    if (fault) throw refused(`${fault.path} ${fault.message}`, { path: fault.path });
    const parsed = schema.safeParse(value);
    if (!parsed.success) {
      const { path, message } = shapeFault(parsed.error, where);
      throw refused(`${path}: ${message}`, { path });
    }
    last = parsed.data;
    await take(parsed.data as Line, where);
    if (performance.now() < until) continue;
    await breathe();
    until = performance.now() + SLICE_MS;
  }
  return last;
}

/** The event loop is free again after this long. */
const SLICE_MS = 8;

function jsonOf(text: string, where: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw refused(`${where} is not JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

function checkFile(folder: Folder, { sha256, size }: { sha256: string; size: number }, where: string): void {
  const name = `artifacts/${sha256}`;
  if (!folder.has(name)) throw refused(`${where}: ${name} is missing from the bundle`);
  const facts = folder.facts(name);
  if (facts.sha256 !== sha256) throw refused(`${name} holds other bytes than its name says`, { part: name });
  if (facts.size !== size) throw refused(`${where}: ${name} has ${facts.size} bytes, not ${size}`);
}

function checkExtraFiles(folder: Folder, ids: Ids): void {
  const listed = ids.get("artifacts/files.jsonl");
  const extra = folder.names().find((name) => FILE.test(name) && !listed?.has(name.slice("artifacts/".length)));
  if (extra) throw refused(`${extra} is in no line of artifacts/files.jsonl`);
}

async function checkReferences(folder: Folder, ids: Ids, { root_turn_id }: Manifest): Promise<void> {
  if (!ids.get("turns.jsonl")?.has(root_turn_id))
    throw refused(`turns.jsonl has no turn ${root_turn_id}, the run's root`);
  const tasks = new Set<string>();
  for (const part of ["batches.jsonl", ...(Object.keys(PART_LINES) as LinedPart[])] as LinedPart[])
    await readLines(folder, part, async (line, where) => {
      if (part === "batches.jsonl") for (const task of line.tasks as Line[]) tasks.add(String(task.batch_task_id));
      for (const { field, to, id } of referencesOf(part, line)) {
        const there = to === "tasks" ? tasks : ids.get(to);
        if (!there?.has(id))
          throw refused(`${where}: ${field} ${id.slice(0, 128)} is not in ${to === "tasks" ? "batches.jsonl" : to}`);
      }
    });
}

/** Whoever follows callers upwards must come to an end. */
function checkParents(parents: ReadonlyMap<string, string | null>): void {
  const done = new Set<string>();
  for (const start of parents.keys()) {
    const way = new Set<string>();
    for (let at: string | null = start; at !== null && !done.has(at); at = parents.get(at) ?? null) {
      if (way.has(at)) throw refused(`turns.jsonl: turn ${at} is among its own callers`);
      way.add(at);
    }
    for (const id of way) done.add(id);
  }
}
