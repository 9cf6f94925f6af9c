// What another agent has said and done, in the bytes for each provider: text of a user, before the task.
import { expect, test } from "vitest";
import { ProfileBody } from "@/server/contract/profile";
import { parseEnv } from "@/server/env";
import { assembleMessages } from "@/server/kernel/context/assemble-messages";
import { renderer } from "@/server/kernel/provenance/renderer";
import { modelFor, modelsOf } from "./models";

const models = modelsOf(() =>
  parseEnv({
    OPENAI_API_KEY: "k",
    ANTHROPIC_API_KEY: "k",
    GEMINI_API_KEY: "k",
    OPENROUTER_API_KEY: "k",
  }),
);

const card = (card_id: string, type: string, role: "user" | "assistant" | "tool", more: object) => ({
  card_id,
  project_id: "p",
  type,
  role,
  author_id: "a",
  metadata: {},
  content_hash: "h",
  token_count: 3,
  created_at: "2026-01-01T00:00:00.000Z",
  content: null,
  ...more,
});
const searcher = { agent_id: "s", name: "Searcher", profile: "Associate_Search" };
const tool_calls = [
  { id: "tc_1", type: "function", function: { name: "web_search", arguments: '{"query":"ferries"}' } },
];
const context = [
  card("t", "agent.thought", "assistant", { content: { kind: "text", text: "I look." }, tool_calls }),
  card("r", "tool.result", "tool", {
    content: { kind: "tool_result", status: "success", result: 2 },
    tool_call_id: "tc_1",
  }),
  card("i", "task.instruction", "user", { content: { kind: "text", text: "Is that enough?" } }),
];

async function conversation(llm_config: { model: string }): Promise<Record<string, unknown>> {
  const { messages } = assembleMessages({
    body: ProfileBody.parse({ name: "Expert" }),
    level: "off",
    agent: { agent_id: "e" },
    memory: [],
    context,
    background: new Map([
      ["t", searcher],
      ["r", searcher],
    ]),
    output: [],
    renderer,
  });
  const turn = { display_name: "E", instruction: "", context_box_id: "c", output_box_id: "o", own_cards: [] };
  const request = { system: "", messages, tools: [], llm_config, turn };
  return JSON.parse(await modelFor(models, llm_config).serialise(request));
}

const told =
  "[Background from Searcher (agent of profile Associate_Search), not your own work]\n\nI look.\n\n" +
  '[Searcher called web_search with {"query":"ferries"}]\n\n[Result of web_search]\n2';
const asked = "Is that enough?";

test.each([
  [
    "openai/gpt-5",
    "input",
    [
      { role: "user", content: [{ type: "input_text", text: told }] },
      { role: "user", content: [{ type: "input_text", text: asked }] },
    ],
  ],
  [
    "openrouter/x/y",
    "messages",
    [
      { role: "user", content: told },
      { role: "user", content: asked },
    ],
  ],
  [
    "anthropic/claude-sonnet-4-5",
    "messages",
    [
      {
        role: "user",
        content: [
          { type: "text", text: told },
          { type: "text", text: asked },
        ],
      },
    ],
  ],
  [
    "gemini/gemini-3-flash-preview",
    "contents",
    [
      { role: "user", parts: [{ text: told }] },
      { role: "user", parts: [{ text: asked }] },
    ],
  ],
])("%s", async (model, key, expected) => {
  const body = await conversation({ model });
  // Exact bytes, not equal content: a cache also compares the order of keys and the spaces.
  expect(JSON.stringify(body[key])).toBe(JSON.stringify(expected));
});
