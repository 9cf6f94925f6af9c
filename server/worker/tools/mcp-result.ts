// What an MCP server answered, as the result of a call. Pure. What a model cannot be shown as text is said to be there.
import { isDeepStrictEqual } from "node:util";
import {
  AudioContentSchema,
  BlobResourceContentsSchema,
  type CallToolResult,
  EmbeddedResourceSchema,
  ImageContentSchema,
} from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import type { ToolAnswer } from "@/server/kernel/tools/inline-tool";

type Part = CallToolResult["content"][number];

export function mcpResult({ content = [], structuredContent, isError }: CallToolResult): ToolAnswer {
  const text = content.map(textOf).join("\n\n");
  const structured = structuredContent && withoutBytes(structuredContent);
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
function withoutBytes(value: Structured): Structured {
  return JSON.parse(JSON.stringify(value), (_, part: unknown) => {
    const bytes = Bytes.safeParse(part);
    return bytes.success ? textOf(bytes.data) : part;
  });
}

const Bytes = z.union([
  ImageContentSchema,
  AudioContentSchema,
  EmbeddedResourceSchema.extend({ resource: BlobResourceContentsSchema }),
]);

function textOf(part: Part): string {
  if (part.type === "text") return part.text;
  if (part.type === "image" || part.type === "audio")
    return `[${part.type}, ${part.mimeType}, ${bytesOf(part.data)} bytes: it is not kept]`;
  if (part.type === "resource_link") return `[resource ${part.uri}: ${part.title ?? part.name}]`;
  const { resource } = part;
  if ("text" in resource) return `[resource ${resource.uri}]\n${resource.text}`;
  return `[resource ${resource.uri}, ${resource.mimeType ?? "bytes"}, ${bytesOf(resource.blob)} bytes: it is not kept]`;
}

const bytesOf = (base64: string): number => Buffer.byteLength(base64, "base64");

function isSame(text: string, value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), value);
  } catch {
    return false;
  }
}
