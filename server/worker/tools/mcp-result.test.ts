import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { isPicture } from "@/server/contract/artifact";
import { artifactRefs } from "@/server/kernel/artifacts/store-artifacts";
import { mcpResult as resultOf } from "./mcp-result";

const mcpResult = (given: CallToolResult, max = 1_000) => resultOf(given, max);

const text = (said: string) => ({ type: "text" as const, text: said });

test("several texts become one", () => {
  expect(mcpResult({ content: [text("a"), text("b")] })).toEqual({ status: "success", result: "a\n\nb" });
});

test("structured content is the result; a text that differs is kept with it", () => {
  const structuredContent = { tons: 12 };
  expect(mcpResult({ content: [text('{ "tons": 12 }')], structuredContent })).toEqual({
    status: "success",
    result: structuredContent,
  });
  expect(mcpResult({ content: [text("twelve tons")], structuredContent })).toEqual({
    status: "success",
    result: { text: "twelve tons", structured: structuredContent },
  });
});

test("a text equal to the only structured field is not repeated", () => {
  // As server-filesystem and server-memory of the reference servers answer.
  expect(mcpResult({ content: [text("a long file\n")], structuredContent: { content: "a long file\n" } })).toEqual({
    status: "success",
    result: "a long file\n",
  });
  const entities = [{ name: "Crewe", observations: ["a junction"] }];
  expect(
    mcpResult({ content: [text(JSON.stringify(entities, null, 2))], structuredContent: { entities } }).result,
  ).toEqual({ entities });
  const both = { content: "a", lines: 1 };
  expect(mcpResult({ content: [text("a")], structuredContent: both }).result).toEqual({ text: "a", structured: both });
});

test("bytes in structured content are removed, and the text mentions them", () => {
  const data = Buffer.from("12345").toString("base64");
  const image = { type: "image" as const, mimeType: "image/png", data };
  const said = "[image/png, 5 bytes: the picture could not be read]";
  expect(mcpResult({ content: [image], structuredContent: { content: [image] } }).result).toBe(said);
  const resource = { type: "resource", resource: { uri: "file:///b", blob: data } };
  expect(mcpResult({ content: [], structuredContent: { page: { shots: [image, resource], n: 2 } } }).result).toEqual({
    page: { shots: [said, "[resource file:///b, application/octet-stream, 5 bytes]"], n: 2 },
  });
  const failed = mcpResult({ content: [text("no")], structuredContent: { seen: image }, isError: true });
  expect(failed.result).toEqual({ seen: said });
  // What only looks alike is the tool's own.
  for (const own of [{ type: "image", data: 5 }, { type: "resource", resource: "b" }, { type: "audio" }, null])
    expect(mcpResult({ content: [], structuredContent: { own } }).result).toEqual({ own });
});

test("pictures and bytes are stored once each, and the result's text mentions them", () => {
  const data = Buffer.from("12345").toString("base64");
  const { result, files } = mcpResult({
    content: [
      { type: "image", mimeType: "image/png", data },
      { type: "resource", resource: { uri: "file:///a", text: "words" } },
      { type: "resource", resource: { uri: "file:///b", blob: data } },
      { type: "resource_link", uri: "file:///c", name: "c" },
    ],
  });
  expect(files).toHaveLength(1);
  expect(result).toBe(
    "[image/png, 5 bytes: the picture could not be read]\n\n[resource file:///a]\nwords\n\n[resource file:///b, application/octet-stream, 5 bytes]\n\n[resource file:///c: c]",
  );
});

test("a truncated picture is kept as a file, and reported as unreadable", () => {
  const half = dot.subarray(0, 40);
  const image = { type: "image" as const, mimeType: "image/png", data: half.toString("base64") };
  const { result, files = [] } = mcpResult({ content: [image] });
  expect(result).toBe("[image/png, 40 bytes: the picture could not be read]");
  expect(files).toEqual([{ mime: "image/png", bytes: half }]);
  // Without a size it is sent to no model.
  expect(artifactRefs(files, 100).map(isPicture)).toEqual([false]);
});

test("an error is a failed result that says why", () => {
  expect(mcpResult({ content: [text("no")], isError: true })).toEqual({
    status: "failed",
    result: "no",
    error: { code: "tool_error", message: "no" },
  });
  expect(mcpResult({ content: [], isError: true }).error?.message).toContain("did not say why");
});

const dot = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("a picture is recognised by its bytes; files that are too large or too many are reported as not kept", () => {
  const image = (bytes: Buffer, mimeType = "image/png") => ({
    type: "image" as const,
    mimeType,
    data: bytes.toString("base64"),
  });
  const seen = mcpResult({ content: [image(dot, "text/html")] });
  expect(seen).toMatchObject({ result: `[picture, image/png, 1 x 1, ${dot.length} bytes]`, files: [{ bytes: dot }] });
  const large = mcpResult({ content: [image(dot)] }, 10);
  expect(large.result).toBe(`[picture, image/png, 1 x 1, ${dot.length} bytes: more than 10 bytes, so it is not kept]`);
  expect(large.files).toBeUndefined();
  const many = mcpResult({ content: Array.from({ length: 21 }, (_, i) => image(Buffer.from([i]))) });
  expect(many.files).toHaveLength(20);
  expect(many.result).toContain("a result keeps 20 files at most, so it is not kept]");
  const twice = mcpResult({ content: [image(dot)], structuredContent: { picture: image(dot), n: 1 } });
  expect(twice.files).toHaveLength(1);
});
