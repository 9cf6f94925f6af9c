// Each field of the search language on real rows: it finds its rows and no others, in this project and no other.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { QueryKind } from "@/server/contract/search-query/fields";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { seedSearch } from "@/server/testing/search-rows";
import { search } from "./search";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedSearch(kernel.db.pool, "p1", "a");
  await seedSearch(kernel.db.pool, "p2", "z");
});
afterAll(() => kernel.close());

/** Ids without their prefix, oldest last. */
const found = async (q: string, kind: QueryKind): Promise<string> => {
  const { groups } = await search(kernel, { project_id: "p1", q, kind, limit: 20, facets: false });
  const items = groups.flatMap(
    (group): Partial<Record<"card_id" | "agent_turn_id" | "box_id" | "id", string>>[] => group.items,
  );
  return items
    .map((item) =>
      (item.card_id ?? item.agent_turn_id ?? item.box_id ?? item.id ?? "").replace(/^a_|^[0-9a-f]{60}/, ""),
    )
    .join(" ");
};

describe("cards", () => {
  test.each([
    ["", "fresh gone c5 c3 c2 c1 c4"],
    ["energy", "c5 c1"],
    ["ENERGY day", "c1"],
    ["energy -day", "c5"],
    ["batter*", "c1"],
    ["batter", ""],
    ["gravity", "fresh"],
    ["gravity OR download", "fresh c3"],
    ['"store energy"', "c1"],
    ['"energy store"', ""],
    ['"energy for 100% of"', "c1"],
    ['"zinc \\"flow\\" price"', "c2"],
    ["iron-air", "c1"],
    ["a_c3", "c3"],
    ["a_c3 -energy", "c3"],
    ["type:tool.call", "c2"],
    ["type:tool.*", "c3 c2"],
    ["type:tool.call,agent.thought", "fresh c2"],
    ["type:!=task.context", "fresh c3 c2 c1"],
    ["role:system", "c5"],
    ["author:a_iron", "c2"],
    ["author:A_IRON", "c2"],
    ["-has:author", "fresh gone c5 c4"],
    ["has:author", "c3 c2 c1"],
    ["agent:a_iron", "c3 c2"],
    ['agent:"iron ann"', "c3 c2"],
    ["profile:zinc", "fresh"],
    ["has:profile", "fresh c3 c2"],
    ["tool:web_search", "c3 c2"],
    ["has:tool -type:tool.result", "c2"],
    ["tokens:>1k", "c2"],
    ["tokens:[7 TO 9]", "gone c5 c4"],
    ["tokens:10,20", "fresh c1"],
    ["tokens:!=10,20", "gone c5 c3 c2 c4"],
    ["tokens:<=7", "c4"],
    ["run:7", "c3 c2"],
    ["run:a_t9", "fresh"],
    ["run:z_t9", ""],
    ["in:a_plain", "c3"],
    ["in:a_t2", "fresh gone c5 c2 c1 c4"],
    ["in:1a01 tokens:>1k", "c2"],
    ["in:1A01 energy", "c5 c1"],
    ["-in:a_t2", "c3"],
    ["origin:redacted", "c4"],
    ["origin:argument", "c3 c1"],
    ["origin:inherited", "fresh c4"],
    ["origin:pointer", "gone"],
    ["origin:output", "c2"],
    ["origin:import", "c5"],
    ["before:1d", "c4"],
    ["after:1h", "fresh"],
    ["before:8h after:570m", "c3 c2"],
    ["kind:card energy", "c5 c1"],
    ["kind:turn energy", ""],
    ["is:alarm", "c1"],
    ["is:muted", ""],
    ["(type:tool.call OR energy) -role:system", "c2 c1"],
    ["-(energy OR type:tool.*)", "fresh gone c4"],
  ])("%s", async (q, ids) => expect(await found(q, "card")).toBe(ids));
});

