// The bus as it is: a real nats-server that is there, goes away, comes back, asks for a password or a certificate.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { Doorbell, Kernel, Ring } from "@/server/kernel/kernel";
import { createKernel } from "@/server/kernel/kernel";
import { tunables } from "@/server/kernel/tunables";
import { log } from "@/server/log";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { isNatsMissing, type NatsServer, type NatsServerInput, startNats } from "@/server/testing/nats";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import { framesOf, launchTurn, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import { createNatsDoorbell } from "./nats-doorbell";
import type { NatsSettings } from "./nats-options";

const isMissing = isNatsMissing();
const P = "p1";
const trace_id = "0af7651916cd43dd8448eb211c80319c";
const wakeup = { kind: "wakeup", project_id: P, worker_target: "w.1" } as const;
let kernel: TestKernel;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    scripted("Solo", [{ think: "x" }, { deliver: "{instruction}" }], { worker_target: "solo" }),
  ]);
  return () => kernel.close();
});
afterEach(() => vi.restoreAllMocks());

async function serve(input: NatsServerInput = {}): Promise<NatsServer> {
  const server = await startNats(input);
  onTestFinished(() => server.stop());
  return server;
}

/** Not waited for: it connects when it can. */
function bell(settings: NatsSettings): Doorbell {
  const doorbell = createNatsDoorbell({ settings, name: "test", askMs: 50 });
  onTestFinished(() => doorbell.close());
  return doorbell;
}

async function connected(settings: NatsSettings): Promise<Doorbell> {
  const doorbell = bell(settings);
  await until("connected", () => doorbell.isConnected());
  return doorbell;
}

async function until(what: string, isSo: () => unknown, timeoutMs = 15_000): Promise<void> {
  for (const end = Date.now() + timeoutMs; !(await isSo()); await new Promise((done) => setTimeout(done, 20)))
    if (Date.now() > end) throw new Error(`not ${what} in ${timeoutMs} ms`);
}

async function heardBy(doorbell: Doorbell): Promise<Ring[]> {
  const heard: Ring[] = [];
  await doorbell.listen((ring) => heard.push(ring));
  return heard;
}

/** The warnings so far, as one text. */
function warnings(): () => string {
  const warn = vi.spyOn(log(), "warn");
  return () => JSON.stringify(warn.mock.calls);
}

const withBell = (doorbell: Doorbell, pollMs: number): Kernel =>
  createKernel({ ...kernel, doorbell, tunables: { ...tunables, pollMs } });

async function look(server: NatsServer): Promise<NatsConnection> {
  const connection = await connect({ servers: `127.0.0.1:${server.port}` });
  onTestFinished(() => connection.close());
  return connection;
}

/** Everything that JetStream keeps under a subject, in order. */
async function kept(server: NatsServer, stream: string, filter_subjects: string) {
  const connection = await look(server);
  const consumer = await jetstream(connection).consumers.get(stream, { filter_subjects });
  const messages = [];
  for await (const message of await consumer.fetch({ max_messages: 1_000, expires: 1_000 })) {
    const headers = Object.fromEntries((message.headers?.keys() ?? []).map((key) => [key, message.headers?.get(key)]));
    messages.push({ subject: message.subject, headers, text: message.string() });
  }
  return messages;
}

test.skipIf(isMissing)("rings travel between processes, and wakeups name their target", async () => {
  const server = await serve();
  const [web, worker] = [await connected({ url: server.url }), await connected({ url: server.url })];
  const [heard, heardToo] = [await heardBy(web), await heardBy(worker)];
  await web.ring([wakeup, { kind: "journal", project_id: P }]);
  const rings = [
    { ...wakeup, channel: "public" },
    { kind: "journal", project_id: P },
  ];
  await until("heard", () => heard.length === 2 && heardToo.length === 2);
  expect(heardToo).toEqual(rings);
  expect(web.kind).toBe("nats");
});

