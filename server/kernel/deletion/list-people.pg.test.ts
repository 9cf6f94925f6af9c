// Everybody who put something into a project is named, once and alone, whichever table knows of it; pseudonyms are not.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { countStatements } from "@/server/testing/statements";
import { launchTurn } from "@/server/testing/turns";
import { listPeople } from "./list-people";

let kernel: TestKernel;
const P = "named";
const { ok, refused } = restOf(() => kernel);

beforeAll(async () => {
  kernel = await openTestKernel();
  for (const project of [P, "elsewhere", "empty"]) await seedProject(kernel, project, [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

const namesOf = async (project = P): Promise<string[]> =>
  (await ok("GET", `/projects/${project}/people`)).items.map(({ user }: { user: string }) => user);
const sql = (text: string, values: unknown[]) => kernel.db.pool.query(text, values);

test("whoever launched, saved, drafted, muted, named a file or erased is named, and nobody of another project", async () => {
  const before = await namesOf();
  await launchTurn(kernel, P, { target: "Plain", instruction: "go", user: "A_nn-1" });
  await launchTurn(kernel, "elsewhere", { target: "Plain", instruction: "go", user: "stranger" });
  await ok("POST", `/projects/${P}/views`, { name: "mine", page: "search", query: "type:note", user: "viewer" });
  await sql(
    "INSERT INTO resource.plan_drafts (project_id, draft_id, user_id, body) VALUES ($1, 'd', 'drafter', '{}')",
    [P],
  );
  await sql(
    "INSERT INTO resource.recipe_versions (project_id, name, version, handover, created_by) VALUES ($1, 'r', 1, '{}', 'cook')",
    [P],
  );
  await sql(
    "INSERT INTO state.alarm_mutes (project_id, rule, scope, person, reason) VALUES ($1, 'r', 'rule', 'muter', 'because')",
    [P],
  );
  await ok("POST", `/projects/${P}/people/nobody:erase`, { user: "eraser", reason: "asked for" });
  const names = ["A_nn-1", "cook", "drafter", "eraser", "muter", "viewer", ...before];
  expect((await namesOf()).sort()).toEqual([...new Set(names)].sort());
  expect(await namesOf("elsewhere")).toContain("stranger");
});

test("a person who is erased is named only for what stays; pseudonyms and names that no request can carry are not", async () => {
  await ok("POST", `/projects/${P}/people/viewer:erase`, { user: "eraser" });
  await ok("POST", `/projects/${P}/people/cook:erase`, { user: "eraser" });
  await sql(
    "INSERT INTO resource.recipe_versions (project_id, name, version, handover, created_by) VALUES ($1, 'odd', 1, '{}', 'a b/c'), ($1, 'own', 1, '{}', 'switchyard')",
    [P],
  );
  const names = await namesOf();
  expect(names).not.toContain("viewer");
  expect(names).not.toContain("cook");
  expect(names).not.toContain("a b/c");
  expect(names.filter((name) => name.startsWith("person-") || name === "switchyard")).toEqual([]);
});

test("at most 200 are named, in one statement; an unknown project is not found", async () => {
  const count = () => countStatements(kernel, (counting) => listPeople(counting, { project_id: "empty" }));
  expect(await count()).toBe(1);
  await sql(
    `INSERT INTO resource.project_agents (project_id, agent_id, profile_box_id, profile_name, worker_target, is_human)
     SELECT $1, 'human_many' || i, b.profile_box_id, 'Plain', 'human', true
     FROM generate_series(1, 250) i, (SELECT profile_box_id FROM resource.profiles WHERE project_id = $1 LIMIT 1) b`,
    ["empty"],
  );
  expect(await count()).toBe(1);
  const { items, is_more } = await ok("GET", "/projects/empty/people");
  expect(items).toHaveLength(200);
  expect(new Set(items.map(({ user }: { user: string }) => user)).size).toBe(200);
  expect(is_more).toBe(true);
  expect(await refused("GET", "/projects/nowhere/people")).toMatchObject({ status: 404 });
});
