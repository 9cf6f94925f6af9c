// A person is found by name, whatever is in the name, and what is left of one who is erased is what the answer says.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { untilDeleted } from "@/server/testing/deletions";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { countUnits } from "@/server/testing/statements";
import { launchTurn, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import { forkTurn } from "../launch/fork-turn";
import { erasePerson } from "./erase-person";
import { pseudonymOf } from "./person-kinds";

let kernel: TestKernel;
const P = "people";
const { ok, refused } = restOf(() => kernel);
const at = (path: string, project = P) => `/projects/${project}${path}`;

beforeAll(async () => {
  kernel = await openTestKernel();
  for (const project of [P, "elsewhere"]) await seedProject(kernel, project, [scripted("Echo", [{ deliver: "done" }])]);
});
afterAll(() => kernel.close());

const sql = async (text: string, values: unknown[]) => (await kernel.db.pool.query(text, values)).rows;

async function ran(user: string, instruction: string, project = P) {
  const { agent_turn_id } = await launchTurn(kernel, project, { target: "Echo", instruction, user });
  const worker = await startTestWorker(kernel);
  onTestFinished(() => worker.stop());
  const turn = await untilTurn(kernel, project, agent_turn_id);
  await worker.stop();
  return turn;
}
async function tablesWith(word: string, project = P): Promise<string[]> {
  const found = await Promise.all(
    Object.keys(await countRows(kernel)).map(async (name) => {
      const column = /^public\.(cards|card_)/.test(name) ? "tenant_id" : "project_id";
      const has = await sql(
        "SELECT 1 FROM information_schema.columns WHERE table_schema || '.' || table_name = $1 AND column_name = $2",
        [name, column],
      );
      if (has.length === 0) return [];
      const text = `SELECT 1 FROM ${name} t WHERE t.${column} = $2 AND strpos(t::text, $1) > 0 LIMIT 1`;
      return (await sql(text, [word, project])).length > 0 ? name : [];
    }),
  );
  return found.flat().sort();
}
const countsOf = (data: { items: { kind: string; count: number }[] }) =>
  Object.fromEntries(data.items.filter(({ count }) => count > 0).map(({ kind, count }) => [kind, count]));

/** Everything that a person can leave, under one name. */
async function livesHere(user: string, word: string, project = P) {
  const turn = await ran(user, `${word} of mine`, project);
  await ok("POST", at("/views", project), { name: `view ${word}`, page: "search", query: "type:note", user });
  await sql(
    `INSERT INTO resource.plan_drafts (project_id, draft_id, user_id, body) VALUES ($1, $2, $3, '{"word": "x"}')`,
    [project, `draft-${user}`, user],
  );
  await sql(
    `INSERT INTO resource.plans (project_id, plan_id, name, head_version, created_by) VALUES ($1, $2, $2, 1, 'somebody')`,
    [project, `plan-of-${word}`],
  );
  await sql(
    `INSERT INTO resource.plan_versions (project_id, plan_id, version, body, sha256, created_by) VALUES ($1, $2, 1, '{}', '', $3)`,
    [project, `plan-of-${word}`, user],
  );
  await sql(
    `INSERT INTO resource.recipe_versions (project_id, name, version, handover, created_by) VALUES ($1, $2, 1, '{}', $3)`,
    [project, `recipe ${word}`, user],
  );
  await sql(
    `INSERT INTO state.alarm_mutes (project_id, rule, scope, person, reason) VALUES ($1, $2, 'rule', $3, 'because of me')`,
    [project, `rule-${word}`, user],
  );
  await sql(
    `INSERT INTO state.human_requests (project_id, request_id, kind, agent_id, agent_turn_id, root_turn_id, turn_epoch, tool_call_id,
       tool_name, status, decided_by, decided_at, reason) VALUES ($1, $2, 'approval', $3, $4, $5, 1, $2, 'shell', 'approved', $6, now(), 'mine')`,
    [project, `hr_${word}`, turn.agent_id, turn.agent_turn_id, turn.root_turn_id, user],
  );
  return turn;
}

test("a name with _ and - finds its own rows alone, is erased, and leaves what the answer names", async () => {
  const [ann, like, elsewhere] = ["A_nn-_1", "AXnn-_1", "A_nn-_1"];
  const turn = await livesHere(ann, "mulberry");
  await livesHere(like, "gooseberry");
  await livesHere("human_A_nn-_1", "bilberry");
  await livesHere(elsewhere, "cloudberry", "elsewhere");
  const before = await ok("GET", at(`/people/${ann}/data`));
  expect(before).toMatchObject({ user: ann, agent_id: `human_${ann}`, has_agent: true });
  expect(countsOf(before)).toMatchObject({
    launches: 1,
    answers: 1,
    views: 1,
    drafts: 1,
    plans: 1,
    recipes: 1,
    mutes: 1,
  });
  for (const { kind, count } of before.items) {
    const { items } = await ok("GET", at(`/people/${ann}/data/${kind}`));
    expect(items, kind).toHaveLength(count);
  }
  const first = await ok("GET", at(`/people/${ann}/data/cards?limit=1`));
  const cards = countsOf(before).cards ?? 0;
  expect(cards).toBeGreaterThan(1);
  expect(first.items[0].page).toBe(`/p/${P}/cards/${first.items[0].id}`);
  const next = await ok("GET", at(`/people/${ann}/data/cards?limit=1&cursor=${first.next_cursor}`));
  expect(next.items[0].id).not.toBe(first.items[0].id);

  const others = [
    await tablesWith("gooseberry"),
    await tablesWith("bilberry"),
    await tablesWith("cloudberry", "elsewhere"),
  ];
  const { deletion, left } = await ok("POST", at(`/people/${ann}:erase`), { user: "dpo", reason: "asked for it" });
  const pseudonym = pseudonymOf(P, ann);
  expect(deletion).toMatchObject({ kind: "person", deleted_by: "human_dpo", reason: "asked for it" });
  const ended = await untilDeleted(kernel, { project_id: P, deletion_id: deletion.deletion_id });
  expect(ended).toMatchObject({ subject_id: pseudonym, counts: { views: 1, drafts: 1, names: 4 } });
  expect(ended.counts.cards).toBeGreaterThanOrEqual(cards);
  expect(left.pseudonym).toBe(pseudonym);
  const after = await ok("GET", at(`/people/${ann}/data`));
  expect(countsOf(after)).toEqual({ launches: 1 });
  expect(after.items.find(({ kind }: { kind: string }) => kind === "launches")).toMatchObject({
    goes: "stays",
    why: expect.stringContaining("delete the runs"),
  });
  // What was said is in no table but the journal.
  expect((await tablesWith("mulberry of mine")).filter((name) => name !== "state.journal_packs")).toEqual([]);
  const [agent] = await sql(
    "SELECT display_name FROM resource.project_agents WHERE project_id = $1 AND agent_id = $2",
    [P, `human_${ann}`],
  );
  expect(agent.display_name).toBe(pseudonym);
  const card = await ok("GET", at(`/cards/${turn.instruction_card_id}`));
  expect(card).toMatchObject({ gone: "deleted", content: null });
  const own = await ok("GET", at(`/cards/${first.items[0].id}`));
  expect(own).toMatchObject({ gone: "deleted", content: null, author_id: `human_${pseudonym}` });
  for (const path of [
    `/turns/${turn.agent_turn_id}`,
    `/turns/${turn.agent_turn_id}/messages`,
    "/human-requests",
    "/views",
  ])
    await ok("GET", at(path));
  await ok("GET", at(`/runs/${turn.root_turn_id}/transcript`));
  expect([
    await tablesWith("gooseberry"),
    await tablesWith("bilberry"),
    await tablesWith("cloudberry", "elsewhere"),
  ]).toEqual(others);
});

test("a process that dies in any unit leaves the rest to the watchdog", async () => {
  for (const point of ["deletion-cards", "deletion-requests", "deletion-rows"]) {
    const user = `dies-${point}`;
    await livesHere(user, `word-${point}`);
    const dies: TestKernel = {
      ...kernel,
      // On a busy machine it may leave the later units to the watchdog, and never come to the point.
      tunables: { ...kernel.tunables, purgeTickMs: 60_000 },
      probe: async (at) => {
        if (at === point) throw new Error("killed");
      },
    };
    const input = { project_id: P, user, by: "human_dpo", reason: "" };
    await expect(erasePerson(dies, input)).rejects.toThrow("killed");
    const [open] = await sql(
      "SELECT deletion_id FROM state.deletions WHERE project_id = $1 AND subject_id = $2 AND ended_at IS NULL",
      [P, user],
    );
    // Whoever asks again gets the same record.
    const again = await erasePerson({ ...kernel, tunables: { ...kernel.tunables, purgeTickMs: -1 } }, input);
    expect(again.deletion.deletion_id).toBe(open.deletion_id);
    const ended = await untilDeleted(kernel, { project_id: P, deletion_id: open.deletion_id });
    expect(ended.subject_id).toBe(pseudonymOf(P, user));
    expect(countsOf(await ok("GET", at(`/people/${user}/data`)))).toEqual({ launches: 1 });
    // The id of the agent is all that is left of the name.
    expect(await tablesWith(user)).toEqual([
      "public.card_boxes",
      "resource.project_agents",
      "state.agent_turns",
      "state.journal_packs",
    ]);
  }
});

test("nobody is nothing to erase; no project, no name and no kind are not found", async () => {
  const { deletion } = await ok("POST", at("/people/nobody:erase"), { user: "dpo" });
  expect(deletion).toMatchObject({ kind: "person", counts: {}, ended_at: expect.any(String) });
  for (const path of ["/projects/nowhere/people/ann/data", at("/people/a%20b/data"), at("/people/ann/data/secrets")])
    expect(await refused("GET", path), path).toMatchObject({ status: 404 });
  expect(await refused("POST", "/projects/nowhere/people/ann:erase", { body: { user: "dpo" } })).toMatchObject({
    status: 404,
  });
});

test("the statements of a unit do not grow with what there is", async () => {
  const counts: number[] = [];
  for (const runs of [1, 4]) {
    for (let i = 0; i < runs; i++) await ran(`many-${runs}`, `word ${i}`);
    const input = { project_id: P, user: `many-${runs}`, by: "human_dpo", reason: "" };
    counts.push(Math.max(...(await countUnits(kernel, (counting) => erasePerson(counting, input)))));
  }
  expect(counts[1]).toBe(counts[0]);
  expect(counts[0]).toBeLessThanOrEqual(22);
});

test("copies of copies of what a person said go too, three forks deep and by others; another project keeps its own", async () => {
  const chain = async (project: string) => {
    let from = await ran("cora", "the word is damson", project);
    const copies: string[] = [];
    for (const depth of [1, 2, 3]) {
      const card_id = copies.at(-1) ?? from.instruction_card_id ?? "";
      const content = { kind: "text", text: `the word is damson, copy ${depth}` } as const;
      const { agent_turn_id } = await forkTurn(kernel, {
        ...{ project_id: project, agent_turn_id: from.agent_turn_id, user: "bob", drop: [] },
        replace: [{ card_id, with: content }],
      } as Parameters<typeof forkTurn>[1]);
      const worker = await startTestWorker(kernel);
      onTestFinished(() => worker.stop());
      from = await untilTurn(kernel, project, agent_turn_id);
      await worker.stop();
      const copy = from.forked_from?.replaced[0]?.with;
      expect(copy, `a copy at depth ${depth}`).toBeDefined();
      copies.push(copy ?? "");
    }
    return { copies, root: from.root_turn_id };
  };
  const here = await chain(P);
  const there = await chain("elsewhere");
  const textsOf = async (project: string, ids: string[]) =>
    Promise.all(ids.map(async (id) => (await ok("GET", at(`/cards/${id}`, project))).content));
  expect(JSON.stringify(await textsOf(P, here.copies))).toContain("damson, copy 3");
  const runs = await sql(
    "SELECT DISTINCT t.root_turn_id FROM state.agent_turns t JOIN card_box_chunks k ON k.tenant_id = $1 AND k.box_id = t.context_box_id WHERE t.project_id = $1 AND k.card_ids && $2",
    [P, here.copies],
  );
  expect(runs.length).toBeGreaterThanOrEqual(3);
  const kept = await textsOf("elsewhere", there.copies);
  const { deletion } = await ok("POST", at("/people/cora:erase"), { user: "dpo" });
  const { counts } = await untilDeleted(kernel, { project_id: P, deletion_id: deletion.deletion_id });
  expect(counts.cards).toBeGreaterThanOrEqual(4);
  expect(await textsOf(P, here.copies)).toEqual([null, null, null]);
  // What is left are cards of their own in the turns of those who forked: they said the same words, and are found under their names.
  const left = await sql(
    "SELECT c.metadata ->> 'author_id' AS author, c.metadata ->> 'replaces' AS of FROM cards c WHERE c.tenant_id = $1 AND c.content::text LIKE '%damson%'",
    [P],
  );
  expect(left.filter(({ author, of }) => author !== "human_bob" || of !== null)).toEqual([]);
  expect(await textsOf("elsewhere", there.copies)).toEqual(kept);
  expect(await tablesWith("damson", "elsewhere")).toContain("public.cards");
});
