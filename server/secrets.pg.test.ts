// Keys of providers go into requests and nowhere else. A worker process with four of them runs turns that succeed and turns
// whose provider repeats the key in every way it can; then everything that can be read is read: each column of each table,
// each line of the log, each frame and ring, each answer of the two interfaces.

import type { ChildProcess } from "node:child_process";
import { gunzipSync } from "node:zlib";
import type { AnyProcedure, AnyRouter } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appRouter, createCaller } from "@/server/api/root";
import { PERSON_KINDS } from "@/server/contract/person-data";
import { unpackFrames } from "@/server/contract/unpack-frames";
import { createPgDoorbell } from "@/server/doorbell/pg-doorbell";
import { env } from "@/server/env";
import { routes } from "@/server/interop/rest/routes";
import { serveRest } from "@/server/interop/rest/serve";
import type { Doorbell, Ring } from "@/server/kernel/kernel";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { openTestKernel, seedProject, type TestKernel, untilVisible } from "@/server/testing/kernel";
import { launchTurn, untilTurn } from "@/server/testing/turns";
import type { WireReply } from "@/server/testing/wire/reply";
import {
  startWireServer,
  type WireProvider,
  type WireRequest,
  type WireServer,
} from "@/server/testing/wire/wire-server";
import { spawnWorker } from "@/server/testing/worker-process";

const P = "secrets";
const providers: Record<WireProvider, { key: string; names: [key: string, url: string]; model: string }> = {
  openai: { key: "sk-openai-0a1b/2c+3d=4e", names: ["OPENAI_API_KEY", "OPENAI_BASE_URL"], model: "openai/gpt-5-mini" },
  anthropic: {
    key: "sk-ant-api03-Zz9_8-77",
    names: ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"],
    model: "anthropic/claude-haiku-4-5",
  },
  google: {
    key: "AIzaSyD-0123456789_abcdefghijklmnopqrs",
    names: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_BASE_URL"],
    model: "gemini/gemini-3-flash-preview",
  },
  "openai-compatible": {
    key: "sk-moon\"shot'99%2",
    names: ["MOONSHOT_API_KEY", "MOONSHOT_BASE_URL"],
    model: "moonshot/kimi-k2.5",
  },
};
const keys = Object.values(providers).map(({ key }) => key);

let kernel: TestKernel;
let doorbell: Doorbell;
let worker: ChildProcess;
let output = "";
const rung: Ring[] = [];
const heard: string[] = [];
const servers: [WireProvider, WireServer][] = [];
const turns: TurnRow[] = [];

beforeAll(async () => {
  kernel = await openTestKernel();
  doorbell = createPgDoorbell({ pool: kernel.db.pool, url: kernel.test.url });
  Object.assign(kernel, { doorbell });
  await doorbell.listen((ring) => rung.push(ring));
  for (const provider of Object.keys(providers) as WireProvider[])
    servers.push([provider, await startWireServer({ provider, replies: repliesOf(provider) })]);
  worker = startWorkerProcess();
  await seedProject(
    kernel,
    P,
    Object.entries(providers).map(([name, { model }]) => ({ name, llm_config: { model, stream: true } })),
  );
  const launched: string[] = [];
  const watching: ReturnType<typeof listenTo>[] = [];
  for (const provider of Object.keys(providers))
    for (const instruction of Object.keys(scenes)) {
      const { agent_turn_id } = await launchTurn(kernel, P, { target: provider, instruction });
      watching.push(listenTo(agent_turn_id));
      launched.push(agent_turn_id);
    }
  for (const agent_turn_id of launched) turns.push(await untilTurn(kernel, P, agent_turn_id, "ended", 50_000));
  for (const { leave, listening } of watching) {
    leave();
    await listening;
  }
  const exited = new Promise((done) => worker.once("exit", done));
  worker.kill("SIGTERM");
  await exited;
  await untilVisible(kernel);
}, 90_000);
afterAll(async () => {
  worker.kill("SIGKILL");
  for (const [, server] of servers) await server.close();
  await doorbell.close();
  await kernel.close();
});

