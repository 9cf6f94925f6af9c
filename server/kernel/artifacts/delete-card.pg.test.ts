// Deleting a card takes the files along that no other card refers to, tells every open page, and lets turns go on.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { framesOf } from "@/server/testing/turns";
import { insertCards } from "../cardbox/insert-cards";
import { watchOnce } from "../reclaim/watch-turns";
import type { Unit } from "../unit";
import { withUnit } from "../unit";
import { deleteCard } from "./delete-card";
import { readArtifact } from "./read-artifacts";
import { artifactRefs, storeArtifacts } from "./store-artifacts";

let kernel: TestKernel;
const project_id = "files";
const file = (text: string) => ({ mime: "text/plain", bytes: Buffer.from(text) });

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [{ name: "Plain" }]);
  await seedProject(kernel, "other", [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

const { refused } = restOf(() => kernel);

type Written = { card_id: string; texts: string[]; ttl_seconds?: number; project?: string };
async function writeIn(unit: Unit, { card_id, texts, ttl_seconds, project = project_id }: Written) {
  const files = texts.map(file);
  const artifacts = artifactRefs(files, 1_000);
  await storeArtifacts(unit, { project_id: project, files });
  const content = { kind: "tool_result", status: "success", result: "x", artifacts } as const;
  await insertCards(unit, {
    project_id: project,
    cards: [{ card_id, type: "tool.result", author_id: "t", content, ttl_seconds }],
  });
  return artifacts.map(({ sha256 }) => sha256);
}
const write = (given: Written) => withUnit(kernel, (unit) => writeIn(unit, given));
const remove = (card_id: string, project = project_id) =>
  withUnit(kernel, (unit) => deleteCard(unit, { project_id: project, card_id, by: "human_local" }));
const kept = async (sha256s: string[], project = project_id): Promise<number> => {
  const { rowCount } = await kernel.db.pool.query(
    "SELECT 1 FROM resource.artifacts WHERE project_id = $1 AND sha256 = ANY ($2)",
    [project, sha256s],
  );
  return rowCount ?? 0;
};
const isReadable = async (sha256 = ""): Promise<boolean> => {
  const found = await readArtifact(kernel, { project_id, sha256 }).catch((error: unknown) => {
    expect(error).toMatchObject({ code: "not_found" });
    return null;
  });
  return found !== null;
};

test("a file is deleted with the last card that refers to it", async () => {
  const [shared = ""] = await write({ card_id: "one", texts: ["shared"] });
  const both = await write({ card_id: "two", texts: ["shared", "alone"] });
  await write({ card_id: "theirs", texts: ["shared", "alone"], project: "other" });
  await remove("two");
  expect(await kept(both)).toBe(1);
  expect(await isReadable(shared)).toBe(true);
  await remove("one");
  expect(await kept(both)).toBe(0);
  expect((await refused("GET", `/projects/${project_id}/artifacts/${shared}`)).status).toBe(404);
  expect(await kept(both, "other")).toBe(2);
});

test("the number of statements is the same, however many files and cards there are", async () => {
  await write({ card_id: "few", texts: ["f1"] });
  await write({ card_id: "many", texts: Array.from({ length: 20 }, (_, i) => `m${i}`) });
  const counts = [];
  for (const card_id of ["few", "many"])
    counts.push(
      await withUnit(kernel, async (unit) => {
        await deleteCard(unit, { project_id, card_id, by: "human_local" });
        return unit.statements();
      }),
    );
  expect(counts[1]).toBe(counts[0]);
});

test("a card with the same file that is being written keeps it, whichever comes first", async () => {
  const shas = await write({ card_id: "old", texts: ["raced"] });
  let removal: Promise<unknown> | undefined;
  await withUnit(kernel, async (unit) => {
    await writeIn(unit, { card_id: "new", texts: ["raced"] });
    removal = remove("old");
    // It waits for this unit; otherwise it would not see the new card.
    await new Promise((done) => setTimeout(done, 150));
  });
  await removal;
  expect(await kept(shas)).toBe(1);

  let writing: Promise<unknown> | undefined;
  await withUnit(kernel, async (unit) => {
    await deleteCard(unit, { project_id, card_id: "new", by: "human_local" });
    writing = write({ card_id: "newest", texts: ["raced"] });
    await new Promise((done) => setTimeout(done, 150));
  });
  await writing;
  expect(await kept(shas)).toBe(1);
  expect(await isReadable(shas[0])).toBe(true);
});

test("a card from outside that refers to a file locks it while it is written", async () => {
  const shas = await write({ card_id: "first", texts: ["held"] });
  const artifacts = artifactRefs([file("held")], 1_000);
  let removal: Promise<unknown> | undefined;
  await withUnit(kernel, async (unit) => {
    const content = { kind: "tool_result", status: "success", result: "x", artifacts } as const;
    await insertCards(unit, { project_id, cards: [{ type: "note", author_id: "operator", content }] });
    removal = remove("first");
    await new Promise((done) => setTimeout(done, 150));
  });
  await removal;
  expect(await kept(shas)).toBe(1);
});

test("deleting the two cards of a file at once deletes the file", async () => {
  const shas = await write({ card_id: "a", texts: ["twice"] });
  await write({ card_id: "b", texts: ["twice"] });
  await Promise.all([remove("a"), remove("b")]);
  expect(await kept(shas)).toBe(0);
});

test("the file of an expired card is not readable, and the watchdog deletes it", async () => {
  const shas = await write({ card_id: "brief", texts: ["brief", "shared with a lasting one"], ttl_seconds: 60 });
  await write({ card_id: "lasting", texts: ["shared with a lasting one"] });
  expect(await isReadable(shas[0])).toBe(true);
  await kernel.db.pool.query("UPDATE cards SET expires_at = now() - interval '1 s' WHERE card_id = 'brief'");
  expect(await isReadable(shas[0])).toBe(false);
  expect(await isReadable(shas[1])).toBe(true);
  expect((await watchOnce(kernel)).acted["delete-artifacts"]).toBe(1);
  expect(await kept(shas)).toBe(1);
  expect((await watchOnce(kernel)).acted["delete-artifacts"]).toBeUndefined();
});

test("the journal says who deleted what and when, once, and nothing of the content", async () => {
  await write({ card_id: "told", texts: ["marzipan"] });
  await remove("told");
  await remove("told");
  const frames = (await framesOf(kernel, project_id, "card")).filter(({ id }) => id === "told");
  expect(frames).toEqual([
    { kind: "card", id: "told", rev: 1, is_deleted: true, deleted_by: "human_local", deleted_at: expect.any(String) },
  ]);
});
