// Everything that may be trimmed from a pack, in the order in which it goes. Each entry is one step of the receipt.
import type { DocPriority } from "@/server/contract/context-pack/pack";
import type { Trimmed } from "@/server/contract/context-pack/sidecar";
import { cutClean } from "./cut";
import type { Draft, ListName } from "./draft";
import { byBytes } from "./order";
import type { Redactor } from "./outcome";

/** `item` replaces the one at `index`; null = it goes. For repoFacts, `index` is a key. */
export type Trim = { log: Trimmed } & (
  | { list: ListName; index: number; item: object | null }
  | { list: "repoFacts"; index: string }
);

const SHORT_EXCERPT = 400;
/** Of repoFacts: never trimmed. */
const LASTING_FACTS = ["language", "packageManager", "testCommand"];

export function trimOrder(draft: Draft, redact: Redactor): Trim[] {
  return [
    ...shortenExcerpts(draft, redact),
    ...dropFiles(draft),
    ...dropArtifacts(draft),
    ...(["low", "medium", "high"] as const).flatMap((priority) => dropDocExcerpts(draft, priority)),
    ...dropLowDocs(draft),
    ...dropDecisionDetails(draft),
    ...dropInputs(draft),
    ...dropFacts(draft),
  ];
}

const bytesOf = (value: unknown): number => (value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value)));

/** From the last to the first: the last ranks lowest. */
const fromLast = <T>(list: readonly T[]): { entry: T; index: number }[] =>
  list.map((entry, index) => ({ entry, index })).reverse();

function trim(
  place: { step: number; list: ListName; index: number; key: string; action: Trimmed["action"] },
  before: object,
  after: object | null,
): Trim {
  const { step, list, index, key, action } = place;
  const bytesAfter = after === null ? 0 : bytesOf(after);
  return {
    list,
    index,
    item: after,
    log: { step, action, field: list, key, bytesBefore: bytesOf(before), bytesAfter },
  };
}

/** First all of them to 400 bytes, then all of them to none: many short excerpts say more than a few long ones. */
function shortenExcerpts({ lists }: Draft, redact: Redactor): Trim[] {
  const list = "relevantFiles" as const;
  const files = fromLast(lists[list]).flatMap(({ entry: { item }, index }) => {
    if (item.excerpt === undefined) return [];
    const { excerpt, ...bare } = item;
    const isLong = Buffer.byteLength(excerpt) > SHORT_EXCERPT;
    return [
      { item, bare, index, short: isLong ? { ...item, excerpt: cutClean(excerpt, SHORT_EXCERPT, redact) } : item },
    ];
  });
  const place = (index: number, key: string, action: Trimmed["action"]) => ({ step: 1, list, index, key, action });
  return [
    ...files
      .filter(({ item, short }) => item !== short)
      .map(({ item, short, index }) => trim(place(index, item.path, "shortened"), item, short)),
    ...files.map(({ short, bare, index }) => trim(place(index, bare.path, "excerpt_removed"), short, bare)),
  ];
}

function dropFiles({ lists }: Draft): Trim[] {
  return fromLast(lists.relevantFiles).map(({ entry: { item }, index }) => {
    const { excerpt: _, ...bare } = item;
    return trim({ step: 2, list: "relevantFiles", index, key: item.path, action: "removed" }, bare, null);
  });
}

/** The oldest first. */
function dropArtifacts({ lists }: Draft): Trim[] {
  const list = "artifacts" as const;
  const open = lists[list].flatMap(({ item, isEvidence }, index) => (isEvidence ? [] : [{ item, index }]));
  const bare = ({ summary: _, ...rest }: (typeof open)[number]["item"]) => rest;
  return [
    ...open
      .filter(({ item }) => item.summary !== undefined)
      .map(({ item, index }) =>
        trim({ step: 3, list, index, key: item.ref, action: "details_removed" }, item, bare(item)),
      ),
    ...open.map(({ item, index }) =>
      trim({ step: 3, list, index, key: item.ref, action: "removed" }, bare(item), null),
    ),
  ];
}

const priorityOf = (doc: { priority?: DocPriority }): DocPriority => doc.priority ?? "medium";

function dropDocExcerpts({ lists }: Draft, priority: DocPriority): Trim[] {
  return fromLast(lists.docRefs)
    .filter(({ entry: { item } }) => item.excerpt !== undefined && priorityOf(item) === priority)
    .map(({ entry: { item }, index }) => {
      const { excerpt: _, ...bare } = item;
      return trim({ step: 4, list: "docRefs", index, key: item.path, action: "excerpt_removed" }, item, bare);
    });
}

function dropLowDocs({ lists }: Draft): Trim[] {
  return fromLast(lists.docRefs)
    .filter(({ entry: { item } }) => priorityOf(item) === "low")
    .map(({ entry: { item }, index }) => {
      const { excerpt: _, ...bare } = item;
      return trim({ step: 5, list: "docRefs", index, key: item.path, action: "removed" }, bare, null);
    });
}

function dropDecisionDetails({ lists }: Draft): Trim[] {
  return lists.decisions.flatMap(({ item }, index) => {
    const { rationale, links, ...bare } = item;
    if (rationale === undefined && links === undefined) return [];
    return [trim({ step: 6, list: "decisions", index, key: item.id, action: "details_removed" }, item, bare)];
  });
}

/** The oldest first: inputs are sorted by time. */
const dropInputs = ({ lists }: Draft): Trim[] =>
  lists.inputs.map(({ item }, index) =>
    trim({ step: 7, list: "inputs", index, key: item.payloadId, action: "removed" }, item, null),
  );

function dropFacts({ frame: { repoFacts = {} } }: Draft): Trim[] {
  const names = Object.keys(repoFacts).filter((name) => !LASTING_FACTS.includes(name));
  return names.sort(byBytes).map((name) => ({
    list: "repoFacts",
    index: name,
    log: {
      step: 8,
      action: "removed",
      field: "repoFacts",
      key: name,
      bytesBefore: bytesOf(name) + bytesOf(repoFacts[name]),
      bytesAfter: 0,
    },
  }));
}
