// What an MCP server answered, as the result of a call. Pure. What a model cannot be shown as text is said to be there.
import { isDeepStrictEqual } from "node:util";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { ToolAnswer } from "@/server/kernel/tools/inline-tool";

type Part = CallToolResult["content"][number];

export function mcpResult({ content = [], structuredContent, isError }: CallToolResult): ToolAnswer {
  const text = content.map(textOf).join("\n\n");
  if (isError) {
    const message = text === "" ? "the tool failed and did not say why" : text;
    return { status: "failed", result: structuredContent ?? text, error: { code: "tool_error", message } };
  }
  if (structuredContent === undefined) return { status: "success", result: text };
  // Servers repeat it as text for clients that cannot read it.
  return {
    status: "success",
    result: isSame(text, structuredContent) ? structuredContent : { text, structured: structuredContent },
  };
}

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
  if (text === "") return true;
  try {
    return isDeepStrictEqual(JSON.parse(text), value);
  } catch {
    return false;
  }
}