describe("turns", () => {
  test.each([
    ["", "t9 t4 t3 t2 t1"],
    ["iron", "t4 t2"],
    ["1a01", "t2"],
    ['"cost of iron"', "t2"],
    ['"iron of cost"', ""],
    ["a_t3", "t3"],
    ["type:tool.call", "t2"],
    ["role:assistant", "t9 t2"],
    ["author:web_search", "t2"],
    ["tool:web*", "t2"],
    ["-has:tool", "t9 t4 t3 t1"],
    ["agent:a_zinc", "t9 t3"],
    ['agent:"Iron A"*', "t4 t2"],
    ["profile:Zi*", "t9 t3"],
    ["tokens:1500", "t2"],
    ["cards:6", "t2"],
    ["cost:>0.1", "t2"],
    ["-has:cost", "t9 t4 t1"],
    ["depth:>=2", "t4 t3"],
    ["steps:3", "t2"],
    ["attempt:2", "t2"],
    ["duration:>30m", "t2"],
    ["duration:[1s TO 2m]", "t4 t3"],
    ["status:failed", "t2"],
    ["status:!=failed,success", "t9 t4"],
    ["primitive:fork_join", "t3"],
    ["strategy:clone", "t4"],
    ["target:own*", "t3"],
    ["run:7 status:success", "t3 t1"],
    ["run:8", "t9"],
    ["headcode:2*", "t4 t3"],
    ["headcode:1a01", "t2"],
    ["batch:a_b1", "t4 t3 t2"],
    ["-has:batch", "t9 t1"],
    ["error:tool_timeout", "t2"],
    ["has:error", "t2"],
    ["saw:a_c1", "t2"],
    ["saw:a_c4", ""],
    ["saw:z_c1", ""],
    ["wrote:a_c2", "t2"],
    ["held:a_c4", "t9 t4 t3 t2"],
    ["held:a_c5", "t2"],
    ["held:a_c3", ""],
    ["under:a_t2", "t4 t3 t2"],
    ["under:1a01 -under:a_t4", "t3 t2"],
    ["above:a_t3", "t3 t2 t1"],
    ["above:a_t3 OR run:8", "t9 t3 t2 t1"],
    ["before:200m", "t2 t1"],
    ["after:90m", "t9"],
    ["is:failed", "t2"],
    ["is:running", "t4"],
    ["is:waiting", "t9"],
    ["is:slow", "t2"],
    ["is:retried", "t2"],
    ["is:forked", "t3"],
    ["is:inferred", "t9"],
    ["is:alarm", "t4 t2"],
    ["is:muted", "t4 t3"],
  ])("%s", async (q, ids) => expect(await found(q, "turn")).toBe(ids));
});

describe("boxes and what has a name", () => {
  test.each<[QueryKind, string, string]>([
    ["box", "", "plain out3 ctx3 out2 ctx2 ctx1"],
    ["box", "is:muted", "plain"],
    ["box", "is:alarm", ""],
    ["run", "is:alarm is:muted", "t1"],
    ["agent", "is:alarm", "iron"],
    ["agent", "is:muted", "zinc iron"],
    ["batch", "is:alarm", "b1"],
    ["box", "request", "req2"],
    ["box", "a_req2", "req2"],
    ["box", "req2", "req2"],
    ["box", "tokens:>1k", "ctx2"],
    ["box", "cards:2", "out2"],
    ["box", "zinc", "out3 ctx3"],
    ["box", "iron output", "out2"],
    ["box", "before:5d after:8d", "ctx2 out2 ctx3".split(" ").reverse().join(" ")],
    ["run", "storage", "t1"],
    ["run", "run:8", "t9"],
    ["agent", "ann", "iron"],
    ["agent", "profile:zinc", "zinc"],
    ["agent", "target:own*", "zinc"],
    ["profile", "batteries", "pbox"],
    ["profile", "profile:i*", "pbox"],
    ["batch", "run:7", "b1"],
    ["batch", "batch:a_b1 running", "b1"],
    ["batch", "batch:z_b1", ""],
    ["pack", "battery", "8adc"],
    ["pack", '"choose a"', "8adc"],
    ["pack", "before:1h", ""],
  ])("%s: %s", async (kind, q, ids) => expect(await found(q, kind)).toBe(ids));
});
