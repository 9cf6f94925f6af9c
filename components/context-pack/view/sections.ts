// The sections in which a pack is shown, and which members of the closed format each of them has. Pure.
import type { ContextPack } from "@/server/contract/context-pack/pack";

export type SectionKey =
  | "goal"
  | "done"
  | "constraints"
  | "decisions"
  | "documents"
  | "files"
  | "evidence"
  | "inputs"
  | "policy"
  | "facts"
  | "frame";

export type SectionForm = { key: SectionKey; label: string; fields: readonly (keyof ContextPack)[] };

/** In reading order. Every member of the format is in one of them. */
export const sectionForms: readonly SectionForm[] = [
  { key: "goal", label: "Goal", fields: ["goal"] },
  { key: "done", label: "Done when", fields: ["definitionOfDone"] },
  { key: "constraints", label: "Constraints", fields: ["constraints"] },
  { key: "decisions", label: "Decisions", fields: ["decisions"] },
  { key: "documents", label: "Documents", fields: ["docRefs"] },
  { key: "files", label: "Files", fields: ["relevantFiles"] },
  { key: "evidence", label: "Artifacts", fields: ["artifacts"] },
  { key: "inputs", label: "Inputs", fields: ["inputs"] },
  { key: "policy", label: "Tool policy", fields: ["toolPolicy"] },
  { key: "facts", label: "Repository facts", fields: ["repoFacts"] },
  {
    key: "frame",
    label: "Ids and modes",
    fields: [
      "globalMode",
      "nodeMode",
      "runId",
      "nodeId",
      "createdAt",
      "docsRoot",
      "outputSchemaRef",
      "workspace",
      "packId",
    ],
  },
];

const byField = new Map(
  sectionForms.flatMap(({ key, fields }) => fields.map((field) => [field as string, key] as const)),
);

/** "/docRefs/3/excerpt" -> "documents"; the whole pack is its frame. */
export const sectionOfPointer = (pointer: string): SectionKey => byField.get(pointer.split("/")[1] ?? "") ?? "frame";