test.skipIf(isMissing)("what a model says travels to whoever asked, and JetStream keeps none of it", async () => {
  const server = await serve();
  const [web, worker] = [await connected({ url: server.url }), await connected({ url: server.url })];
  const heard = await heardBy(web);
  const of = { project_id: P, channel: "public", agent_turn_id: "t" };
  const piece = { turn_epoch: 1, step_id: "s", seq: 0, round: 0, part: "text", offset: 0, is_over: false } as const;
  const rings: Ring[] = [
    { kind: "watch", ...of, wants_all: true },
    { kind: "thinking", ...of, ...piece, text: "words" },
    { kind: "lease", ...of },
  ];
  await worker.ring(rings);
  await until("heard", () => heard.length === rings.length);
  // Subjects of their own keep no order among one another.
  expect(heard).toEqual(expect.arrayContaining(rings));
  const manager = await jetstreamManager(await look(server));
  for await (const stream of manager.streams.list()) expect(stream.state.messages).toBe(0);
});

test.skipIf(isMissing)("who stops listening hears no more; a closed one is not connected", async () => {
  const server = await serve();
  const doorbell = await connected({ url: server.url });
  const heard: Ring[] = [];
  const stop = await doorbell.listen((ring) => heard.push(ring));
  const others = await heardBy(doorbell);
  await stop();
  await doorbell.ring([wakeup]);
  await until("heard by the other", () => others.length === 1);
  expect(heard).toEqual([]);
  await doorbell.close();
  expect(doorbell.isConnected()).toBe(false);
  await doorbell.ring([wakeup]);
});

test.skipIf(isMissing)("what was rung just before the close is still sent", async () => {
  const server = await serve();
  const heard = await heardBy(await connected({ url: server.url }));
  const brief = await connected({ url: server.url });
  await brief.ring([wakeup]);
  await brief.close();
  await until("heard", () => heard.length === 1);
});

test.skipIf(isMissing)("a worker that hardly ever polls is woken", async () => {
  const server = await serve();
  const worker = await startTestWorker(withBell(await connected({ url: server.url }), 600_000), { targets: ["solo"] });
  const { agent_turn_id } = await launchTurn(withBell(await connected({ url: server.url }), 600_000), P, {
    target: "Solo",
  });
  expect((await untilTurn(kernel, P, agent_turn_id, "ended", 10_000)).status).toBe("success");
  await worker.stop();
});

test.skipIf(isMissing)("the events of a turn are kept by JetStream: pointers, no words", async () => {
  const server = await serve();
  const ringing = withBell(await connected({ url: server.url }), 100);
  const worker = await startTestWorker(ringing, { targets: ["solo"] });
  const launched = await launchTurn(ringing, P, { target: "Solo", instruction: "the secret of the mill" });
  const turn = await untilTurn(kernel, P, launched.agent_turn_id);
  await worker.stop();
  const place = `cg.v1r4.${P}.public.evt.agent.${launched.agent_id}`;
  await until("kept", async () => (await kept(server, "switchyard_events", `${place}.task`)).length === 1);
  const events = await kept(server, "switchyard_events", `${place}.>`);
  const bodies = events.map((event) => ({ event: event.subject.split(".").at(-1), ...JSON.parse(event.text) }));
  expect(bodies.filter((body) => body.event === "task")).toEqual([
    {
      event: "task",
      agent_id: launched.agent_id,
      agent_turn_id: launched.agent_turn_id,
      turn_epoch: 1,
      status: "success",
      rev: turn.rev,
      output_box_id: turn.output_box_id,
      deliverable_card_id: turn.deliverable_card_id,
    },
  ]);
  const states = bodies.filter((body) => body.event === "state");
  expect([...new Set(states.map((body) => body.status))]).toEqual(["dispatched", "running", "success"]);
  const steps = bodies.filter((body) => body.event === "step");
  expect(steps.map((body) => body.status)).toEqual(["started", "completed", "started", "completed"]);
  expect(new Set(steps.map((body) => body.step_id)).size).toBe(2);
  const frames = (await framesOf(kernel, P, "turn")).filter((frame) => frame.id === turn.agent_turn_id);
  for (const state of states) expect(frames.map((frame) => frame.rev)).toContain(state.rev);
  expect(JSON.stringify(events)).not.toContain("secret");
  for (const event of events) {
    expect(event.headers.traceparent).toContain(turn.trace_id);
    expect(Object.keys(event.headers).sort()).toEqual(["Nats-Msg-Id", "traceparent"]);
  }
});

