import { expect, test } from "vitest";
import { parseProfile } from "./parse-profile";
import { readYaml } from "./read-yaml";

const warningsOf = async (policy: string) =>
  parseProfile(await readYaml("p", `name: Parent\ndelegation_policy: ${policy}`)).warnings;

test.each(["{ target_tags: null }", "{ target_profiles: Child }", "[Child]"])(
  "a delegation policy that will be refused gives a warning when the profile is saved: %s",
  async (policy) =>
    expect(await warningsOf(policy)).toEqual([expect.stringMatching(/^delegation_policy.* is malformed/)]),
);

test.each([
  "null",
  "{}",
  "{ target_tags: [], target_profiles: null }",
  "{ target_tags: [team], target_profiles: [Child] }",
])("a missing one, or one that names its targets, gives none: %s", async (policy) =>
  expect(await warningsOf(policy)).toEqual([]),
);
