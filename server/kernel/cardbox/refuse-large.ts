// A card from a client may have at most 1 MiB, however it is sent. Only the import used to check this, and a larger card made
// every context it was handed into unreadable.
import type { CardContent } from "@/server/contract/card";
import { INSTRUCTION_BYTES_MAX } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";

type Given = {
  content?: string | CardContent | null;
  tool_calls?: unknown[];
  metadata?: Record<string, unknown>;
};

/** payload_too_large names the card by its path. */
export function refuseLarge(card: Given, path: string): void {
  const bytes = bytesOf(card.content) + bytesOf(card.tool_calls) + bytesOf(card.metadata);
  if (bytes <= INSTRUCTION_BYTES_MAX) return;
  throw new KernelError(
    "payload_too_large",
    `${path} has ${bytes} bytes, and a card holds at most ${INSTRUCTION_BYTES_MAX}; split it into several cards`,
    { path, bytes, bytes_max: INSTRUCTION_BYTES_MAX },
  );
}

function bytesOf(part: unknown): number {
  if (part === undefined || part === null) return 0;
  if (typeof part === "string") return Buffer.byteLength(part);
  if (isText(part)) return Buffer.byteLength(part.text);
  return Buffer.byteLength(JSON.stringify(part));
}

const isText = (part: unknown): part is { kind: "text"; text: string } =>
  typeof part === "object" &&
  part !== null &&
  "kind" in part &&
  part.kind === "text" &&
  "text" in part &&
  typeof part.text === "string";
