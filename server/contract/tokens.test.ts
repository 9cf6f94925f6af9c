import { describe, expect, test } from "vitest";
import { windowOf } from "./models";
import { gaugeOf, gaugePercent, gaugeStep, noCostWords } from "./tokens";

const turn = { status: "running", sent_tokens: 300, fullest_tokens: 500, window_tokens: 1_000 } as const;

describe("a gauge", () => {
  test("shows the last request while the turn runs, and the fullest when it has ended", () => {
    expect(gaugeOf(turn)).toEqual({ figure: "sent", tokens: 300, window: 1_000 });
    expect(gaugeOf({ ...turn, status: "success" })).toEqual({ figure: "fullest", tokens: 500, window: 1_000 });
  });
  test("is not there before the first request", () => {
    expect(gaugeOf({ status: "queued", window_tokens: 1_000 })).toBeNull();
  });
  test("of an unknown window has no percentage", () => {
    const gauge = gaugeOf({ ...turn, window_tokens: undefined });
    expect(gauge).toEqual({ figure: "sent", tokens: 300, window: null });
    expect(gauge && gaugePercent(gauge)).toBeNull();
  });
  test("belongs to the step whose request it is", () => {
    const steps = [200, 500, 500, 300].map((request_tokens, i) => ({ ordinal: i + 1, request_tokens }));
    expect(gaugeStep({ figure: "fullest", tokens: 500, window: null }, steps)?.ordinal).toBe(2);
    expect(gaugeStep({ figure: "sent", tokens: 300, window: null }, steps)?.ordinal).toBe(4);
  });
});

describe("a window", () => {
  test("is the profile's word, else the table's, else unknown", () => {
    expect(windowOf({ model: "openai/gpt-4o" })).toBe(128_000);
    expect(windowOf({ model: "openai/gpt-4o", context_window: 9_000 })).toBe(9_000);
    expect(windowOf({ provider: "claude", model: "claude-sonnet-4-5-20250929" })).toBe(200_000);
    expect(windowOf({ model: "ollama/qwen3" })).toBeNull();
    expect(windowOf({ provider: "script" })).toBeNull();
    expect(windowOf({ provider: "script", context_window: 4_096 })).toBe(4_096);
    expect(windowOf({})).toBeNull();
    expect(windowOf({ model: "gpt-4o", provider_options: { custom_llm_provider: "openai" } })).toBe(128_000);
  });
});

test("a cost that is not known says why", () => {
  const ended_at = "2026-01-01T00:00:00Z";
  expect(noCostWords({ ended_at, usage: { input_tokens: 3 } })).toBe("Price of this model unknown");
  expect(noCostWords({ ended_at })).toBe("Provider reported no usage");
  expect(noCostWords({ ended_at, usage: { input_tokens: 3, is_scripted: true } })).toBe("Scripted model");
  expect(noCostWords({ ended_at, cost: 0 })).toBeNull();
  expect(noCostWords({})).toBeNull();
});
