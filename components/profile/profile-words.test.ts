import { describe, expect, test } from "vitest";
import type { ProfileLine } from "@/server/contract/profile";
import { filterProfiles, modelWords, policyWords, toolWords } from "./profile-words";

const line = (part: Partial<ProfileLine> & { name: string }): ProfileLine => ({
  profile_box_id: "b",
  project_id: "p",
  worker_target: "worker_generic",
  tags: [],
  delegation_context: "standard",
  rev: 1,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  agent_count: 0,
  needs_own_worker: false,
  ...part,
});

test("the filter wants every word, anywhere in the row, whatever its case", () => {
  const all = [line({ name: "Planner", tags: ["demo"] }), line({ name: "Searcher", model: "small-1" })];
  const found = (query: string) => filterProfiles(all, query).map((profile) => profile.name);
  expect(found("")).toEqual(["Planner", "Searcher"]);
  expect(found("  ")).toEqual(["Planner", "Searcher"]);
  expect(found("PLAN demo")).toEqual(["Planner"]);
  expect(found("small")).toEqual(["Searcher"]);
  expect(found("demo small")).toEqual([]);
});

describe("a policy in words says what the kernel does with it", () => {
  test.each([
    [undefined, /^Cannot delegate.*no delegation_policy/],
    [null, /^Cannot delegate/],
    ["everyone", /^Cannot delegate.*malformed/],
    [{ target_profiles: "Hand" }, /^Cannot delegate.*malformed/],
    [{ target_profiles: [] }, /^Cannot delegate.*empty/],
    [{ target_profiles: [], target_tags: ["x"] }, /^Cannot delegate/],
    [{}, /^Can delegate to every profile\.$/],
    [{ target_tags: ["fast"] }, /every profile tagged fast\.$/],
    [{ target_tags: ["a", "b", "c"] }, /tagged a, b or c\.$/],
    [{ target_profiles: ["Hand", " Eye "] }, /^Can delegate to Hand and Eye\.$/],
    [
      { target_profiles: ["Hand"], target_tags: ["a", "b"] },
      /^Can delegate to Hand, as long as it is tagged a or b\.$/,
    ],
    [{ target_profiles: ["Hand", "Eye"], target_tags: ["a"] }, /Hand and Eye, as long as they are tagged a\.$/],
  ])("%j", (policy, words) => expect(policyWords(policy)).toMatch(words));
});

test("model and tools", () => {
  expect(modelWords({ provider: "script" })).toBe("script");
  expect(modelWords({ provider: "local", model: "small-1" })).toBe("local / small-1");
  expect(modelWords({})).toBe("");
  expect(toolWords(null)).toBe("all of them");
  expect(toolWords(undefined)).toBe("none named");
  expect(toolWords([])).toBe("none named");
  expect(toolWords(["a", "b"])).toBe("a, b");
});
