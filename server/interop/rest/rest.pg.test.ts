// The REST interface as a program uses it: real requests, a real database, and a refusal leaves nothing behind.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LaunchInput } from "@/server/contract/delegation";
import { openDb } from "@/server/db";
import { env } from "@/server/env";
import { hashOf } from "@/server/kernel/kept-results";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { serveRest } from "./serve";

let kernel: TestKernel;
const HOST = `127.0.0.1:${env().PORT}`;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p1", [{ name: "Searcher" }]);
  await seedProject(kernel, "p2", [{ name: "Searcher" }]);
});
afterAll(() => kernel.close());

type Options = { body?: unknown; raw?: string; type?: string; headers?: Record<string, string> };

async function send(method: string, path: string, options: Options = {}) {
  const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const request = new Request(`http://${HOST}/api/v1${path}`, {
    method,
    body,
    headers: { host: HOST, "content-type": options.type ?? "application/json", ...options.headers },
  });
  const response = await serveRest(kernel, request, new URL(request.url).pathname.replace("/api/v1", ""));
  const text = await response.text();
  return { status: response.status, json: text === "" ? undefined : JSON.parse(text), headers: response.headers };
}
const get = (path: string) => send("GET", path);
const post = (path: string, body: unknown, headers?: Record<string, string>) => send("POST", path, { body, headers });

async function refused(method: string, path: string, options: Options = {}) {
  const before = await countRows(kernel);
  const answer = await send(method, path, options);
  expect(answer.json?.detail).toMatchObject({ error_code: expect.any(String), error_message: expect.any(String) });
  expect(await countRows(kernel)).toEqual(before);
  return {
    status: answer.status,
    ...(answer.json.detail as { error_code: string; error_message: string; detail?: { path?: string } }),
  };
}

const delegate = { target_strategy: "new", target_ref: "Searcher", instruction: "look it up" };

