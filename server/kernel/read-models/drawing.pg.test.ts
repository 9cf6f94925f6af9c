// What the composer opens: a person's own draft before the newest version, and nothing of another person or project.
import { afterAll, beforeAll, expect, test } from "vitest";
import { publishPlan } from "@/server/kernel/plan/publish-plan";
import { createDraft } from "@/server/kernel/plan/save-draft";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, wagon } from "@/server/testing/plan-runs";
import { readDrawing } from "./read-drawing";

let kernel: TestKernel;
const project_id = "drawn";
const publish = (body: unknown, base_version?: number) =>
  publishPlan(kernel, {
    project_id,
    user: "ann",
    body,
    message: "",
    ...(base_version !== undefined && { base_version }),
  });

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [{ name: "Plain" }]);
  await seedProject(kernel, "elsewhere");
  await publish(planBody([wagon("a")], { name: "Brief" }));
  await publish(planBody([wagon("a"), wagon("b")], { name: "Brief" }), 1);
});
afterAll(() => kernel.close());

test("a plan without a draft opens with its newest version, or the one that is asked for", async () => {
  const newest = await readDrawing(kernel, { project_id, user: "ann", plan: "brief" });
  expect(newest).toMatchObject({
    plan: { name: "Brief", head_version: 2 },
    draft: null,
    version: { version: 2 },
    others: [],
  });
  const first = await readDrawing(kernel, { project_id, user: "ann", plan: "Brief", version: 1 });
  expect(first.version?.body.nodes).toHaveLength(1);
});

test("one's own draft comes first, with the version it was made from; of others only that they have one", async () => {
  const body = planBody([wagon("mine")], { name: "Brief" });
  const draft = await createDraft(kernel, { project_id, user: "ann", plan: "Brief", base_version: 1, body });
  await createDraft(kernel, { project_id, user: "bob", plan: "Brief", base_version: 2, body });
  const opened = await readDrawing(kernel, { project_id, user: "ann", plan: "Brief" });
  expect(opened).toMatchObject({
    draft: { draft_id: draft.draft_id, base_version: 1 },
    version: { version: 1 },
    plan: { head_version: 2 },
    others: ["bob"],
  });
  expect(JSON.stringify(opened)).not.toContain('"user":"bob"');
  // A version that is asked for is shown, whatever the draft says.
  expect(await readDrawing(kernel, { project_id, user: "ann", plan: "Brief", version: 2 })).toMatchObject({
    draft: null,
    version: { version: 2 },
  });
});

test("a draft of no plan opens by its id, and only for its owner and in its project", async () => {
  const draft = await createDraft(kernel, { project_id, user: "ann", body: planBody([wagon("new")]) });
  const { draft_id } = draft;
  expect(await readDrawing(kernel, { project_id, user: "ann", draft_id })).toEqual({
    plan: null,
    draft,
    version: null,
    others: [],
  });
  await expect(readDrawing(kernel, { project_id, user: "bob", draft_id })).rejects.toMatchObject({ code: "not_found" });
  await expect(readDrawing(kernel, { project_id: "elsewhere", user: "ann", draft_id })).rejects.toMatchObject({
    code: "not_found",
  });
  await expect(readDrawing(kernel, { project_id: "elsewhere", user: "ann", plan: "Brief" })).rejects.toMatchObject({
    code: "not_found",
  });
});
