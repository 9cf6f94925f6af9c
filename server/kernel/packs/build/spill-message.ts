// The size rule of messages: longer text becomes an artifact, and the envelope keeps its beginning with a note of where the
// rest is. Storing the artifact is the caller's part.
import { type Envelope, MESSAGE_BYTES_MAX } from "@/server/contract/context-pack/envelope";
import { cutBytes } from "./cut";
import { digestOf } from "./ids";

export type Spilled = {
  envelope: Envelope;
  /** Null = the message is short enough. */
  artifact: { ref: string; sha256: string; mime: string; bytes: Uint8Array } | null;
};

const SUMMARY_BYTES = 400;
const mimes = { text: "text/plain", markdown: "text/markdown", json: "application/json" } as const;
const endings = { text: "txt", markdown: "md", json: "json" } as const;

export function spillMessage(envelope: Envelope): Spilled {
  const { message, artifacts = [], payloadId } = envelope;
  if (!message || Buffer.byteLength(message.content) <= MESSAGE_BYTES_MAX) return { envelope, artifact: null };
  const format = message.format ?? "text";
  const bytes = Buffer.from(message.content);
  const sha256 = digestOf(bytes);
  const [ref, mime] = [`artifact://messages/${payloadId}.${endings[format]}`, mimes[format]];
  const note = `… (${bytes.length} bytes in ${ref})`;
  const summary = `${cutBytes(message.content, SUMMARY_BYTES)} ${note}`;
  return {
    envelope: {
      ...envelope,
      // What is left of JSON is no JSON.
      message: { content: summary, format: format === "json" ? "text" : format },
      artifacts: [...artifacts, { ref, type: "file", sha256, mime, summary: "The whole message" }],
    },
    artifact: { ref, sha256, mime, bytes },
  };
}
