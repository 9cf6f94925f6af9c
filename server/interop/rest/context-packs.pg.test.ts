// Context packs over REST, with every table counted: a refusal leaves nothing, and a pack keeps what it was built from.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { canonicalJson } from "@/server/contract/canonical-json";
import { insertCards } from "@/server/kernel/cardbox/insert-cards";
import { createKernel } from "@/server/kernel/kernel";
import { watchOnce } from "@/server/kernel/reclaim/watch-turns";
import { deleteProject } from "@/server/kernel/roster/delete-project";
import { withUnit } from "@/server/kernel/unit";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { sha } from "@/server/testing/packs";
import { restOf } from "@/server/testing/rest";

let kernel: TestKernel;
const P = "packs";
const at = (path = "", of = P) => `/projects/${of}/context-packs${path}`;
const TOKEN = `ghp_${"a1B2".repeat(9)}`;
let cards: string[];
let box_id: string;

beforeAll(async () => {
  kernel = await openTestKernel();
  for (const project of [P, "other"]) await seedProject(kernel, project, [{ name: "Plain" }]);
});
afterAll(() => kernel.close());
const { ok, post, get, send, refused } = restOf(() => kernel);

const write = (texts: string[], project_id = P) =>
  withUnit(kernel, (unit) =>
    insertCards(unit, {
      project_id,
      cards: texts.map((text) => ({ type: "note", author_id: "t", content: { kind: "text" as const, text } })),
    }),
  ).then((made) => made.map(({ card_id }) => card_id));

let nth = 0;
beforeEach(async () => {
  nth++;
  cards = await write([
    `# Retry ${nth}\n\nThe client retries with backoff.\n\n# Other\n\nnothing`,
    `retry notes ${nth}: set token ${TOKEN} first`,
  ]);
  ({ box_id } = await ok("POST", `/projects/${P}/boxes`, { card_ids: cards }));
});
const request = (over: object = {}) => ({
  goal: `Retry with backoff, ${nth}.`,
  definition_of_done: ["All tests pass"],
  from_cards: cards,
  ...over,
});

