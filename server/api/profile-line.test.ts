import { expect, test } from "vitest";
import { KernelError } from "@/server/contract/errors";
import { parseProfile } from "@/server/kernel/roster/parse-profile";
import { readYaml } from "@/server/kernel/roster/read-yaml";
import { atLine } from "./profile-line";

async function lineOf(yaml: string): Promise<unknown> {
  try {
    await atLine({ project_id: "p", yaml }, async () => parseProfile(await readYaml("p", yaml)));
  } catch (error) {
    if (error instanceof KernelError) return error.detail?.line;
    throw error;
  }
  throw new Error("it was not refused");
}

test("a wrong value is found at its line, in a list too", async () => {
  expect(await lineOf("name: A\n\nmax_steps: many\n")).toBe(3);
  expect(await lineOf("name: A\ntags:\n  - one\n  - 2\n")).toBe(4);
});

test("a missing key has no line unless something above it is written", async () => {
  expect(await lineOf("description: nobody\n")).toBeUndefined();
  expect(await lineOf("name: A\nllm_config:\n  provider: script\n")).toBe(3);
});

test("a fault of the YAML keeps the line it came with, and what is good passes", async () => {
  expect(await lineOf('name: A\ndescription: "open\n')).toBeGreaterThan(1);
  expect(await atLine({ project_id: "p", yaml: "name: A" }, async () => "good")).toBe("good");
});