/** By instruction: what the provider says first, second, ... */
const scenes: Record<string, (key: string) => WireReply[]> = {
  "all is well": () => [
    { text: "I note it.", calls: [{ name: "think", arguments: { thought: "hm" } }] },
    // Slow enough for whoever watches.
    { text: "All is well, and it is said in several pieces.", delayMs: 2_000, gapMs: 150 },
  ],
  "the key is refused": (key) => [
    { error: { status: 401, message: `Incorrect API key provided: ${key}`, code: "invalid_api_key" } },
  ],
  "broken, then refused": (key) => [
    { error: { status: 500, message: `upstream was sent Authorization: Bearer ${key}` } },
    { error: { status: 403, message: `?key=${encodeURIComponent(key)} has no right to ${JSON.stringify({ key })}` } },
  ],
  "refused in mid-stream": (key) => [
    { text: "It begins well, it goes on well, and then", error: { status: 400, message: `revoked: ${key}`, after: 2 } },
    { error: { status: 400, message: `x-api-key ${Buffer.from(key).toString("base64")} is revoked` } },
    { error: { status: 400, message: `revoked: ${key}` } },
  ],
};

function repliesOf(provider: WireProvider): (request: WireRequest) => WireReply {
  const asked = new Map<string, number>();
  return (request) => {
    const scene = Object.keys(scenes).find((name) => request.bytes.includes(name)) ?? "";
    const n = asked.get(scene) ?? 0;
    asked.set(scene, n + 1);
    const replies = scenes[scene]?.(providers[provider].key) ?? [];
    return replies[n] ?? { error: { status: 400, message: `asked once too often with ${providers[provider].key}` } };
  };
}

function startWorkerProcess(): ChildProcess {
  const given = servers.flatMap(([provider, server]) => {
    const { key, names } = providers[provider];
    return [
      [names[0], key],
      [names[1], server.url],
    ];
  });
  const settings = { DATABASE_URL: kernel.test.url, SWITCHYARD_LOG: "trace", ...Object.fromEntries(given) };
  const child = spawnWorker(settings, ["ignore", "pipe", "pipe"]);
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      output += chunk;
    });
  return child;
}

/** As a page does that shows the turn: only then are words rung at all. */
function listenTo(agent_turn_id: string): { leave: () => void; listening: Promise<void> } {
  const leaving = new AbortController();
  const listen = async (): Promise<void> => {
    const caller = createCaller({ kernel, user: "ann" }, { signal: leaving.signal });
    for await (const piece of await caller.turn.thinking({ project_id: P, agent_turn_id })) heard.push(piece.text);
  };
  return { leave: () => leaving.abort(), listening: listen() };
}

/** Every way in which a key may be written. */
const spellings = keys.flatMap((key) => [
  key,
  encodeURIComponent(key),
  JSON.stringify(key).slice(1, -1),
  Buffer.from(key).toString("hex"),
  Buffer.from(key).toString("base64").replace(/=+$/, ""),
]);
const leaksIn = (text: string): string[] => spellings.filter((spelling) => text.includes(spelling));

