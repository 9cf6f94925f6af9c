import { expect, test } from "vitest";
import { KernelError } from "@/server/contract/errors";
import { parseProfile } from "@/server/kernel/roster/parse-profile";
import { atLine } from "./profile-line";

function lineOf(yaml: string): unknown {
  try {
    atLine(yaml, () => parseProfile(yaml));
  } catch (error) {
    if (error instanceof KernelError) return error.detail?.line;
    throw error;
  }
  throw new Error("it was not refused");
}

test("a wrong value is found at its line, in a list too", () => {
  expect(lineOf("name: A\n\nmax_steps: many\n")).toBe(3);
  expect(lineOf("name: A\ntags:\n  - one\n  - 2\n")).toBe(4);
});

test("a missing key has no line unless something above it is written", () => {
  expect(lineOf("description: nobody\n")).toBeUndefined();
  expect(lineOf("name: A\nllm_config:\n  provider: script\n")).toBe(3);
});

test("a fault of the YAML keeps the line it came with, and what is good passes", () => {
  expect(lineOf('name: A\ndescription: "open\n')).toBeGreaterThan(1);
  expect(atLine("name: A", () => "good")).toBe("good");
});