describe("building", () => {
  test("cards become documents, secrets become placeholders, and the artifact is the pack", async () => {
    const record = await ok("POST", at("?user=ann"), request());
    expect(record).toMatchObject({
      created_by: "ann",
      code: `P-${record.sha256.slice(0, 4).toUpperCase()}`,
      title: `Retry with backoff, ${nth}.`,
      kind: "built",
      limit: 6_000,
      counts: { whole: 2, shortened: 0, left_out: 0, redactions: 1 },
    });
    const { pack } = await ok("GET", at(`/${record.pack_id}`));
    const [first, second] = [0, 1].map((i) =>
      pack.docRefs.find(({ path }: { path: string }) => path === `card://${cards[i]}`),
    );
    expect(first.excerpt).toBe(`# Retry ${nth}\n\nThe client retries with backoff.`);
    expect(second.excerpt).toContain("[REDACTED:github_token]");
    const [, name] = record.artifact_ref.split("artifact://context/");
    expect(sha(canonicalJson(pack))).toBe(record.sha256);
    const listed = await ok("GET", `/projects/${P}/artifacts?area=context`);
    expect(listed.items[0]).toMatchObject({ name, sha256: record.sha256, mime: "application/json" });
    for (const key of [record.code, record.sha256, `sha256:${record.sha256}`])
      expect((await ok("GET", at(`/${key}`))).sha256).toBe(record.sha256);
    const sidecar = await ok("GET", at(`/${record.code}/sidecar`));
    expect(sidecar.sources.map(({ ref }: { ref: string }) => ref).sort()).toEqual(
      cards.map((card) => `card://${card}`).sort(),
    );
    // The secret is in no stored source either.
    const { rows } = await kernel.test.pool.query(
      "SELECT 1 FROM resource.artifacts WHERE project_id = $1 AND position($2::bytea IN bytes) > 0",
      [P, Buffer.from(TOKEN)],
    );
    expect(rows).toEqual([]);
  });

  test("the same input again is the same pack, and nothing is written; at once, too", async () => {
    const [one, two] = await Promise.all([post(at(), request()), post(at(), request())]);
    expect([one.status, two.status].sort()).toEqual([200, 201]);
    expect(one.json).toEqual(two.json);
    const before = await countRows(kernel);
    const again = await post(at(), { ...request(), from_cards: cards.toReversed() });
    expect(again).toMatchObject({ status: 200, json: one.json });
    // Cards of a box that are named too are named once.
    expect(await post(at(), request({ from_boxes: [box_id] }))).toMatchObject({ status: 200, json: one.json });
    expect(await countRows(kernel)).toEqual(before);
  });

  test("an estimate says the same and stores nothing", async () => {
    const before = await countRows(kernel);
    const estimate = await ok("POST", at(":estimate"), request());
    expect(await countRows(kernel)).toEqual(before);
    const record = await ok("POST", at(), request());
    expect(estimate).toMatchObject({
      estimate: record.estimate,
      found: record.found,
      limit: record.limit,
      counts: record.counts,
    });
  });

  const long = "word ".repeat(200);
  test.each<[string, object, number, string, string]>([
    ["a goal of 601 characters", { goal: "g".repeat(601) }, 422, "invalid_shape", "goal"],
    ["an empty definition of done", { definition_of_done: [] }, 400, "bad_request", "definition_of_done: is empty"],
    ["expanded without a reason", { profile: "expanded" }, 422, "invalid_shape", "reason"],
    [
      "a budget that cannot be met",
      { definition_of_done: Array.from({ length: 60 }, (_, i) => `${i} ${long}`) },
      422,
      "budget_unsatisfiable",
      "6000",
    ],
    ["a schema reference of another scheme", { output_schema_ref: "ftp://x" }, 400, "bad_request", "output_schema_ref"],
    ["a path that leaves the repository", { files: ["../x"] }, 400, "bad_request", "files.0"],
    ["a workspace that is not registered", { workspace: "app" }, 404, "not_found", "workspace: app"],
    ["an unknown card", { from_cards: ["none"] }, 404, "not_found", "from_cards.0: card none not found"],
    ["an unknown box", { from_boxes: ["none"] }, 404, "not_found", "from_boxes: box none not found"],
    [
      "decisions of an unknown pack",
      { decisions_from: ["11111111-1111-1111-1111-111111111111"] },
      404,
      "not_found",
      "decisions_from.0",
    ],
    ["an unknown field", { files_max: 3 }, 422, "invalid_shape", "files_max"],
  ])("%s is refused, and nothing is written", async (_what, over, status, code, words) => {
    for (const path of [at(), at(":estimate")]) {
      const refusal = await refused("POST", path, { body: request(over) });
      expect([refusal.status, refusal.error_code]).toEqual([status, code]);
      expect(refusal.error_message).toContain(words);
    }
  });

  test("what is needed and what fits are numbers", async () => {
    const definition_of_done = Array.from({ length: 60 }, (_, i) => `${i} ${long}`);
    const { detail } = await refused("POST", at(), { body: request({ definition_of_done }) });
    expect(detail).toMatchObject({ limit: 6_000, required: expect.any(Number) });
  });

  test("cards and boxes of another project, and cards that were deleted, are refused", async () => {
    const [theirs = ""] = await write(["theirs"], "other");
    expect(await refused("POST", at(), { body: request({ from_cards: [theirs] }) })).toMatchObject({ status: 404 });
    expect(await refused("POST", at("", "other"), { body: request({ from_boxes: [box_id] }) })).toMatchObject({
      status: 404,
    });
    await send("DELETE", `/projects/${P}/cards/${cards[0]}`);
    expect(await refused("POST", at(), { body: request() })).toMatchObject({
      status: 409,
      error_code: "source_missing",
    });
  });

  test("a box of more cards than fit is trimmed, and the record says how many are left out", async () => {
    const ids = await write(
      Array.from({ length: 400 }, (_, i) => `retry card ${i} of ${nth}: ${"words ".repeat(100)}`),
    );
    const box = await ok("POST", `/projects/${P}/boxes`, { card_ids: ids });
    const record = await ok("POST", at(), request({ from_cards: [], from_boxes: [box.box_id] }));
    expect(record.estimate).toBeLessThanOrEqual(record.limit);
    expect(record.found).toBeGreaterThan(record.limit);
    const { whole, shortened, left_out } = record.counts;
    expect([whole + shortened + left_out, left_out > 0]).toEqual([400, true]);
    expect(await ok("POST", at(`/${record.sha256}:verify`))).toEqual({ verdict: "same" });
  });

  test("constraints and policies with secrets are stored redacted", async () => {
    const { sha256, input_sha256 } = await ok("POST", at(), request({ constraints: { note: `use ${TOKEN}` } }));
    for (const one of [sha256, input_sha256]) {
      const { rows } = await kernel.test.pool.query(
        "SELECT convert_from(bytes, 'UTF8') AS text FROM resource.artifacts WHERE project_id = $1 AND sha256 = $2",
        [P, one],
      );
      expect(rows[0].text).not.toContain(TOKEN);
      expect(rows[0].text).toContain("[REDACTED:github_token]");
    }
  });
});

