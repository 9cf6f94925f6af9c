// Tools with names that providers refuse, in each wire format: what is sent, and how a call of one is read.
import { afterEach, expect, test } from "vitest";
import { parseEnv } from "@/server/env";
import type { WireReply } from "@/server/testing/wire/reply";
import { startWireServer, type WireProvider, type WireServer } from "@/server/testing/wire/wire-server";
import type { ModelAnswer, ModelMessage, ModelRequest } from "./model";
import { modelFor, modelsOf } from "./models";

const kinds: Record<WireProvider, { model: string; env: (url: string) => Record<string, string> }> = {
  openai: { model: "openai/gpt-5-mini", env: (url) => ({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: url }) },
  anthropic: {
    model: "anthropic/claude-sonnet-4-5",
    env: (url) => ({ ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: url }),
  },
  google: {
    model: "gemini/gemini-3-flash-preview",
    env: (url) => ({ GEMINI_API_KEY: "k", GOOGLE_GENERATIVE_AI_BASE_URL: url }),
  },
  "openai-compatible": {
    model: "moonshot/kimi-k2.5",
    env: (url) => ({ MOONSHOT_API_KEY: "k", MOONSHOT_BASE_URL: url }),
  },
};

let server: WireServer;
afterEach(() => server?.close());

const tools = ["web.search", "web_search"].map((tool_name) => ({
  tool_name,
  description: "Looks things up.",
  parameters: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
}));
const call = (id: string, name: string) => ({ id, type: "function", function: { name, arguments: '{"q":"x"}' } });
const messages: ModelMessage[] = [
  { role: "user", text: "begin" },
  { role: "assistant", text: "", tool_calls: [call("tc_1", "web.search"), call("tc_2", "files.read")] },
  { role: "tool", text: '"a"', tool_call_id: "tc_1" },
  { role: "tool", text: '"b"', tool_call_id: "tc_2" },
];

async function open(provider: WireProvider, replies: WireReply[], stream: boolean) {
  server = await startWireServer({ provider, replies });
  const { model, env } = kinds[provider];
  const settings = parseEnv(env(server.url));
  const tool_choice = { type: "function", function: { name: "web.search" } };
  const llm_config = { model, tool_choice, stream };
  const turn = { display_name: "Ann", instruction: "begin", context_box_id: "c", output_box_id: "o", own_cards: [] };
  const request: ModelRequest = { system: "You are Ann.", messages, tools, llm_config, turn };
  return {
    speaker: modelFor(
      modelsOf(() => settings),
      llm_config,
    ),
    request,
  };
}

/** Every name of a tool in a request, wherever the format has it. */
function namesIn(body: unknown): string[] {
  if (Array.isArray(body)) return body.flatMap(namesIn);
  if (body === null || typeof body !== "object") return [];
  return Object.entries(body).flatMap(([key, value]) => {
    if (key === "allowedFunctionNames") return value as string[];
    return key === "name" && typeof value === "string" ? [value] : namesIn(value);
  });
}

test.each(
  (Object.keys(kinds) as WireProvider[]).flatMap((provider) => [[provider, true] as const, [provider, false] as const]),
)(
  "%s: offered, called and remembered under an accepted name, next to one that would get the same name (stream: %s)",
  async (provider, stream) => {
    const isGoogle = provider === "google";
    const first = await open(provider, [], stream);
    const bytes = await first.speaker.serialise(first.request);
    const sent = namesIn(JSON.parse(bytes));
    for (const name of sent) expect(name).toMatch(isGoogle ? /^[A-Za-z_][\w.:-]{0,63}$/ : /^[\w-]{1,64}$/);
    const [wire = ""] = sent.filter((name) => /^web.search/.test(name) && name !== "web_search");
    expect(wire).toMatch(isGoogle ? /^web\.search$/ : /^web_search_[0-9a-f]{8}$/);
    // Offered, called before, and chosen.
    expect(sent.filter((name) => name === wire).length).toBeGreaterThanOrEqual(3);
    expect(sent).toEqual(expect.arrayContaining(["web_search", isGoogle ? "files.read" : "files_read"]));
    expect(bytes.includes("Also called web.search. Looks things up.")).toBe(!isGoogle);
    await server.close();
    const calls = [wire, "web_search", "web.search"].map((name) => ({ name, arguments: { q: "y" } }));
    const { speaker, request } = await open(
      provider,
      [{ calls, usage: { input_tokens: 1, output_tokens: 1 } }],
      stream,
    );
    let answer: ModelAnswer | undefined;
    for await (const event of speaker.call(request, new AbortController().signal))
      if (event.kind === "answer") answer = event;
    expect(answer?.tool_calls.map(({ tool_name }) => tool_name)).toEqual(["web.search", "web_search", "web.search"]);
  },
);
