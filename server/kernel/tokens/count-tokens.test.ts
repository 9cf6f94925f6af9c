import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { cpuMs } from "@/server/testing/cpu";
import { countTokens } from "./count-tokens";

test.each([
  "",
  "do work",
  "The quick brown fox jumps over the lazy dog, and then it sleeps.\n\n".repeat(50),
  '{"max_tokens": 4096, "name": "Zürich", "emoji": "🙂🙂"}',
  "的一是在不了有和人这中大为上个国，我以要他时来用们。".repeat(5),
  "function add(a: number, b: number) {\n\treturn a + b;\n}\n",
])("counts what the encoder counts: %j", (text) => {
  expect(countTokens(text)).toBe(encode(text, { disallowedSpecial: new Set() }).length);
});

test("text that looks like a special token is text", () => {
  expect(countTokens("<|endoftext|>")).toBeGreaterThan(1);
});

// One unbroken megabyte took the bare encoder minutes; the bound is far above what it takes here.
test.each(["a", " ", "!", "0", "的", "🙂"])("a long run of %j costs no more than a second", (run) => {
  const text = run.repeat(200_000);
  expect(cpuMs(() => expect(countTokens(text)).toBeGreaterThan(1_000))).toBeLessThan(1_000);
});

test("a megabyte of random letters costs no more than a second, and so do punctuation marks", () => {
  let state = 7;
  const any = (from: number, count: number) =>
    Array.from({ length: 1_048_576 }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return String.fromCharCode(from + ((state >>> 8) % count));
    }).join("");
  for (const text of [any(97, 26), any(33, 90)])
    expect(cpuMs(() => expect(countTokens(text)).toBeGreaterThan(100_000))).toBeLessThan(1_000);
});

test("a long text is estimated within two in a hundred, also one whose parts differ", () => {
  const prose = "The quick brown fox jumps over the lazy dog, and then it sleeps.\n\n".repeat(4_000);
  const code = "function add(a: number, b: number) {\n\treturn a + b;\n}\n".repeat(3_000);
  const whole = encode(prose + code, { disallowedSpecial: new Set() }).length;
  expect(Math.abs(countTokens(prose + code) / whole - 1)).toBeLessThan(0.02);
});
