// Health checks whether writes are confirmed by making one.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { type Relay, startRelay } from "@/server/testing/relay";
import { wireKernel } from "@/server/wire";
import { readHealth } from "../read-models/read-health";
import { watchWrites } from "./watch-writes";

let kernel: TestKernel;
let relay: Relay;
beforeAll(async () => {
  kernel = await openTestKernel();
  relay = await startRelay({ port: Number(new URL(kernel.test.url).port) });
});
afterAll(async () => {
  await relay.close();
  await kernel.close();
});

const soon = { timeout: 20_000, interval: 20 };

test("a write that is not confirmed in time shows, and so does its confirmation", async () => {
  const wired = wireKernel({
    url: relay.through(kernel.test.url),
    name: "switchyard-writes",
    doorbell: kernel.doorbell,
  });
  onTestFinished(() => wired.close());
  const writes = watchWrites(wired, { process: "host-1", everyMs: 30, limitMs: 300 });
  onTestFinished(writes.stop);
  const seen = { ...kernel, writes: writes.state };
  await expect
    .poll(async () => (await kernel.db.pool.query("SELECT process FROM state.write_proofs")).rows, soon)
    .toEqual([{ process: "host-1" }]);
  expect(await readHealth(seen, "1")).toMatchObject({ status: "ok", writes: { status: "ok" } });
  // As with a synchronous standby that is down: the commit is sent, and nothing comes back.
  relay.freeze("open");
  await expect.poll(writes.state, soon).toEqual({ status: "waiting", reason: "unconfirmed" });
  expect(await readHealth(seen, "1")).toMatchObject({ status: "degraded", writes: { status: "waiting" } });
  relay.thaw();
  await expect.poll(writes.state, soon).toEqual({ status: "ok" });
});

test("a server that refuses to write is named, and reads are answered meanwhile", async () => {
  const name = new URL(kernel.test.url).pathname.slice(1);
  await kernel.db.pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  const wired = wireKernel({ url: kernel.test.url, name: "switchyard-readonly", doorbell: kernel.doorbell });
  onTestFinished(() => wired.close());
  const writes = watchWrites(wired, { process: "host-2", everyMs: 30, limitMs: 5_000 });
  onTestFinished(writes.stop);
  await expect.poll(writes.state, soon).toEqual({ status: "waiting", reason: "read_only" });
  const health = await readHealth({ ...wired, writes: writes.state }, "1");
  expect(health).toMatchObject({ status: "degraded", database: { status: "ok" } });
  await kernel.db.pool.query(
    `SET default_transaction_read_only = off; ALTER DATABASE ${name} RESET default_transaction_read_only`,
  );
  await expect.poll(writes.state, soon).toEqual({ status: "ok" });
});

test("a locked table shows: claims and launches fail although our own row could still be written", async () => {
  const wired = wireKernel({ url: kernel.test.url, name: "switchyard-locked", doorbell: kernel.doorbell });
  onTestFinished(() => wired.close());
  const writes = watchWrites(wired, { process: "host-3", everyMs: 30, limitMs: 300 });
  onTestFinished(writes.stop);
  await expect.poll(writes.state, soon).toEqual({ status: "ok" });
  const holder = await kernel.test.pool.connect();
  onTestFinished(() => holder.release(true));
  await holder.query("BEGIN; LOCK TABLE state.agent_turns IN ACCESS EXCLUSIVE MODE");
  await expect.poll(writes.state, soon).toEqual({ status: "waiting", reason: "locked" });
  await holder.query("ROLLBACK");
  await expect.poll(writes.state, soon).toEqual({ status: "ok" });
});

test("a doorbell that receives nothing, and a bus that stores nothing, are reported", async () => {
  const doorbell = { ...kernel.doorbell, isDeaf: () => true, events: () => "unavailable" as const };
  expect(await readHealth({ ...kernel, doorbell }, "1")).toMatchObject({
    status: "degraded",
    doorbell: { status: "deaf" },
    events: "unavailable",
  });
});
