// What the pure builder refuses, as the kernel refuses: the message begins with the field as the caller wrote it.
import { KernelError } from "@/server/contract/errors";
import type { BuildFaultCode, BuildOutcome } from "./build/outcome";

type Built = Extract<BuildOutcome, { ok: true }>;

/** Throws for a fault. Nothing has been written by then. */
export function builtOrRefused(outcome: BuildOutcome): Built {
  if (outcome.ok) return outcome;
  const { code, message, detail } = outcome;
  throw new KernelError(codeOf(code), asGiven(message), detail);
}

const codeOf = (code: BuildFaultCode): Exclude<BuildFaultCode, "invalid_input"> | "bad_request" =>
  code === "invalid_input" ? "bad_request" : code;

/** The builder's name of a field -> the request's. */
const fields: Record<string, string> = {
  definitionOfDone: "definition_of_done",
  docsRoot: "docs_root",
  toolPolicy: "tool_policy",
  outputSchemaRef: "output_schema_ref",
  "node.outputSchemaRef": "output_schema_ref",
  "node.id": "node_id",
  inputs: "packs",
};

const asGiven = (message: string): string =>
  message.replace(/^([A-Za-z.]+)(?=[.:])/, (field) => fields[field] ?? field);
