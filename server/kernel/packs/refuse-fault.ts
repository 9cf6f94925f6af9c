// What the pure builder refuses, as the kernel refuses: the message begins with the field as the caller wrote it.
import { KernelError } from "@/server/contract/errors";
import type { BuildFaultCode, BuildOutcome } from "./build/outcome";

export type Built = Extract<BuildOutcome, { ok: true }>;

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
  "node.objective": "goal",
  "node.definitionOfDone": "definition_of_done",
  nodeId: "node_id",
  inputs: "packs",
};

/** Some faults name a place in the pack or the input, such as /node/definitionOfDone/0. */
function asGiven(message: string): string {
  const dotted = message.replace(/^\/(\S*?)(?=: )/, (_, pointer: string) => pointer.replaceAll("/", "."));
  const field = Object.keys(fields)
    .sort((a, b) => b.length - a.length)
    .find((one) => dotted.startsWith(`${one}.`) || dotted.startsWith(`${one}:`));
  return field === undefined ? dotted : `${fields[field]}${dotted.slice(field.length)}`;
}
