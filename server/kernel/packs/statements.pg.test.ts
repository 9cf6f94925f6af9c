// How many statements the verbs of packs and named artifacts take: the number does not grow with what they are given.
import { afterAll, beforeAll, expect, test } from "vitest";
import { PackToBuild } from "@/server/contract/context-pack/request";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { deleteName } from "../artifacts/delete-name";
import { listNames } from "../artifacts/read-names";
import { uploadArtifact } from "../artifacts/upload-artifact";
import { insertCards } from "../cardbox/insert-cards";
import { withUnit } from "../unit";
import { buildContextPack } from "./build-context-pack";
import { diffContextPacks } from "./diff-context-packs";
import { estimateContextPack } from "./estimate-context-pack";
import { mergeContextPacks } from "./merge-context-packs";
import { listPacks, readPack } from "./read-packs";
import { verifyContextPack } from "./verify-context-pack";

let kernel: TestKernel;
const project_id = "counted";
let cards: string[];
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [{ name: "Plain" }]);
  const made = await withUnit(kernel, (unit) =>
    insertCards(unit, {
      project_id,
      cards: Array.from({ length: 40 }, (_, i) => ({
        type: "note",
        author_id: "t",
        content: { kind: "text" as const, text: `a card with the words ${i}` },
      })),
    }),
  );
  cards = made.map(({ card_id }) => card_id);
});
afterAll(() => kernel.close());

/** Names of the statements that the work sends, reads and units alike. */
async function sent(work: () => Promise<unknown>): Promise<string[]> {
  const names: string[] = [];
  const { pool } = kernel.db;
  const connect = pool.connect.bind(pool);
  pool.connect = (async () => {
    const client = await connect();
    const query = client.query.bind(client);
    const release = client.release.bind(client);
    client.query = ((given: { name?: string }, ...more: []) => {
      if (given.name) names.push(given.name);
      return query(given as never, ...more);
    }) as typeof client.query;
    client.release = (error) => {
      client.query = query;
      client.release = release;
      release(error);
    };
    return client;
  }) as typeof pool.connect;
  try {
    await work();
  } finally {
    pool.connect = connect;
  }
  return names;
}

const request = (count: number, goal: string) =>
  PackToBuild.parse({ goal, definition_of_done: ["done"], from_cards: cards.slice(0, count), node_id: goal });
const build = (count: number, goal: string) =>
  buildContextPack(kernel, { project_id, request: request(count, goal), created_by: "t" });

test.each([1, 40])("building a pack of %i cards: two reads, then four writes; again: two reads", async (count) => {
  expect(await sent(() => build(count, `of ${count}`))).toEqual([
    "cards_get",
    "pack_by_input",
    "pack_add",
    "artifacts_store",
    "names_add",
    "pack_sources",
  ]);
  expect(await sent(() => build(count, `of ${count}`))).toEqual(["cards_get", "pack_by_input"]);
  expect(await sent(() => estimateContextPack(kernel, { project_id, request: request(count, "e") }))).toEqual([
    "cards_get",
  ]);
});

test.each([2, 20])("merging %i packs", async (count) => {
  const packs = [];
  for (let i = 0; i < count; i++) packs.push({ pack_id: (await build(1, `part ${i}`)).record.pack_id });
  const given = { packs, node_id: `join-${count}`, goal: "all", profile: "routine" as const };
  expect(await sent(() => mergeContextPacks(kernel, { project_id, request: given, created_by: "t" }))).toEqual([
    "packs_by_id",
    "pack_by_input",
    "artifacts_read",
    "pack_add",
    "artifacts_store",
    "names_add",
    "pack_sources",
  ]);
});

test("reading, comparing and verifying", async () => {
  const [one, two] = [await build(40, "first"), await build(40, "second")].map(({ record }) => record.sha256);
  const pack = one ?? "";
  expect(await sent(() => listPacks(kernel, { project_id, limit: 50 }))).toEqual(["packs_list"]);
  expect(await sent(() => listPacks(kernel, { project_id, limit: 50, q: "first" }))).toEqual([
    "packs_search",
    "packs_looked_at",
  ]);
  expect(await sent(() => readPack(kernel, { project_id, pack }))).toEqual(["pack_find", "artifacts_read"]);
  expect(await sent(() => verifyContextPack(kernel, { project_id, pack }))).toEqual(["pack_find", "pack_verify"]);
  expect(await sent(() => diffContextPacks(kernel, { project_id, before: pack, after: two ?? "" }))).toEqual([
    "pack_find",
    "pack_find",
    "artifacts_read",
  ]);
});

test("naming, listing and deleting an artifact", async () => {
  const name = { project_id, area: "logs", name: "a.txt" };
  async function* parts() {
    yield Buffer.from("text");
  }
  const upload = () => uploadArtifact(kernel, { ...name, mime: "text/plain", created_by: "t", parts: parts() });
  expect(await sent(upload)).toEqual(["artifacts_store", "names_add"]);
  expect(await sent(upload)).toEqual(["artifacts_store", "names_add", "names_found"]);
  expect(await sent(() => listNames(kernel, { project_id, limit: 5 }))).toEqual(["names_list"]);
  expect(await sent(() => withUnit(kernel, (unit) => deleteName(unit, name)))).toEqual([
    "name_hold",
    "name_needed",
    "name_delete",
    "artifacts_lock",
    "artifacts_drop",
  ]);
});
