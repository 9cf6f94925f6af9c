// The picture of a run takes the same statements however many turns it has, and its lean form is the same picture.
import { afterAll, beforeAll, expect, test } from "vitest";
import { unpackFrames } from "@/server/contract/unpack-frames";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { readLeanSnapshot, readSnapshot } from "./read-snapshot";

let kernel: TestKernel;
const project_id = "pictured";
const forks = forksOf(() => kernel, project_id);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [{ name: "Boss" }]);
});
afterAll(() => kernel.close());

test("as many statements for three turns as for sixty-five", async () => {
  const counts = [];
  for (const tasks of [1, 63]) {
    const { root_turn_id } = (await forks.sleeping("Boss", tasks)).turn;
    const { frames, shown_turns } = await readLeanSnapshot(kernel, { project_id, root_turn_id });
    expect(shown_turns).toBe(tasks + 2);
    expect(unpackFrames(frames).filter(({ kind }) => kind === "turn")).toHaveLength(tasks + 2);
    expect(unpackFrames(frames)).toEqual((await readSnapshot(kernel, { project_id, root_turn_id })).frames);
    counts.push(await countStatements(kernel, (counting) => readLeanSnapshot(counting, { project_id, root_turn_id })));
  }
  expect(counts[1]).toBe(counts[0]);
});
