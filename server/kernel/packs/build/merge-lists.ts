// The lists of merged packs: items of one name become one. What disagrees is kept by rule and noted as a conflict.

import { bareDigest, momentKey } from "@/server/contract/context-pack/forms";
import type { DocPriority, DocRef, PackDecision, PayloadRef, RelevantFile } from "@/server/contract/context-pack/pack";
import type { ArtifactEntry, Entry } from "./draft";
import type { MergeInput, Merging } from "./merging";
import { firstOfEach } from "./order";
import { uniteArtifacts } from "./take-deltas";

const bare = <T>(item: T): Entry<T> => ({ item, origins: [] });
const weight: Record<DocPriority, number> = { low: 0, medium: 1, high: 2 };

export function mergeDocs({ inputs }: Merging): Entry<DocRef>[] {
  const byPath = new Map<string, DocRef>();
  for (const doc of inputs.flatMap(({ pack }) => pack.docRefs)) {
    const known = byPath.get(doc.path);
    byPath.set(doc.path, known ? mergeDoc(known, doc) : doc);
  }
  return [...byPath.values()].map(bare);
}

function mergeDoc(a: DocRef, b: DocRef): DocRef {
  const anchors = [...new Set([...(a.anchors ?? []), ...(b.anchors ?? [])])];
  const excerpt = [a.excerpt, b.excerpt].find((one) => one !== undefined && one !== "");
  const priority = [a.priority ?? "medium", b.priority ?? "medium"].sort((x, y) => weight[y] - weight[x])[0];
  return { path: a.path, ...(anchors.length > 0 && { anchors }), ...(excerpt !== undefined && { excerpt }), priority };
}

type Found = { file: RelevantFile; from: MergeInput; rank: number };

/** The best files of each pack come before the second best of any, so that trimming takes from all of them. */
export function mergeFiles({ inputs, draft }: Merging): Entry<RelevantFile>[] {
  const byPath = new Map<string, Found>();
  for (const from of inputs)
    for (const [rank, file] of (from.pack.relevantFiles ?? []).entries()) {
      const known = byPath.get(file.path);
      byPath.set(file.path, known ? mergeFile(known, { file, from, rank }, draft) : { file, from, rank });
    }
  return [...byPath.values()].sort((a, b) => a.rank - b.rank).map(({ file }) => bare(file));
}

function mergeFile(a: Found, b: Found, draft: Merging["draft"]): Found {
  const rank = Math.min(a.rank, b.rank);
  const [left, right] = [a.file.hash, b.file.hash];
  const purpose = a.file.purpose ?? b.file.purpose;
  if (left === undefined || right === undefined || bareDigest(left) === bareDigest(right)) {
    const excerpt = a.file.excerpt ?? b.file.excerpt;
    return { ...a, rank, file: withoutGaps({ ...a.file, purpose, excerpt, hash: left ?? right }) };
  }
  const newer = momentOf(b.from) > momentOf(a.from);
  const [kept, other] = newer ? [b, a] : [a, b];
  draft.conflicts.push({
    code: "file_hash_conflict",
    field: "relevantFiles",
    key: a.file.path,
    kept: kept.from.pack.packId,
    other: other.from.pack.packId,
  });
  return { ...kept, rank, file: withoutGaps({ ...kept.file, purpose: kept.file.purpose ?? purpose }) };
}

const momentOf = ({ pack }: MergeInput): string => (pack.createdAt === undefined ? "" : momentKey(pack.createdAt));

const withoutGaps = (file: RelevantFile): RelevantFile =>
  Object.fromEntries(Object.entries(file).filter(([, value]) => value !== undefined)) as RelevantFile;

export const mergeInputs = ({ inputs }: Merging): Entry<PayloadRef>[] =>
  firstOfEach(
    inputs.flatMap(({ pack }) => pack.inputs ?? []),
    ({ payloadId }) => payloadId.toLowerCase(),
  ).map(bare);

/** Without a sidecar, what a verification reports counts as evidence. */
export function mergeArtifacts({ inputs }: Merging): ArtifactEntry[] {
  const entries = inputs.flatMap(({ pack, sidecar }) => {
    const evidence = new Set(sidecar?.sources.filter(({ kind }) => kind === "evidence").map(({ ref }) => ref));
    return (pack.artifacts ?? []).map((artifact): ArtifactEntry => {
      const isEvidence = sidecar ? evidence.has(artifact.ref) : artifact.type === "verification";
      const sha256 = artifact.sha256 === undefined ? undefined : bareDigest(artifact.sha256);
      return {
        item: { ...artifact, sha256 },
        isEvidence,
        origins: isEvidence ? [{ kind: "evidence", ref: artifact.ref }] : [],
      };
    });
  });
  return uniteArtifacts(entries);
}

type Decided = { decision: PackDecision; packId: string };

/** Another summary under the same id is another decision: it gets the name of its node. */
export function mergeDecisions({ inputs, draft }: Merging): Entry<PackDecision>[] {
  const byId = new Map<string, Decided[]>();
  const taken = new Set(inputs.flatMap(({ pack }) => (pack.decisions ?? []).map(({ id }) => id)));
  for (const { pack } of inputs)
    for (const decision of pack.decisions ?? []) {
      const same = byId.get(decision.id) ?? [];
      byId.set(decision.id, same);
      const [first] = same;
      const twin = same.find((one) => one.decision.summary === decision.summary);
      if (twin) twin.decision = mergeDecision(twin.decision, decision);
      else if (!first) same.push({ decision, packId: pack.packId });
      else {
        const id = freeId(`${decision.id}@${pack.nodeId ?? pack.packId}`, taken);
        same.push({ decision: { ...decision, id }, packId: pack.packId });
        const { packId: kept } = first;
        draft.conflicts.push({
          code: "decision_conflict",
          field: "decisions",
          key: decision.id,
          kept,
          other: pack.packId,
        });
      }
    }
  return [...byId.values()].flat().map(({ decision }) => bare(decision));
}

function mergeDecision(a: PackDecision, b: PackDecision): PackDecision {
  const rationale = a.rationale ?? b.rationale;
  const links = [...new Set([...(a.links ?? []), ...(b.links ?? [])])];
  return {
    id: a.id,
    summary: a.summary,
    ...(rationale !== undefined && { rationale }),
    ...(links.length > 0 && { links }),
  };
}

function freeId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let nth = 2; taken.has(id); nth++) id = `${wanted}-${nth}`;
  taken.add(id);
  return id;
}