test.skipIf(isMissing)("a command is kept for its tool service, once, however often it is sent", async () => {
  const server = await serve();
  const doorbell = await connected({ url: server.url });
  const command: Ring = {
    kind: "command",
    project_id: P,
    target_subject: "cmd.tool.word_count",
    agent_id: "a",
    agent_turn_id: "t",
    turn_epoch: 1,
    step_id: "s",
    tool_call_id: "tc_1",
    tool_name: "word_count",
    tool_call_card_id: "card",
    after_execution: "suspend",
    recursion_depth: 1,
    trace_id,
  };
  const said = warnings();
  await doorbell.ring([command, { ...command }, { ...command, tool_call_id: "tc_2" }]);
  await doorbell.ring([{ ...command, tool_call_id: "tc_3", target_subject: "cg.v1r4.p2.public.cmd.tool.word_count" }]);
  const subject = `cg.v1r4.${P}.public.cmd.tool.word_count`;
  await until("kept", async () => (await kept(server, "switchyard_commands", subject)).length === 2);
  const [first] = await kept(server, "switchyard_commands", "cg.v1r4.>");
  expect(first?.headers).toMatchObject({ "CG-Tool-Call-Id": "tc_1", "CG-Recursion-Depth": "1" });
  expect((await kept(server, "switchyard_commands", "cg.v1r4.>")).length).toBe(2);
  expect(said()).toContain("a command's subject is outside its project");
});

test.skipIf(isMissing)("killed and back: nothing is lost, polling bridges the gap, rings are heard again", async () => {
  const server = await serve();
  const said = warnings();
  const info = vi.spyOn(log(), "info");
  const doorbell = await connected({ url: server.url });
  const ringing = withBell(doorbell, 100);
  const heard = await heardBy(doorbell);
  const worker = await startTestWorker(ringing, { targets: ["solo"] });
  const before = await launchTurn(ringing, P, { target: "Solo" });
  await untilTurn(kernel, P, before.agent_turn_id);
  await server.kill9();
  const during = [];
  for (let i = 0; i < 5; i++) during.push(await launchTurn(ringing, P, { target: "Solo", instruction: `n${i}` }));
  for (const { agent_turn_id } of during) expect((await untilTurn(kernel, P, agent_turn_id)).status).toBe("success");
  await until("away", () => !doorbell.isConnected());
  expect(said().match(/NATS is not reachable/g)).toHaveLength(1);
  await server.restart();
  await until("back", () => doorbell.isConnected());
  expect(JSON.stringify(info.mock.calls)).toContain("connected to NATS again");
  heard.length = 0;
  await doorbell.ring([wakeup]);
  await until("heard", () => heard.length > 0);
  const after = await launchTurn(ringing, P, { target: "Solo" });
  expect((await untilTurn(kernel, P, after.agent_turn_id)).status).toBe("success");
  await worker.stop();
  // The stream outlived its server, and goes on.
  const ended = (turn: { agent_id: string }) => `cg.v1r4.${P}.public.evt.agent.${turn.agent_id}.task`;
  expect(await kept(server, "switchyard_events", ended(before))).toHaveLength(1);
  expect(await kept(server, "switchyard_events", ended(after))).toHaveLength(1);
  const tasks = (await framesOf(kernel, P, "task")).map((frame) => frame.id);
  for (const { agent_turn_id } of [before, ...during, after])
    expect(tasks.filter((id) => id === agent_turn_id)).toHaveLength(1);
});

test.skipIf(isMissing)("a bus that is not there at the start is found when it comes", async () => {
  const server = await serve();
  await server.kill9();
  const said = warnings();
  const doorbell = bell({ url: server.url });
  const heard = await heardBy(doorbell);
  await doorbell.ring([wakeup]);
  await until("said", () => said().includes("NATS is not reachable"));
  await server.restart();
  await until("connected", () => doorbell.isConnected());
  await doorbell.ring([wakeup]);
  await until("heard", () => heard.length > 0);
});

test.skipIf(isMissing)("of several servers any one will do", async () => {
  const server = await serve();
  const gone = await serve();
  await gone.kill9();
  await connected({ url: `${gone.url},${server.url}` });
});