describe("a life over REST", () => {
  test("cards, boxes, packing, a launch, its turn and who saw what", async () => {
    const { json: written } = await post("/projects/p1/cards", {
      cards: [
        { card_id: "c1", type: "task.context", content: "background" },
        { type: "tool.result", content: { kind: "json", data: { a: 1 } } },
      ],
    });
    expect(written.cards).toMatchObject([{ card_id: "c1", role: "user", author_id: "operator" }, { role: "tool" }]);
    const { status, json: box } = await post("/projects/p1/boxes", {
      card_ids: written.cards.map((c: { card_id: string }) => c.card_id),
    });
    expect([status, box.length]).toEqual([201, 2]);
    const pack = {
      source_agent_id: "human_local",
      tool_suffix: "delegate_async",
      arguments: { profile_name: "searcher", instruction: "do work", input_box_ids: [box.box_id] },
      handover: {
        context_packing_config: {
          pack_arguments: [{ arg_key: "instruction" }],
          inherit_context: { include_boxes_from_args: ["input_box_ids"], include_parent: true },
          order: "inherited_first",
        },
      },
    };
    const before = await countRows(kernel);
    const dry = await post("/projects/p1/context:pack", { ...pack, dry_run: true });
    expect(await countRows(kernel)).toEqual(before);
    expect(dry.json).toMatchObject({
      receipt: { included_cards: 4 },
      rendered: { system: expect.stringContaining("You are Searcher.") },
    });
    const real = await post("/projects/p1/context:pack", pack);
    const { json: packed } = await get(`/projects/p1/boxes/${real.json.context_box_id}/cards`);
    expect(packed.map((c: { type: string; origin: string }) => [c.type, c.origin])).toEqual([
      ["task.context", `box:${box.box_id}`],
      ["tool.result", `box:${box.box_id}`],
      ["task.instruction", "arg:instruction"],
      ["meta.parent_pointer", "ptr"],
    ]);
    const launched = await post("/projects/p1/pmo/delegate_async:call", {
      args: { ...delegate, context_box_id: box.box_id },
      action_id: "a1",
    });
    expect(launched.json).toMatchObject({ is_replay: false, result: { status: "accepted", turn_epoch: 1 } });
    const again = await post("/projects/p1/pmo/delegate_async:call", {
      args: { ...delegate, context_box_id: box.box_id },
      action_id: "a1",
    });
    expect(again.json).toMatchObject({ is_replay: true, agent_turn_id: launched.json.agent_turn_id });
    const { json: turn } = await get(`/projects/p1/turns/${launched.json.result.agent_turn_id}`);
    expect(turn).toMatchObject({ status: "dispatched", depth: 1, parent_turn_id: launched.json.agent_turn_id });
    expect(turn.chain.map((c: { is_human: boolean }) => c.is_human)).toEqual([true, false]);
    const { json: seen } = await get("/projects/p1/cards/c1/sightings");
    expect(seen.boxes).toHaveLength(3);
    const { json: agents } = await get("/projects/p1/agents?limit=1");
    expect([agents.items.length, typeof agents.next_cursor]).toEqual([1, "string"]);
    const { json: rest } = await get(`/projects/p1/agents?cursor=${agents.next_cursor}`);
    expect(rest.items.map((a: { agent_id: string }) => a.agent_id)).not.toContain(agents.items[0].agent_id);
  });
  test("143 147 149 replay, batches and their limits", async () => {
    const card = { card_id: "same", type: "task.context", content: "x" };
    expect((await post("/projects/p1/cards", { cards: [card] })).status).toBe(200);
    expect((await post("/projects/p1/cards", { cards: [card] })).status).toBe(200);
    expect(await refused("POST", "/projects/p1/cards", { body: { cards: [{ ...card, content: "y" }] } })).toMatchObject(
      { status: 409, error_code: "conflict" },
    );
    const ids = (n: number) => Array.from({ length: n }, (_, i) => `m${i}`);
    const batch = await post("/projects/p1/cards/batch", { card_ids: ["same", "same", "missing", "missing"] });
    expect(batch.json).toMatchObject({ cards: [{ card_id: "same" }], missing_ids: ["missing"] });
    expect((await post("/projects/p1/cards/batch", { card_ids: [] })).json).toEqual({ cards: [], missing_ids: [] });
    expect((await post("/projects/p1/cards/batch", { card_ids: [...ids(100), ...ids(50)] })).status).toBe(200);
    const over = await refused("POST", "/projects/p1/cards/batch", { body: { card_ids: ids(101) } });
    expect([over.status, over.error_message]).toEqual([400, expect.stringContaining("card_ids exceeds limit 100")]);
    const { json: box } = await post("/projects/p1/boxes", {
      cards: [card, card].map((c) => ({ type: c.type, content: "n" })),
    });
    const boxes = await post("/projects/p1/boxes/batch", { box_ids: [box.box_id, "nope"] });
    expect(boxes.json).toMatchObject({ missing_box_ids: ["nope"], missing_card_ids: [] });
    expect(boxes.json.boxes[0]).not.toHaveProperty("hydrated_cards");
    const hydrated = await post("/projects/p1/boxes/batch", { box_ids: [box.box_id], hydrate: true, limit: 0 });
    expect(hydrated.json.boxes[0].hydrated_cards).toHaveLength(1);
  });
  test("profiles and tools as YAML and multipart; every route is in the OpenAPI document", async () => {
    const yaml = "name: Yaml_One\nllm_config:\n  provider: script\n  script:\n    - deliver: done\n";
    expect(await send("POST", "/projects/p1/profiles", { raw: yaml, type: "text/yaml" })).toMatchObject({
      status: 201,
      json: { name: "Yaml_One" },
    });
    const form = new FormData();
    form.set("file", new Blob(["tool_name: web_search\ndescription: looks things up\n"]), "t.yaml");
    const encoded = new Response(form);
    const tool = await send("POST", "/projects/p1/tools", {
      raw: await encoded.text(),
      type: encoded.headers.get("content-type") ?? "",
    });
    expect(tool).toMatchObject({ status: 201, json: { tool_name: "web_search", after_execution: "suspend" } });
    const { json: doc } = await get("/openapi.json");
    expect(doc.openapi).toBe("3.1.0");
    expect(Object.keys(doc.paths["/projects/{project_id}/pmo/{tool}:call"])).toEqual(["post"]);
    for (const operations of Object.values(doc.paths))
      for (const op of Object.values(operations as object)) expect(op.summary).toBeTruthy();
  });
  test("keys of yesterday are forgotten", async () => {
    await seedProject(kernel, "p3");
    await kernel.test.pool.query(
      `INSERT INTO state.idempotency_keys (project_id, key, request_hash, status, body, created_at)
       VALUES ('p3', 'old', 'x', 200, '{}', now() - interval '25 hours'), ('p3', 'new', 'x', 200, '{}', now() - interval '1 hour')`,
    );
    await post("/projects/p3/boxes", { cards: [] }, { "idempotency-key": "today" });
    const { rows } = await kernel.test.pool.query(
      "SELECT key FROM state.idempotency_keys WHERE project_id = 'p3' ORDER BY key",
    );
    expect(rows.map((row) => row.key)).toEqual(["new", "today"]);
  });
  test("a key whose request has no answer yet says for how many seconds it may be kept", async () => {
    await kernel.test.pool.query(
      `INSERT INTO state.idempotency_keys (project_id, key, request_hash, status, body, created_at)
       VALUES ('-', 'dead', $1, 0, '{}', now() - interval '100 s')`,
      [hashOf(`POST /api/v1/projects ${JSON.stringify({ title: "Dead" })}`)],
    );
    const answer = await post("/projects", { title: "Dead" }, { "idempotency-key": "dead" });
    const wait = Number(answer.headers.get("retry-after"));
    expect([answer.status, wait > 1 && wait <= 21]).toEqual([409, true]);
    expect(answer.json.detail.error_message).toContain(`try again in ${wait} s`);
  });
  test("an Idempotency-Key does the work once, also when two come at once", async () => {
    const key = { "idempotency-key": "k-1" };
    const make = () => post("/projects", { title: "Once" }, key);
    const answers = await Promise.all([make(), make()]);
    const later = await make();
    const ids = new Set([...answers, later].filter((a) => a.status === 201).map((a) => a.json.project_id));
    expect(ids.size).toBe(1);
    expect(later.status).toBe(201);
    expect((await post("/projects", { title: "Other" }, key)).json.detail.error_code).toBe("conflict");
  });
});