describe("a worker that has keys", () => {
  test("sends them to their own providers, and the turns come to what they must", () => {
    for (const [provider, { requests }] of servers) {
      expect(requests.length, provider).toBeGreaterThanOrEqual(6);
      for (const { headers, bytes } of requests) {
        expect(leaksIn(JSON.stringify(headers)).length).toBeGreaterThan(0);
        expect(leaksIn(bytes.toString())).toEqual([]);
        const others = keys.filter((key) => key !== providers[provider].key);
        for (const other of others) expect(JSON.stringify(headers)).not.toContain(other);
      }
    }
    const ends = turns.map((turn) => [turn.title, turn.status]);
    for (const [title, status] of ends)
      expect([title, status]).toEqual([title, title === "all is well" ? "success" : "failed"]);
    expect(ends).toHaveLength(16);
    // Scrubbed, and not swallowed: the rest of what was said is there.
    for (const turn of turns.filter(({ title }) => title === "the key is refused"))
      expect(turn.error).toMatch(/Incorrect API key provided: \*\*\*.*Set [A-Z_]+ to a key/s);
  });

  test("leaves them in no column of no table", async () => {
    const { rows: columns } = await kernel.db.pool.query<{ place: string; name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS place, column_name AS name FROM information_schema.columns
       JOIN information_schema.tables USING (table_schema, table_name)
       WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    const places = new Set(columns.map(({ place }) => place));
    expect(places).toContain("state.agent_steps");
    expect(places).toContain("public.cards");
    const found: string[] = [];
    // Where a key would stand, if it were not cut out of what providers say and kept out of what they are sent.
    const told: string[] = [];
    let bytes = 0;
    for (const { place, name } of columns) {
      // Bytes come as hexadecimal digits, which is one of the spellings.
      const { rows } = await kernel.db.pool.query<{ text: string }>(
        `SELECT "${name}"::text AS text FROM ${place} WHERE "${name}" IS NOT NULL`,
      );
      const text = rows.map((row) => row.text).join("\n");
      bytes += text.length;
      if (text.includes("Incorrect API key provided: ***")) told.push(`${place}.${name}`);
      if (text.includes(Buffer.from("all is well").toString("hex"))) told.push(`${place}.${name}`);
      for (const leak of leaksIn(text)) found.push(`${place}.${name}: ${leak}`);
    }
    expect(found).toEqual([]);
    expect(told).toEqual(expect.arrayContaining(["state.agent_turns.error", "state.agent_steps.request_bytes"]));
    expect(bytes).toBeGreaterThan(100_000);
  });

  test("and in no line of its log, at the level that tells most", () => {
    expect(output).toContain("the worker is ready");
    expect(leaksIn(output)).toEqual([]);
  });

  test("nor in a frame, nor in a ring", async () => {
    const { frames, cursor } = await createCaller({ kernel, user: "ann" }).graph.snapshot({ project_id: P });
    const { rows } = await kernel.db.pool.query("SELECT frame FROM state.journal");
    expect(rows.length).toBeGreaterThan(100);
    expect(leaksIn(JSON.stringify([frames, unpackFrames(frames), cursor, rows]))).toEqual([]);
    expect(new Set(rung.map((ring) => ring.kind))).toContain("thinking");
    expect(leaksIn(JSON.stringify(rung))).toEqual([]);
    expect(heard.join("")).toContain("well");
    expect(leaksIn(heard.join(""))).toEqual([]);
  });

  test("nor in an answer over REST, whatever is read", { timeout: 120_000 }, async () => {
    const known = await whatIsThere();
    const silent: string[] = [];
    for (const { path: template } of routes.filter(({ method }) => method === "GET")) {
      let answered = 0;
      for (const given of fillings(template, known)) {
        const { status, text } = await get(given, asked[template]);
        expect([given, leaksIn(text)]).toEqual([given, []]);
        if (status < 300) answered++;
      }
      if (answered === 0) silent.push(template);
    }
    // What there is none of in this run.
    expect(
      silent.filter(
        (template) =>
          !/batch|recipe|plan|env|human-requests\/|alarms\/|deletions\/|artifacts|schemas|context-packs|workspaces|\{other\}/.test(
            template,
          ),
      ),
    ).toEqual([]);
  });

  test("nor in an answer to the browser, whatever it asks", { timeout: 120_000 }, async () => {
    const known = await whatIsThere();
    const caller = createCaller({ kernel, user: "ann" });
    const procedures = Object.entries((appRouter as AnyRouter)._def.procedures).filter(
      ([, one]) => (one as AnyProcedure)._def.type === "query",
    );
    const silent: string[] = [];
    for (const [name] of procedures) {
      let answered = 0;
      for (const input of inputsOf(known)) {
        const [room = "", verb = ""] = name.split(".");
        const call = (caller as unknown as ByName)[room]?.[verb];
        if (!call) throw new Error(`${name} cannot be called`);
        const text = await call(input).then(
          (answer) => {
            answered++;
            return JSON.stringify(answer) ?? "";
          },
          (error) => `${error} ${JSON.stringify(error)}`,
        );
        expect([name, leaksIn(text)]).toEqual([name, []]);
      }
      if (answered === 0) silent.push(name);
    }
    expect(
      silent.filter(
        (name) =>
          !/^batch|^debugger\.batch_(prefix|repeats)|^env_data|^plan\.(sheet|graph)|^plan_run|^recipe\.versions|^context_pack\.(get|diff|boxes)/.test(
            name,
          ),
      ),
    ).toEqual([]);
  });
});

type ByName = Record<string, Record<string, (input: unknown) => Promise<unknown>>>;
type Known = { ids: Record<string, string[]>; steps: { agent_turn_id: string; step_id: string }[] };

/** Some of each: what is stored has been read whole, and an answer is made of that. */
const SOME = 8;
const some = <T>(all: T[]): T[] => all.filter((_, i) => i % Math.ceil(all.length / SOME) === 0);

async function whatIsThere(): Promise<Known> {
  const list = async (sql: string): Promise<string[]> =>
    some((await kernel.db.pool.query<{ id: string }>(sql)).rows.map((row) => row.id));
  const { rows } = await kernel.db.pool.query<Known["steps"][number]>(
    "SELECT agent_turn_id, step_id FROM state.agent_steps ORDER BY started_at",
  );
  const steps = some(rows);
  return {
    steps,
    ids: {
      project_id: [P],
      name: Object.keys(providers),
      user: ["ann"],
      kind: [...PERSON_KINDS],
      root_turn_id: await list("SELECT DISTINCT root_turn_id AS id FROM state.agent_turns"),
      agent_turn_id: steps.map((step) => step.agent_turn_id),
      agent_id: await list("SELECT agent_id AS id FROM resource.project_agents ORDER BY 1"),
      card_id: await list("SELECT card_id AS id FROM cards ORDER BY 1"),
      box_id: await list("SELECT box_id AS id FROM card_boxes ORDER BY 1"),
    },
  };
}

function fillings(template: string, { ids }: Known): string[] {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  return names.reduce<string[]>(
    (paths, name) =>
      paths.flatMap((one) => (ids[name] ?? ["none"]).map((id) => one.replace(`{${name}}`, encodeURIComponent(id)))),
    [template],
  );
}

/** What a route must be asked for. */
const asked: Record<string, string> = {
  "/projects/{project_id}/runs/{root_turn_id}/saw-text": "?text=key",
  "/projects/{project_id}/runs/{root_turn_id}/flow/cards": "?from=person:ann&to={root_turn_id}",
  "/projects/{project_id}/runs/{root_turn_id}/as-of": "?at=2100-01-01T00:00:00Z",
  "/projects/{project_id}/runs/{root_turn_id}/bundle": "?redact=0",
  "/projects/{project_id}/runs/{root_turn_id}/report.html": "?redact=0",
};

async function get(template: string, query = ""): Promise<{ status: number; text: string }> {
  const host = `127.0.0.1:${env().PORT}`;
  const leaving = new AbortController();
  // /projects/{project_id}/runs/{root_turn_id}/...
  const given = query.replace("{root_turn_id}", template.split("/")[4] ?? "");
  const request = new Request(`http://${host}/api/v1${template}${given}`, {
    headers: { host },
    signal: leaving.signal,
  });
  const response = await serveRest(kernel, request, template);
  // The journal and the rings have been read whole.
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
    leaving.abort();
    await response.body?.cancel();
    return { status: response.status, text: "" };
  }
  const bytes = Buffer.from(await response.arrayBuffer());
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return { status: response.status, text: (isPacked ? gunzipSync(bytes) : bytes).toString("utf8") };
}