test.skipIf(isMissing)("name and password, or a token, come from the address", async () => {
  const byName = await serve({ args: ["--user", "yard", "--pass", "p@ss/w:rd"] });
  await connected({ url: `nats://yard:${encodeURIComponent("p@ss/w:rd")}@127.0.0.1:${byName.port}` });
  const byToken = await serve({ args: ["--auth", "s3cret"] });
  await connected({ url: `nats://s3cret@127.0.0.1:${byToken.port}` });
});

test.skipIf(isMissing)("wrong credentials are told in one clear line without them, and polling goes on", async () => {
  const server = await serve({ args: ["--user", "yard", "--pass", "right"] });
  const said = warnings();
  const doorbell = bell({ url: `nats://yard:wr0ng@127.0.0.1:${server.port}` });
  const polling = withBell(doorbell, 100);
  const worker = await startTestWorker(polling, { targets: ["solo"] });
  await until("said", () => said().includes("NATS refused the credentials: check NATS_URL"));
  const { agent_turn_id } = await launchTurn(polling, P, { target: "Solo" });
  expect((await untilTurn(kernel, P, agent_turn_id)).status).toBe("success");
  await worker.stop();
  expect(doorbell.isConnected()).toBe(false);
  expect(said().match(/NATS refused/g)).toHaveLength(1);
  expect(said()).not.toContain("wr0ng");
});

test.skipIf(isMissing)("TLS with an authority of one's own", async () => {
  const dir = makeScratch();
  onTestFinished(() => removeScratch(dir));
  const [key, cert] = [path.join(dir, "key.pem"), path.join(dir, "cert.pem")];
  const names = "subjectAltName=IP:127.0.0.1,DNS:localhost";
  const made = ["-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=yard"];
  execFileSync("openssl", ["req", "-x509", ...made, "-addext", names], { stdio: "ignore" });
  expect(fs.existsSync(cert)).toBe(true);
  const server = await serve({ args: ["--tls", "--tlscert", cert, "--tlskey", key] });
  const heard = await heardBy(await connected({ url: `tls://127.0.0.1:${server.port}`, ca: cert }));
  await (await connected({ url: `tls://localhost:${server.port}`, ca: cert })).ring([wakeup]);
  await until("heard", () => heard.length > 0);
  const said = warnings();
  const distrustful = bell({ url: `tls://127.0.0.1:${server.port}` });
  await until("said", () => said().includes("no secure connection to NATS: check NATS_CA"));
  expect(distrustful.isConnected()).toBe(false);
});

test.skipIf(isMissing)("a stream that somebody has made otherwise is left alone and told of", async () => {
  const server = await serve();
  const manager = await jetstreamManager(await look(server));
  await manager.streams.add({ name: "switchyard_events", subjects: ["cg.v1r4.*.*.evt.agent.*.task"] });
  const said = warnings();
  await connected({ url: server.url });
  expect(said()).toContain("a stream of this name has other subjects");
  expect((await manager.streams.info("switchyard_events")).config.subjects).toEqual(["cg.v1r4.*.*.evt.agent.*.task"]);
  expect((await manager.streams.info("switchyard_commands")).config).toMatchObject({ max_bytes: 64 * 1_048_576 });
});

test.skipIf(isMissing)("a stream that is gone is said, though the bus is there, and so is its return", async () => {
  const server = await serve();
  const manager = await jetstreamManager(await look(server));
  const doorbell = await connected({ url: server.url });
  expect(doorbell.events?.()).toBe("ok");
  const { config } = await manager.streams.info("switchyard_events");
  await manager.streams.delete("switchyard_events");
  await until("told", () => doorbell.events?.() === "unavailable");
  expect(doorbell.isConnected()).toBe(true);
  await manager.streams.add(config);
  await until("back", () => doorbell.events?.() === "ok");
});

test.skipIf(isMissing)("without JetStream the bell rings all the same", async () => {
  const server = await serve({ withoutJetStream: true });
  const said = warnings();
  const doorbell = await connected({ url: server.url });
  expect(said()).toContain("JetStream is not available");
  expect(doorbell.events?.()).toBe("unavailable");
  const heard = await heardBy(doorbell);
  await doorbell.ring([wakeup]);
  await until("heard", () => heard.length === 1);
});