describe("bad input", () => {
  test.each([
    ["unknown project", "GET", "/projects/nope/cards", 404],
    ["unknown card", "GET", "/projects/p1/cards/nope", 404],
    ["unknown box", "GET", "/projects/p1/boxes/nope", 404],
    ["unknown turn", "GET", "/projects/p1/turns/nope", 404],
    ["unknown agent", "GET", "/projects/p1/agents/nope", 404],
    ["unknown profile", "GET", "/projects/p1/profiles/nope", 404],
    ["an id that cannot be one", "GET", "/projects/p1/cards/a%2Fb", 404],
    ["unknown route", "GET", "/nowhere", 404],
    ["unknown query key", "GET", "/projects/p1/cards?colour=red", 400],
    ["limit too high", "GET", "/projects/p1/cards?limit=501", 400],
    ["bad cursor", "GET", "/projects/p1/cards?cursor=zzz", 400],
    ["bad cursor of turns", "GET", "/projects/p1/turns?cursor=zzz", 400],
    ["bad event cursor", "GET", "/projects/p1/events?after=zzz", 400],
  ])("%s", async (_what, method, path, status) => {
    expect((await refused(method, path)).status).toBe(status);
  });
  test("a method that a path does not take is 405, and Allow says which it takes", async () => {
    const answer = await send("DELETE", "/projects");
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, POST, HEAD, OPTIONS"]);
    expect(answer.json.detail.error_code).toBe("method_not_allowed");
  });
  test("a form, as curl -d sends it, is told to be JSON", async () => {
    const answer = await refused("POST", "/projects", { raw: "title=x", type: "application/x-www-form-urlencoded" });
    expect(answer.error_message).toContain("send JSON (Content-Type: application/json)");
  });
  test.each([
    ["unknown key", { title: "x", colour: "red" }, 422, "body.colour"],
    ["wrong type", { title: 7 }, 422, "body.title"],
    ["missing", {}, 422, "body.title"],
  ])("%s is 422 with the JSON path", async (_what, body, status, path) => {
    const answer = await refused("POST", "/projects", { body });
    expect([answer.status, answer.detail?.path]).toEqual([status, path]);
  });
  test.each([
    ["malformed JSON", '{"title": ', "application/json", "/projects"],
    ["not UTF-8 is not JSON", "\u0000", "application/json", "/projects"],
    ["YAML that is not a mapping", "- a\n- b\n", "text/yaml", "/projects/p1/profiles"],
    ["YAML that is not YAML", "name: [unclosed\n", "text/yaml", "/projects/p1/profiles"],
    ["YAML that is not a profile", "colour: red\n", "text/yaml", "/projects/p1/profiles"],
    ["a reserved tool name", "tool_name: fork_join\n", "text/yaml", "/projects/p1/tools"],
    [
      "JSON of brackets alone",
      `{"cards":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
      "application/json",
      "/projects/p1/cards",
    ],
    [
      "an agent that poses as a person",
      '{"agent_id":"human_eve","profile_name":"Searcher"}',
      "application/json",
      "/projects/p1/agents",
    ],
    ["a kernel subject", "tool_name: ok\ntarget_subject: cg.v1r4.p.c.cmd.sys.pmo\n", "text/yaml", "/projects/p1/tools"],
  ])("%s is 400", async (_what, raw, type, path) => {
    expect(await refused("POST", path, { raw, type })).toMatchObject({ status: 400, error_code: "bad_request" });
  });
  test("K11 a foreign id answers exactly as a missing one", async () => {
    await post("/projects/p2/cards", { cards: [{ card_id: "theirs", type: "task.context", content: "x" }] });
    const { json: box } = await post("/projects/p2/boxes", { card_ids: ["theirs"] });
    for (const [kind, id] of [
      ["cards", "theirs"],
      ["boxes", box.box_id],
    ]) {
      const foreign = await refused("GET", `/projects/p1/${kind}/${id}`);
      const missing = await refused("GET", `/projects/p1/${kind}/${"0".repeat(id.length)}`);
      expect({ ...foreign, error_message: foreign.error_message.replace(id, "ID"), detail: undefined }).toEqual({
        ...missing,
        error_message: missing.error_message.replace("0".repeat(id.length), "ID"),
        detail: undefined,
      });
    }
    const launch = await refused("POST", "/projects/p1/pmo/delegate_async:call", {
      body: { args: { ...delegate, context_box_id: box.box_id } },
    });
    expect(launch.status).toBe(404);
  });
  test("arguments that are missing: says what belongs there, for each tool", async () => {
    const said: string[] = [];
    for (const tool of LaunchInput.shape.tool.options)
      said.push((await refused("POST", `/projects/p1/pmo/${tool}:call`, { body: {} })).error_message);
    expect(said[0]).toBe(
      "invalid args: is missing. Expected an object with target_strategy, target_ref and instruction",
    );
    for (const message of said) expect(message).toMatch(/^invalid args: is missing\. Expected an object/);
  });
  test("a cursor of another project", async () => {
    const { cursor } = await (await import("@/server/kernel/read-models/read-snapshot")).readSnapshot(kernel, {
      project_id: "p2",
    });
    expect(await refused("GET", `/projects/p1/events?after=${cursor}`)).toMatchObject({
      status: 400,
      error_message: expect.stringContaining("another project"),
    });
  });
  test("5 MB instructions are 413, whatever the length header says", async () => {
    const args = { ...delegate, instruction: "x".repeat(5_000_000) };
    expect((await refused("POST", "/projects/p1/pmo/delegate_async:call", { body: { args } })).status).toBe(413);
    const under = { ...delegate, instruction: "x".repeat(2_000_000) };
    expect((await refused("POST", "/projects/p1/pmo/delegate_async:call", { body: { args: under } })).status).toBe(413);
  });
  test("profile names that differ only by case are 409", async () => {
    const answer = await refused("POST", "/projects/p1/profiles", { body: { name: "SEARCHER" } });
    expect([answer.status, answer.error_code]).toEqual([409, "conflict"]);
  });
  test("a tool that a person cannot launch says which there are; arguments that are wrong name the place", async () => {
    const answer = await refused("POST", "/projects/p1/pmo/submit_result:call", { body: { args: {} } });
    expect([answer.status, answer.error_message]).toEqual([404, expect.stringContaining("delegate_async")]);
    const tasks = [{ target_strategy: "new", target_ref: "Searcher", instruction: "one" }, { target_ref: "Searcher" }];
    const fork = await refused("POST", "/projects/p1/pmo/fork_join:call", { body: { args: { tasks } } });
    expect([fork.status, fork.error_message]).toEqual([400, expect.stringContaining("tasks.1.target_strategy")]);
  });
  test("a foreign Host, Origin or site is refused", async () => {
    const foreign: Record<string, string>[] = [
      { host: "evil.example" },
      { origin: "http://evil.example" },
      { "sec-fetch-site": "cross-site" },
      { host: "127.0.0.1:1" },
    ];
    for (const headers of foreign)
      expect(await refused("GET", "/projects", { headers })).toMatchObject({ status: 403, error_code: "auth_failed" });
    expect((await send("GET", "/projects", { headers: { origin: `http://${HOST}` } })).status).toBe(200);
  });
});

test("a database that is away is 503 with a time to come back, whichever way it is read", async () => {
  const nowhere = openDb("postgresql://nobody@127.0.0.1:1/none");
  const away = { ...kernel, db: nowhere };
  const ask = async (method: string, path: string, body?: unknown) => {
    const request = new Request(`http://${HOST}/api/v1${path}`, {
      method,
      headers: { host: HOST, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const response = await serveRest(away, request, path);
    const { detail } = (await response.json()) as { detail?: { error_code: string } };
    return [response.status, detail?.error_code, response.headers.get("retry-after")];
  };
  const gone = [503, "storage_error", "1"];
  expect(await ask("GET", "/projects")).toEqual(gone);
  expect(await ask("GET", "/projects/p1")).toEqual(gone);
  expect(await ask("GET", "/projects/p1/agents")).toEqual(gone);
  expect(await ask("POST", "/projects", { title: "x" })).toEqual(gone);
  expect((await ask("GET", "/health"))[0]).toBe(503);
  await nowhere.close();
});

test("events: a snapshot's cursor, then every frame once, resumed by Last-Event-ID", async () => {
  const { cursor } = await (await import("@/server/kernel/read-models/read-snapshot")).readSnapshot(kernel, {
    project_id: "p1",
  });
  const listen = async (after: string, isEnough: (ids: string[]) => boolean) => {
    const ended = new AbortController();
    const request = new Request(`http://${HOST}/api/v1/projects/p1/events`, {
      headers: { host: HOST, "last-event-id": after },
      signal: ended.signal,
    });
    const response = await serveRest(kernel, request, "/projects/p1/events");
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const events: { id: string; event: string; data: { id: string } }[] = [];
    let text = "";
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(chunk);
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const fields = Object.fromEntries(
          block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
        );
        if (fields.id && fields.data)
          events.push({ id: fields.id, event: fields.event ?? "", data: JSON.parse(fields.data) });
      }
      if (isEnough(events.map((e) => e.data.id))) break;
    }
    ended.abort();
    return events;
  };
  const { json } = await post("/projects/p1/pmo/launch_principal:call", {
    args: { profile_name: "Searcher", instruction: "go" },
  });
  const all = await listen(cursor, (ids) => ids.includes(json.result.agent_turn_id) && ids.length > 3);
  expect(all.map((e) => e.event)).toContain("turn");
  expect(all.map((e) => e.data.id)).toContain(json.result.agent_turn_id);
  const middle = all[2];
  if (!middle) throw new Error("fewer frames than a launch writes");
  const rest = await listen(middle.id, (ids) => ids.length >= all.length - 3);
  expect(rest.map((e) => e.id)).toEqual(all.slice(3).map((e) => e.id));
});

test("events: a reader that is cut off before its first event continues from where the stream began", async () => {
  const open = async (path: string, lastEventId?: string) => {
    const ended = new AbortController();
    const headers = { host: HOST, ...(lastEventId !== undefined && { "last-event-id": lastEventId }) };
    const request = new Request(`http://${HOST}/api/v1${path}`, { headers, signal: ended.signal });
    const response = await serveRest(kernel, request, path);
    let text = "";
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(chunk);
      if (/^id: /m.test(text) && (lastEventId === undefined || text.includes("data:"))) break;
    }
    ended.abort();
    return text;
  };
  const before = await open("/projects/p2/events");
  // The standard: a block without data sets the id and is no event.
  const id = /\n\nid: (\S+)\n\n$/.exec(before)?.[1] ?? "";
  expect(before).toBe(`retry: 1000\n\nid: ${id}\n\n`);
  const { json } = await post("/projects/p2/pmo/launch_principal:call", {
    args: { profile_name: "Searcher", instruction: "go" },
  });
  expect(await open("/projects/p2/events", id)).toContain(json.result.agent_turn_id);
});
