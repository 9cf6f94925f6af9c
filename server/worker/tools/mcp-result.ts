// Turns the answer of an MCP server into the result of a call. Pure. Bytes are removed, and the result says that they were
// there: as base64 a picture is a hundred thousand characters that no model can read.
import { isDeepStrictEqual } from "node:util";
import {
  AudioContentSchema,
  BlobResourceContentsSchema,
  type CallToolResult,
  EmbeddedResourceSchema,
  ImageContentSchema,
} from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { ARTIFACTS_MAX, pictureTypes } from "@/server/contract/artifact";
import { isRecord } from "@/server/contract/is-record";
import { pictureOf } from "@/server/kernel/artifacts/picture-of";
import type { ArtifactFile } from "@/server/kernel/artifacts/store-artifacts";
import type { GuestAnswer } from "@/server/kernel/tools/guests";

type Part = CallToolResult["content"][number];

/** `files` are the ones to keep; files that are too large are only mentioned in words. */
export function mcpResult(given: CallToolResult, fileBytesMax: number): GuestAnswer {
  const files: ArtifactFile[] = [];
  const answer = answerOf(given, keeper(files, fileBytesMax));
  return files.length === 0 ? answer : { ...answer, files };
}

/** Puts a file aside, and says in a line what it was. */
type Keep = (what: string, mime: string, base64: string) => string;

function keeper(files: ArtifactFile[], bytesMax: number): Keep {
  const refusals = new Map<string, string>();
  const refusalOf = (bytes: Buffer): string => {
    if (bytes.length > bytesMax) return `: more than ${bytesMax} bytes, so it is not kept`;
    return files.length < ARTIFACTS_MAX ? "" : `: a result keeps ${ARTIFACTS_MAX} files at most, so it is not kept`;
  };
  return (what, mime, base64) => {
    const bytes = Buffer.from(base64, "base64");
    const known = refusals.get(base64);
    const refusal = known ?? refusalOf(bytes);
    refusals.set(base64, refusal);
    if (known === undefined && refusal === "") files.push({ mime, bytes });
    const picture = pictureOf(bytes);
    const told = picture ? `picture, ${picture.mime}, ${picture.width} x ${picture.height}` : mime;
    const isBroken = !picture && (pictureTypes as readonly string[]).includes(mime.toLowerCase());
    const unread = isBroken && refusal === "" ? ": the picture could not be read" : "";
    return `[${what}${told}, ${bytes.length} bytes${refusal}${unread}]`;
  };
}

function answerOf({ content = [], structuredContent, isError }: CallToolResult, keep: Keep): GuestAnswer {
  const text = content.map((part) => textOf(part, keep)).join("\n\n");
  const structured = structuredContent && withoutBytes(structuredContent, keep);
  if (isError) {
    const message = text === "" ? "the tool failed and did not say why" : text;
    return { status: "failed", result: structured ?? text, error: { code: "tool_error", message } };
  }
  if (structuredContent === undefined || structured === undefined) return { status: "success", result: text };
  // Servers repeat it as text for clients that cannot read it, often in its one field: a model would be sent a file twice.
  const only = sole(structured).flat();
  if (only.length > 0 && only.every((part) => typeof part === "string") && only.join("\n\n") === text)
    return { status: "success", result: text };
  const isRepeated =
    text === "" || [structuredContent, ...sole(structuredContent)].some((value) => isSame(text, value));
  return { status: "success", result: isRepeated ? structured : { text, structured } };
}

const sole = (value: Structured): unknown[] => (Object.keys(value).length === 1 ? Object.values(value) : []);

type Structured = Record<string, unknown>;

/** Pictures and sound lie in it as they lie in the content: told of, else a model is sent their base64. */
function withoutBytes(value: Structured, keep: Keep): Structured {
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, partWithout(part, keep)]));
}

function partWithout(part: unknown, keep: Keep): unknown {
  if (Array.isArray(part)) return part.map((one) => partWithout(one, keep));
  if (!isRecord(part)) return part;
  // A schema takes microseconds: asked of each of 600,000 parts it held the worker for seven seconds.
  const bytes = typeof part.type === "string" ? Bytes.safeParse(part) : undefined;
  return bytes?.success ? textOf(bytes.data, keep) : withoutBytes(part, keep);
}

const Bytes = z.union([
  ImageContentSchema,
  AudioContentSchema,
  EmbeddedResourceSchema.extend({ resource: BlobResourceContentsSchema }),
]);

function textOf(part: Part, keep: Keep): string {
  if (part.type === "text") return part.text;
  if (part.type === "image" || part.type === "audio") return keep("", part.mimeType, part.data);
  if (part.type === "resource_link") return `[resource ${part.uri}: ${part.title ?? part.name}]`;
  const { resource } = part;
  if ("text" in resource) return `[resource ${resource.uri}]\n${resource.text}`;
  return keep(`resource ${resource.uri}, `, resource.mimeType ?? "application/octet-stream", resource.blob);
}

function isSame(text: string, value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), value);
  } catch {
    return false;
  }
}
