// The turns of a run that a query finds, as the yard asks for them.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { seedSearch } from "@/server/testing/search-rows";
import { countStatements } from "@/server/testing/statements";
import { search } from "./search";
import { searchTurnIds } from "./search-turn-ids";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedSearch(kernel.db.pool, "p1", "a");
  await seedSearch(kernel.db.pool, "p2", "z");
});
afterAll(() => kernel.close());

const found = async (q: string, root_turn_id?: string) =>
  (await searchTurnIds(kernel, { project_id: "p1", q, ...(root_turn_id && { root_turn_id }) })).ids.toSorted();

test("the ids are those of the search, and of one run if it is named", async () => {
  for (const q of ["depth:>=0", "is:failed OR energy", "-is:failed"]) {
    const { groups } = await search(kernel, { project_id: "p1", q, kind: "turn", limit: 100, facets: false });
    const [group] = groups;
    const turns = group?.kind === "turn" ? group.items : [];
    expect(turns.length).toBeGreaterThan(0);
    expect(await found(q)).toEqual(turns.map((turn) => turn.agent_turn_id).toSorted());
    const roots = [...new Set(turns.map((turn) => turn.root_turn_id))];
    for (const root of roots)
      expect(await found(q, root)).toEqual(
        turns.flatMap((turn) => (turn.root_turn_id === root ? turn.agent_turn_id : [])).toSorted(),
      );
    expect(await found(q, "z_root")).toEqual([]);
  }
});

test("what says nothing of turns is refused, and a query of another kind finds none", async () => {
  await expect(found("origin:import")).rejects.toThrow('q: column 1: "origin" does not apply to turns');
  await expect(found("autor:x")).rejects.toThrow("q: column 1: unknown field");
  expect(await found("kind:card energy")).toEqual([]);
  await expect(searchTurnIds(kernel, { project_id: "none", q: "x" })).rejects.toThrow("not found");
});

test("the statements do not grow with what is found", async () => {
  const counts = new Set<number>();
  for (const q of ["depth:>=0", "depth:99", "is:failed"])
    counts.add(
      await countStatements(kernel, (counting) => searchTurnIds(counting as TestKernel, { project_id: "p1", q })),
    );
  expect(Math.max(...counts)).toBeLessThanOrEqual(3);
});
