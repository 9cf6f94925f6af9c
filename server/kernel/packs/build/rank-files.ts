// Step 5: the files that matter for the goal, by what speaks for each. Ranked by score; of equal ones
// the better hit of the search comes first, else the bytes of the path decide. 20 at most.
import type { BuildEvent, Snapshot, SnapshotFile } from "@/server/contract/context-pack/build-input";
import type { RelevantFile } from "@/server/contract/context-pack/pack";
import { type Blobs, EXCERPTED_BYTES_MAX } from "./blobs";
import type { Entry } from "./draft";
import { excerptOfFile, wordsOf } from "./excerpt";
import type { Normal } from "./normalise";
import { byBytes } from "./order";
import type { Redactor } from "./outcome";
import { ownership, repoPath } from "./paths";

const FILES_MAX = 20;

/** From the strongest to the weakest: the first that holds is the purpose. */
const reasons = {
  evidence: { weight: 3, purpose: "Named in failing evidence" },
  caller: { weight: 3, purpose: "Named by the caller" },
  diff: { weight: 2, purpose: "Changed by an upstream diff" },
  hit: { weight: 2, purpose: "Found by the search" },
  near: { weight: 1, purpose: "Imported by a file that matters" },
  far: { weight: 0.5, purpose: "Two imports away from a file that matters" },
  owned: { weight: 0.5, purpose: "Owned by this node" },
} as const;
type Reason = keyof typeof reasons;
const ranking = Object.keys(reasons) as Reason[];

type Source = {
  input: Normal;
  snapshot: Snapshot | null;
  events: BuildEvent[];
  envelopes: Normal["envelopes"];
  /** Paths that are in the pack as documents. */
  docs: ReadonlySet<string>;
  blobs: Blobs;
  redact: Redactor;
};

export function rankFiles(source: Source): { relevantFiles: Entry<RelevantFile>[]; warnings: string[] } {
  const { snapshot, docs, input } = source;
  const files = new Map(snapshot?.files.map((file) => [file.path, file]));
  const hits = new Map<string, number>();
  for (const { path, score } of input.hits) hits.set(path, Math.max(score, hits.get(path) ?? 0));
  const hitOf = (path: string): number => hits.get(path) ?? 0;
  const ranked = [...collectReasons(source, files)]
    .filter(([path]) => !docs.has(path))
    .map(([path, found]) => ({ path, found, score: scoreOf(found) }))
    // Twenty hits of a search have one score: by the alphabet, the least fitting were kept whole and the best were cut.
    .sort((a, b) => b.score - a.score || hitOf(b.path) - hitOf(a.path) || byBytes(a.path, b.path));
  const warnings: string[] = [];
  if (ranked.length > FILES_MAX) warnings.push(`files_left_out:${ranked.length - FILES_MAX}`);
  const words = wordsOf([input.node.objective, ...input.node.definitionOfDone].join(" "));
  const relevantFiles = ranked.slice(0, FILES_MAX).map(({ path, found }) => {
    const file = files.get(path);
    if (snapshot && !file) warnings.push(`unknown_file:${path}`);
    return refer(path, file, purposeOf(found), { ...source, words, warnings });
  });
  return { relevantFiles, warnings };
}

/** Evidence and a caller's word count once: both say the same. */
function scoreOf(found: ReadonlySet<Reason>): number {
  const counted = found.has("evidence") ? ranking.filter((reason) => reason !== "caller") : ranking;
  return counted.reduce((sum, reason) => sum + (found.has(reason) ? reasons[reason].weight : 0), 0);
}

const purposeOf = (found: ReadonlySet<Reason>): string =>
  reasons[ranking.find((reason) => found.has(reason)) ?? "owned"].purpose;

function collectReasons(
  { input, events, envelopes }: Source,
  files: Map<string, SnapshotFile>,
): Map<string, Set<Reason>> {
  const found = new Map<string, Set<Reason>>();
  const note = (path: string, reason: Reason) => found.set(path, (found.get(path) ?? new Set()).add(reason));
  for (const { isFailure, kind, files: named } of events)
    for (const path of named) {
      if (isFailure) note(path, "evidence");
      if (kind === "diff") note(path, "diff");
    }
  for (const path of envelopes.flatMap(changedFiles)) note(path, "diff");
  for (const { path } of input.hits) note(path, "hit");
  for (const path of input.files ?? []) note(path, "caller");
  const { near, far } = importsOf(new Set(found.keys()), files);
  for (const path of near) note(path, "near");
  for (const path of far) note(path, "far");
  const isOwned = ownership(input.owned ?? []);
  for (const path of files.keys()) if (isOwned(path)) note(path, "owned");
  for (const path of input.owned ?? []) if (!path.endsWith("/")) note(path, "owned");
  return found;
}

/** An envelope of kind diff says in `structured.files` what it changed. */
function changedFiles({ kind, structured, payloadId }: Normal["envelopes"][number]): string[] {
  const named = structured?.files;
  if (kind !== "diff" || !Array.isArray(named)) return [];
  return named.flatMap((path) =>
    typeof path === "string" ? [repoPath(path, `envelopes.${payloadId}.structured.files`)] : [],
  );
}

/** What the seeds import, and what that imports. A file is no import of itself. */
function importsOf(
  seeds: ReadonlySet<string>,
  files: Map<string, SnapshotFile>,
): { near: Set<string>; far: Set<string> } {
  const next = (path: string): string[] =>
    (files.get(path)?.imports ?? []).filter((one) => one !== path && files.has(one));
  const near = new Set([...seeds].flatMap(next));
  const far = new Set<string>();
  for (const seed of seeds)
    for (const middle of next(seed))
      for (const path of next(middle)) if (path !== seed && !near.has(path)) far.add(path);
  return { near, far };
}

function refer(
  path: string,
  file: SnapshotFile | undefined,
  purpose: string,
  { blobs, redact, words, warnings }: Source & { words: string[]; warnings: string[] },
): Entry<RelevantFile> {
  // The digest of a short secret would give it away, so such a file has neither excerpt nor hash.
  if (!file || redact.denied(path)) return { item: { path, purpose }, origins: [{ kind: "file", ref: path }] };
  const hash = `sha256:${file.sha256}`;
  const origins = [{ kind: "file" as const, ref: path, sha256: file.sha256 }];
  if (file.kind === "text" && file.size > EXCERPTED_BYTES_MAX) warnings.push(`large_file:${path}`);
  const isRead = file.kind === "text" && file.size <= EXCERPTED_BYTES_MAX;
  const text = isRead ? blobs.text(file.sha256) : null;
  if (isRead && text === null) warnings.push(`not_text:${path}`);
  const excerpt = text === null ? "" : excerptOfFile(text, words, redact);
  return { item: { path, purpose, ...(excerpt !== "" && { excerpt }), hash }, origins };
}
