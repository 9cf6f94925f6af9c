// A pack while it is built: each item with what it was made from, which the sidecar says and the pack has no room for.
import type {
  ContextPack,
  DocRef,
  PackArtifactRef,
  PackDecision,
  PayloadRef,
  RelevantFile,
} from "@/server/contract/context-pack/pack";
import type { PackConflict, PackSource } from "@/server/contract/context-pack/sidecar";

export type Origin = Omit<PackSource, "pointer">;
export type Entry<T> = { item: T; origins: Origin[] };
/** Evidence of a failure is never trimmed. */
export type ArtifactEntry = Entry<PackArtifactRef> & { isEvidence: boolean };

export type Lists = {
  docRefs: Entry<DocRef>[];
  relevantFiles: Entry<RelevantFile>[];
  inputs: Entry<PayloadRef>[];
  artifacts: ArtifactEntry[];
  decisions: Entry<PackDecision>[];
};
export const listNames = ["docRefs", "relevantFiles", "inputs", "artifacts", "decisions"] as const;
export type ListName = (typeof listNames)[number];

export type Draft = {
  /** The pack without its lists of items. */
  frame: Omit<ContextPack, ListName>;
  lists: Lists;
  /** Sources of the pack as a whole. */
  origins: Origin[];
  conflicts: PackConflict[];
  warnings: string[];
};

/** Lists that are empty are left out, except docRefs, which every pack has. */
export function assemble({ frame, lists }: Pick<Draft, "frame" | "lists">): ContextPack {
  const items = <T>(entries: Entry<T>[]): T[] => entries.map(({ item }) => item);
  const kept = <T>(entries: Entry<T>[]): T[] | undefined => (entries.length === 0 ? undefined : items(entries));
  return {
    ...frame,
    docRefs: items(lists.docRefs),
    relevantFiles: kept(lists.relevantFiles),
    inputs: kept(lists.inputs),
    artifacts: kept(lists.artifacts),
    decisions: kept(lists.decisions),
  };
}

export function sourcesOf({ lists, origins }: Draft): PackSource[] {
  const whole = origins.map((origin) => ({ pointer: "", ...origin }));
  const items = listNames.flatMap((name) =>
    lists[name].flatMap((entry, i) => entry.origins.map((origin) => ({ pointer: `/${name}/${i}`, ...origin }))),
  );
  return [...whole, ...items];
}