describe("keeping", () => {
  test("it is verified from stored bytes after its cards are deleted, and by another process", async () => {
    const record = await ok("POST", at(), request());
    for (const card of cards) await send("DELETE", `/projects/${P}/cards/${card}`);
    await watchOnce(kernel);
    expect(await ok("POST", at(`/${record.code}:verify`))).toEqual({ verdict: "same" });
    const restarted = restOf(() => createKernel({ ...kernel }));
    expect(await restarted.ok("POST", at(`/${record.sha256}:verify`))).toEqual({ verdict: "same" });
    expect((await restarted.ok("GET", at(`/${record.sha256}`))).sha256).toBe(record.sha256);
  });

  test("bytes that were altered or lost are named", async () => {
    const record = await ok("POST", at(), request());
    const alter = (sha256: string, bytes: Buffer) =>
      kernel.test.pool.query(
        "UPDATE resource.artifacts SET bytes = $3::bytea, size = octet_length($3::bytea) WHERE project_id = $1 AND sha256 = $2",
        [P, sha256, bytes],
      );
    const of = async (sha256: string): Promise<Buffer> => {
      const { rows } = await kernel.test.pool.query(
        "SELECT bytes FROM resource.artifacts WHERE project_id = $1 AND sha256 = $2",
        [P, sha256],
      );
      return rows[0].bytes;
    };
    const verify = () => ok("POST", at(`/${record.sha256}:verify`));
    const pack = await of(record.sha256);
    await alter(record.sha256, Buffer.from(pack.toString().replace("backoff", "backofF")));
    expect(await verify()).toMatchObject({
      verdict: "digest_mismatch",
      pointer: expect.stringMatching(/^\/(goal|docRefs)/),
    });
    expect(await refused("GET", at(`/${record.sha256}`))).toMatchObject({ status: 409, error_code: "source_tampered" });
    await alter(record.sha256, pack);
    const source = sha(`# Retry ${nth}\n\nThe client retries with backoff.\n\n# Other\n\nnothing`);
    const text = await of(source);
    await alter(source, Buffer.from("other"));
    expect(await verify()).toEqual({ verdict: "source_tampered", missing: [source] });
    await alter(source, text);
    expect(await verify()).toEqual({ verdict: "same" });
  });

  test("its name can't be deleted while the pack needs it", async () => {
    const { artifact_ref, code } = await ok("POST", at(), request());
    const name = artifact_ref.replace("artifact://", "");
    const refusal = await refused("DELETE", `/projects/${P}/artifacts/${name}`);
    expect(refusal).toMatchObject({ status: 409, error_code: "conflict" });
    expect(refusal.error_message).toContain(code);
  });

  test("lists are paged, and filtered by words of the goal; other projects see nothing", async () => {
    const records = [];
    for (const n of [1, 2, 3]) records.push(await ok("POST", at(), request({ goal: `Listed ${nth} number ${n}` })));
    const first = await ok("GET", at(`?q=listed ${nth} NUMBER&limit=2`));
    expect(first.items).toEqual([records[2], records[1]]);
    const next = await ok("GET", at(`?q=listed ${nth} number&cursor=${first.next_cursor}`));
    expect(next.items).toEqual([records[0]]);
    // By number, as a person reads it; digits alone are words of a goal as well.
    for (const q of [records[1].code.toLowerCase(), ` ${records[1].sha256.slice(0, 9)}`])
      expect((await ok("GET", at(`?q=${q}`))).items).toContainEqual(records[1]);
    expect((await ok("GET", at("?q=P-____"))).items).toEqual([]);
    expect((await ok("GET", at("", "other"))).items).toEqual([]);
    expect((await ok("GET", at("?root_turn_id=none"))).items).toEqual([]);
    for (const path of ["", "/sidecar", `/diff/${records[1].code}`])
      expect(await refused("GET", at(`/${records[0].sha256}${path}`, "other"))).toMatchObject({ status: 404 });
    expect(await refused("POST", at(`/${records[0].sha256}:verify`, "other"))).toMatchObject({ status: 404 });
    for (const odd of ["none", "P-", "%25", "P-ZZZZ"])
      expect(await refused("GET", at(`/${odd}`))).toMatchObject({ status: 404 });
  });

  test("two packs are compared item by item", async () => {
    const before = await ok("POST", at(), request());
    const after = await ok("POST", at(), request({ definition_of_done: ["All tests pass", "Docs say so"] }));
    const { changes } = await ok("GET", at(`/${before.sha256}/diff/${after.sha256}`));
    expect(changes.map(({ pointer }: { pointer: string }) => pointer)).toContain("/definitionOfDone/1");
  });
});

