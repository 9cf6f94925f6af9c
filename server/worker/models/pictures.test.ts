// A picture that a tool answered with, in the bytes of each provider: where it takes pictures, and never as base64 to read.
import { expect, test } from "vitest";
import { takesPictures } from "@/server/contract/artifact";
import { parseEnv } from "@/server/env";
import { modelFor, modelsOf } from "./models";

const models = modelsOf(() =>
  parseEnv({ OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k", GEMINI_API_KEY: "k", OPENROUTER_API_KEY: "k" }),
);
const BASE64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const sha256 = "a".repeat(64);
const ref = { sha256, mime: "image/png", size: 70, width: 1, height: 1 };
const pictures = new Map([[sha256, { mime: "image/png", bytes: Buffer.from(BASE64, "base64") }]]);
const line = "[picture, image/png, 1 x 1, 70 bytes]";
const after = "[Pictures in the result of draw]";

async function conversation(model: string, more: object = { pictures }): Promise<Record<string, unknown[]>> {
  const llm_config = { model };
  const messages = [
    { role: "user" as const, text: "Draw." },
    {
      role: "assistant" as const,
      text: "",
      tool_calls: [{ id: "tc_1", type: "function", function: { name: "draw", arguments: "{}" } }],
    },
    { role: "tool" as const, text: line, tool_call_id: "tc_1", pictures: [ref] },
  ];
  const turn = { display_name: "E", instruction: "", context_box_id: "c", output_box_id: "o", own_cards: [] };
  const request = { system: "", messages, tools: [], llm_config, turn, ...more };
  return JSON.parse(await modelFor(models, llm_config).serialise(request));
}

test("openai", async () => {
  const { input = [] } = await conversation("openai/gpt-5");
  expect(JSON.stringify(input.slice(2))).toBe(
    JSON.stringify([
      { type: "function_call_output", call_id: "tc_1", output: line },
      {
        role: "user",
        content: [
          { type: "input_text", text: after },
          { type: "input_image", image_url: `data:image/png;base64,${BASE64}` },
        ],
      },
    ]),
  );
});

test("chat completions", async () => {
  const { messages = [] } = await conversation("openrouter/openai/gpt-4o");
  expect(JSON.stringify(messages.slice(2))).toBe(
    JSON.stringify([
      { role: "tool", tool_call_id: "tc_1", content: line },
      {
        role: "user",
        content: [
          { type: "text", text: after },
          { type: "image_url", image_url: { url: `data:image/png;base64,${BASE64}` } },
        ],
      },
    ]),
  );
});

test("anthropic takes it within the result", async () => {
  const { messages = [] } = await conversation("anthropic/claude-sonnet-4-5");
  expect(messages.slice(2)).toEqual([
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "tc_1",
          content: [
            { type: "text", text: line },
            { type: "image", source: { type: "base64", media_type: "image/png", data: BASE64 } },
          ],
        },
      ],
    },
  ]);
});

test("google", async () => {
  const { contents = [] } = await conversation("gemini/gemini-3-flash-preview");
  expect(contents.at(-1)).toEqual({
    role: "user",
    parts: [{ text: after }, { inlineData: { mimeType: "image/png", data: BASE64 } }],
  });
  expect(JSON.stringify(contents.slice(0, -1))).not.toContain(BASE64);
});

test.each(["openai/gpt-5", "openrouter/x/y", "anthropic/claude-sonnet-4-5", "gemini/gemini-3-flash-preview"])(
  "%s: missing bytes are only mentioned in words",
  async (model) => {
    const sent = JSON.stringify(await conversation(model, {}));
    expect(sent).toContain(line);
    expect(sent).not.toMatch(/iVBORw|Pictures in the result/);
  },
);

test.each([
  ["openai/gpt-5-mini", true],
  ["gpt-4o-mini", true],
  ["openai/o3", true],
  ["openai/gpt-3.5-turbo", false],
  ["openai/o3-mini", false],
  ["anthropic/claude-sonnet-4-5", true],
  ["claude-3-5-haiku-latest", true],
  ["gemini/gemini-2.5-pro", true],
  ["openrouter/qwen/qwen2.5-vl-72b-instruct", true],
  ["ollama/llama3.2-vision", true],
  ["ollama/llama3.2", false],
  ["openrouter/deepseek/deepseek-chat", false],
  ["script", false],
])("%s takes pictures: %s", (model, isSeeing) => {
  expect(takesPictures({ model })).toBe(isSeeing);
  expect(takesPictures({ model, pictures: !isSeeing })).toBe(!isSeeing);
});
