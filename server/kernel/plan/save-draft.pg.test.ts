// Who goes on with a draft elsewhere loses nothing: neither by a save or a deletion of an older page, nor by an answer that is lost.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { listDrafts, readDraft } from "./read-drafts";
import { createDraft, deleteDraft, saveDraft } from "./save-draft";

let kernel: TestKernel;
const at = { project_id: "drafted", user: "ann" };
const minted = (n: number) => `draft_${n.toString(16).padStart(32, "0")}`;
const body = (instruction: string) => ({
  switchyard: "plan/1",
  nodes: [{ id: "a", target: { ref: "Plain" }, instruction }],
});

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "drafted", [{ name: "Plain" }]);
  await seedProject(kernel, "drafted_by_others");
});
afterAll(() => kernel.close());

test("a draft that was asked for twice is made once; with another body the second is told of it", async () => {
  const made = await createDraft(kernel, { ...at, draft_id: minted(1), body: body("one") });
  expect(made).toMatchObject({ draft_id: minted(1), rev: 1 });
  expect(await createDraft(kernel, { ...at, draft_id: minted(1), body: body("one") })).toEqual(made);
  await expect(createDraft(kernel, { ...at, draft_id: minted(1), body: body("two") })).rejects.toMatchObject({
    code: "conflict",
    detail: { draft: { draft_id: minted(1), rev: 1, body: { nodes: [{ instruction: "one" }] } } },
  });
  expect(await listDrafts(kernel, at)).toHaveLength(1);
});

test("the id of another person's draft is taken, and says nothing of it", async () => {
  const refused = createDraft(kernel, { ...at, user: "eve", draft_id: minted(1), body: body("mine") });
  await expect(refused).rejects.toMatchObject({
    code: "conflict",
    message: `draft_id: ${minted(1)} is taken; choose another`,
  });
  await expect(refused).rejects.not.toMatchObject({ detail: { draft: expect.anything() } });
  const elsewhere = await createDraft(kernel, {
    project_id: "drafted_by_others",
    user: "eve",
    draft_id: minted(1),
    body: body("x"),
  });
  expect(elsewhere.rev).toBe(1);
});

test("an older page deletes nothing that went on", async () => {
  const made = await createDraft(kernel, { ...at, draft_id: minted(2), body: body("one") });
  const newer = await saveDraft(kernel, { ...at, draft_id: made.draft_id, rev: made.rev, body: body("two") });
  await expect(deleteDraft(kernel, { ...at, draft_id: made.draft_id, rev: made.rev })).rejects.toMatchObject({
    code: "conflict",
    detail: { draft: { rev: newer.rev, body: { nodes: [{ instruction: "two" }] } } },
  });
  expect(await readDraft(kernel, { ...at, draft_id: made.draft_id })).toMatchObject({ rev: 2 });
  await deleteDraft(kernel, { ...at, draft_id: made.draft_id, rev: newer.rev });
  await expect(readDraft(kernel, { ...at, draft_id: made.draft_id })).rejects.toMatchObject({ code: "not_found" });
  const whole = await createDraft(kernel, { ...at, draft_id: minted(3), body: body("one") });
  await deleteDraft(kernel, { ...at, draft_id: whole.draft_id });
});
