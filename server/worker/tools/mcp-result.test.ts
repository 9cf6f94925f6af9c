import { expect, test } from "vitest";
import { mcpResult } from "./mcp-result";

const text = (said: string) => ({ type: "text" as const, text: said });

test("texts are one text", () => {
  expect(mcpResult({ content: [text("a"), text("b")] })).toEqual({ status: "success", result: "a\n\nb" });
});

test("what is structured is the result; a text that says something else is kept beside it", () => {
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

test("pictures and bytes are told of, not kept", () => {
  const data = Buffer.from("12345").toString("base64");
  const { result } = mcpResult({
    content: [
      { type: "image", mimeType: "image/png", data },
      { type: "resource", resource: { uri: "file:///a", text: "words" } },
      { type: "resource", resource: { uri: "file:///b", blob: data } },
      { type: "resource_link", uri: "file:///c", name: "c" },
    ],
  });
  expect(result).toBe(
    "[image, image/png, 5 bytes: it is not kept]\n\n[resource file:///a]\nwords\n\n[resource file:///b, bytes, 5 bytes: it is not kept]\n\n[resource file:///c: c]",
  );
});

test("an error is a failed result that says why", () => {
  expect(mcpResult({ content: [text("no")], isError: true })).toEqual({
    status: "failed",
    result: "no",
    error: { code: "tool_error", message: "no" },
  });
  expect(mcpResult({ content: [], isError: true }).error?.message).toContain("did not say why");
});
