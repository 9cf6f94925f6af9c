// An agent is told of the workspaces that its profile names, wherever it says what a pack is built from.
import { expect, test } from "vitest";
import { buildContextPack } from "./build-context-pack";
import { delegateAsync } from "./delegate-async";
import { forkJoin } from "./fork-join";
import { think } from "./think";
import { withWorkspaces } from "./with-workspaces";

const offersOf = (tool: { parameters: object }) =>
  JSON.stringify(withWorkspaces(tool.parameters, ["code", "docs"])).match(/"enum":\["code","docs"\]/g)?.length ?? 0;

test("each place that takes what a pack is built from offers them, and no other", () => {
  expect(offersOf(buildContextPack)).toBe(1);
  expect(offersOf(delegateAsync)).toBe(1);
  expect(offersOf(forkJoin)).toBe(1);
  expect(offersOf(think)).toBe(0);
});

test("a profile that names none has the parameters as they are", () => {
  expect(withWorkspaces(buildContextPack.parameters, [])).toBe(buildContextPack.parameters);
  expect(JSON.stringify(buildContextPack.parameters)).not.toContain("workspace");
});