describe("merging", () => {
  const pack = (n: number, over: object = {}) =>
    ok("POST", at(), request({ goal: `Part ${n} of ${nth}`, node_id: `node-${n}`, ...over }));

  test("the first wins where they disagree, the sidecar says so, and it is verified", async () => {
    const one = await pack(1, { constraints: { style: "tabs", limit: 3 } });
    const two = await pack(2, { constraints: { style: "spaces", limit: 2 } });
    const packs = [{ ref: one.artifact_ref, sha256: one.sha256 }, { pack_id: two.pack_id }];
    const merged = await post(at(":merge"), { packs, node_id: "join" });
    expect(merged).toMatchObject({ status: 201, json: { kind: "merged" } });
    const detail = await ok("GET", at(`/${merged.json.sha256}`));
    expect(detail.pack).toMatchObject({ nodeId: "join", constraints: { style: "tabs", limit: 2 } });
    const { conflicts } = await ok("GET", at(`/${merged.json.sha256}/sidecar`));
    expect(conflicts).toMatchObject([{ code: "constraint_conflict", key: "style" }]);
    expect(await ok("POST", at(`/${merged.json.sha256}:verify`))).toEqual({ verdict: "same" });
    const before = await countRows(kernel);
    expect(await post(at(":merge"), { packs, node_id: "join" })).toMatchObject({ status: 200, json: merged.json });
    expect(await countRows(kernel)).toEqual(before);
  });

  test("other bytes than announced, unknown packs, foreign docs folders and long goals are refused", async () => {
    const one = await pack(1);
    const two = await pack(2, { docs_root: "/manual" });
    const merge = (packs: object[], over = {}) =>
      refused("POST", at(":merge"), { body: { packs, node_id: "j", ...over } });
    expect(await merge([{ ref: one.artifact_ref, sha256: two.sha256 }])).toMatchObject({
      status: 422,
      error_code: "digest_mismatch",
    });
    expect(await merge([{ ref: "artifact://context/none.json" }])).toMatchObject({ status: 404 });
    expect(await merge([{ pack_id: one.pack_id }, { pack_id: two.pack_id }])).toMatchObject({
      status: 422,
      error_code: "merge_mismatch",
      error_message: expect.stringMatching(/^packs: docsRoot differs/),
    });
    expect(await merge([])).toMatchObject({ status: 422 });
    const longer = await pack(3, { goal: "x".repeat(599) });
    expect(await merge([{ pack_id: longer.pack_id }])).toMatchObject({ status: 400, error_code: "bad_request" });
  });

  test("a thousand packs are merged within the budget", async () => {
    const one = await pack(1);
    const [row] = (await kernel.test.pool.query("SELECT * FROM resource.context_packs WHERE sha256 = $1", [one.sha256]))
      .rows;
    // Only the records: building a thousand packs is tried elsewhere.
    const ids = Array.from({ length: 1_000 }, (_, i) => `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`);
    const { pack: content } = await ok("GET", at(`/${one.sha256}`));
    const sidecar = await ok("GET", at(`/${one.sha256}/sidecar`));
    const made = ids.map((packId, i) => {
      const json = canonicalJson({
        ...content,
        packId,
        nodeId: `n${i}`,
        docRefs: [{ path: `/docs/${i}.md`, priority: "low" }],
      });
      const side = canonicalJson({ ...sidecar, packId, sha256: sha(json) });
      return { packId, json, sha256: sha(json), side, side_sha: sha(side), input_key: `k${nth}-${i}` };
    });
    await kernel.test.pool.query(
      `INSERT INTO resource.artifacts (project_id, sha256, mime, bytes, size)
       SELECT $1, g.sha, 'application/json', convert_to(g.text, 'UTF8'), octet_length(convert_to(g.text, 'UTF8'))
       FROM jsonb_to_recordset($2) AS g(sha text, text text)`,
      [
        P,
        JSON.stringify(
          made.flatMap((m) => [
            { sha: m.sha256, text: m.json },
            { sha: m.side_sha, text: m.side },
          ]),
        ),
      ],
    );
    await kernel.test.pool.query(
      `INSERT INTO resource.context_packs SELECT (jsonb_populate_record(NULL::resource.context_packs, $1::jsonb || g)).*
       FROM jsonb_array_elements($2::jsonb) AS g`,
      [
        JSON.stringify(row),
        JSON.stringify(
          made.map(({ packId, sha256, side_sha, input_key }) => ({
            pack_id: packId,
            sha256,
            sidecar_sha256: side_sha,
            input_key,
          })),
        ),
      ],
    );
    const packs = ids.map((pack_id) => ({ pack_id }));
    const merged = await ok("POST", at(":merge"), { packs, node_id: "join", goal: "All parts" });
    expect(merged.estimate).toBeLessThanOrEqual(6_000);
    expect(merged.counts.left_out).toBeGreaterThan(0);
    expect(await ok("POST", at(`/${merged.sha256}:verify`))).toEqual({ verdict: "same" });
    const packs_over = [...packs, { pack_id: one.pack_id }];
    expect(await refused("POST", at(":merge"), { body: { packs: packs_over, node_id: "j" } })).toMatchObject({
      status: 422,
    });
  });
});

test("a key makes a repeated build safe", async () => {
  const headers = { "idempotency-key": `key-${nth}` };
  const first = await post(at(), request(), headers);
  expect(await post(at(), request(), headers)).toMatchObject({ status: 201, json: first.json });
});

test("they go with their project", async () => {
  const [card = ""] = await write(["x words"], "other");
  await ok("POST", at("", "other"), { goal: "Go", definition_of_done: ["gone"], from_cards: [card] });
  await deleteProject(kernel, "other");
  for (const table of ["context_packs", "context_pack_sources", "artifact_names", "artifacts"]) {
    const { rowCount } = await kernel.test.pool.query(`SELECT 1 FROM resource.${table} WHERE project_id = 'other'`);
    expect([table, rowCount]).toEqual([table, 0]);
  }
  expect((await get(at("", "other"))).status).toBe(404);
});
