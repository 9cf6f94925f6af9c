// The lines of one section of a pack: what a reader sees first of an item, and below it what else it says. Pure.

import { plainTitle } from "@/components/ui/plain-words";
import { pointerPart } from "@/server/contract/context-pack/diff-packs";
import type { ContextPack, DocRef } from "@/server/contract/context-pack/pack";
import type { SectionForm } from "./sections";
import { shortRef } from "./short-ref";

export type PlainLine = {
  /** A JSON pointer into the pack. */
  pointer: string;
  field: string;
  /** As the trim order names the item: path, reference, id. */
  key?: string;
  /** In front of the text: a number, an id. */
  mark?: string;
  text: string;
  /** Below it: why, and the excerpt. */
  note?: string;
  excerpt?: string;
  isMono?: boolean;
  /** All of it: what it weighs. */
  value: unknown;
};

export function linesOf(pack: ContextPack, form: SectionForm): PlainLine[] {
  return form.fields.flatMap((field): PlainLine[] => {
    const value = pack[field];
    if (value === undefined) return [];
    const lines = lists[field]?.(pack);
    if (lines !== undefined) return lines;
    if (typeof value === "object") return membersOf(field, value as Record<string, unknown>);
    const text = String(value);
    return [{ pointer: `/${field}`, field, text, ...(field !== "goal" && { mark: field, isMono: true }), value }];
  });
}

const lists: Partial<Record<keyof ContextPack, (pack: ContextPack) => PlainLine[]>> = {
  definitionOfDone: ({ definitionOfDone }) =>
    definitionOfDone.map((text, i) => ({ ...at("definitionOfDone", i), mark: String(i + 1), text, value: text })),
  decisions: ({ decisions = [] }) =>
    decisions.map((value, i) => ({
      ...at("decisions", i),
      key: value.id,
      mark: value.id,
      text: value.summary,
      note: joined([value.rationale, ...(value.links ?? [])]),
      value,
    })),
  docRefs: ({ docRefs }) =>
    docRefs.map((value, i) => ({
      ...at("docRefs", i),
      key: value.path,
      ...titleOf(value),
      note: joined([
        value.priority && `${value.priority} priority`,
        value.anchors && value.anchors.length > 0 ? value.anchors.map((anchor) => `#${anchor}`).join(" ") : undefined,
      ]),
      excerpt: value.excerpt,
      value,
    })),
  relevantFiles: ({ relevantFiles = [] }) =>
    relevantFiles.map((value, i) => ({
      ...at("relevantFiles", i),
      key: value.path,
      mark: String(i + 1),
      text: value.path,
      isMono: true,
      note: value.purpose,
      excerpt: value.excerpt,
      value,
    })),
  artifacts: ({ artifacts = [] }) =>
    artifacts.map((value, i) => ({
      ...at("artifacts", i),
      key: value.ref,
      text: value.ref,
      isMono: true,
      note: value.type === "unknown" ? undefined : value.type.replaceAll("_", " "),
      excerpt: value.summary,
      value,
    })),
  inputs: ({ inputs = [] }) =>
    inputs.map((value, i) => ({
      ...at("inputs", i),
      key: value.payloadId,
      text: value.payloadId,
      isMono: true,
      note: joined([value.fromNodeId && `from ${value.fromNodeId}`, value.edgeId && `over ${value.edgeId}`]),
      value,
    })),
};

/** A card has no name: it is called by how its excerpt begins. Its id stands at its source. */
function titleOf({ path, excerpt }: DocRef): Pick<PlainLine, "text" | "isMono"> {
  const begins = excerpt?.split("\n").find((line) => line.trim() !== "");
  if (begins === undefined || !/^card:/.test(path)) return { text: shortRef(path), isMono: true };
  return { text: plainTitle(begins) };
}

/** Open objects: a line for each member. */
function membersOf(field: string, value: Record<string, unknown>): PlainLine[] {
  return Object.entries(value).map(([name, member]) => ({
    pointer: `/${field}/${pointerPart(name)}`,
    field,
    key: name,
    mark: name,
    text: typeof member === "string" ? member : JSON.stringify(member),
    isMono: typeof member !== "string",
    value: { [name]: member },
  }));
}

const at = (field: string, index: number) => ({ pointer: `/${field}/${index}`, field });

const joined = (parts: readonly (string | undefined)[]): string | undefined =>
  parts.filter(Boolean).join(", ") || undefined;