/** One of them fits whatever is asked; the others are refused, and a refusal must hold no key either. */
function inputsOf({ ids, steps }: Known): unknown[] {
  const each = (name: string, more: object = {}) =>
    (ids[name] ?? []).map((id) => ({ project_id: P, [name]: id, ...more }));
  const edges = (ids.root_turn_id ?? []).map((id) => ({ project_id: P, root_turn_id: id, from: "person:ann", to: id }));
  return [
    undefined,
    { project_id: P },
    { project_id: P, limit: 50 },
    { project_id: P, query: "key", limit: 20 },
    { project_id: P, q: "key" },
    { project_id: P, q: "key OR kind:card", limit: 100, facets: true },
    { project_id: P, a: ids.box_id?.[0], b: ids.box_id?.at(-1) },
    { project_id: P, a: ids.root_turn_id?.[0], b: ids.root_turn_id?.at(-1) },
    { project_id: P, text: "key", limit: 20 },
    { project_id: P, agent_ids: ids.agent_id },
    { project_id: P, agent_turn_ids: ids.agent_turn_id },
    { project_id: P, yaml: "name: X" },
    { project_id: P, asked: [{ worker_target: "worker_generic", needs_own_worker: false }] },
    ...each("name"),
    ...each("user"),
    ...PERSON_KINDS.map((kind) => ({ project_id: P, user: "ann", kind })),
    ...each("agent_turn_id"),
    ...(ids.agent_turn_id ?? []).map((root_turn_id) => ({ project_id: P, root_turn_id })),
    ...(ids.root_turn_id ?? []).map((root_turn_id) => ({ project_id: P, root_turn_id, text: "key" })),
    ...each("agent_turn_id", { ordinal: 1 }),
    ...["system", 0].flatMap((part) => steps.map((step) => ({ project_id: P, ...step, part }))),
    ...steps.map((step) => ({ project_id: P, ...step })),
    ...each("agent_id"),
    ...each("agent_id", { limit: 50 }),
    ...each("root_turn_id"),
    ...each("root_turn_id", { text: "key" }),
    ...each("root_turn_id", { at: "2100-01-01T00:00:00Z" }),
    ...edges,
    ...each("card_id"),
    ...each("box_id"),
    ...each("box_id", { from: 0 }),
    ...each("box_id", { positions: [0, 1, 2] }),
    ...each("box_id", { card_id: ids.card_id?.[0] }),
  ];
}
