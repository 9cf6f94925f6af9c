// The primary is killed under load, its synchronous standby takes over behind the same address. Nothing that was acknowledged
// is lost, every turn ends once, and a picture that was open all the time shows what the database has.
// FAILOVER_TURNS=440 npx vitest run --project pg server/failover.pg.test.ts
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { emptyPicture, fold, type Picture } from "@/server/contract/frame";
import { isEnded } from "@/server/contract/turn";
import { openDb } from "@/server/db";
import { createMemoryDoorbell } from "@/server/doorbell/memory-doorbell";
import { onTurnsEnded } from "@/server/kernel/batch/on-turns-ended";
import { isReset } from "@/server/kernel/journal/cursor";
import { createKernel, type Kernel } from "@/server/kernel/kernel";
import { launch } from "@/server/kernel/launch/launch";
import { readSnapshot } from "@/server/kernel/read-models/read-snapshot";
import { streamFrames } from "@/server/kernel/read-models/stream-frames";
import { migrate } from "@/server/migrate";
import { checkInvariants } from "@/server/testing/invariants";
import { seedProject } from "@/server/testing/kernel";
import { type Relay, startRelay } from "@/server/testing/relay";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import { ask, noStandby, type Pair, startPair } from "@/server/testing/standby";
import { scripted, startTestWorker } from "@/server/testing/turns";
import { isAway } from "@/server/worker/until-written";

const P = "moved";
const TURNS = Number(process.env.FAILOVER_TURNS ?? 80);
/** Each is a turn of the person's and one of the agent they set going. */
const LAUNCHES = TURNS / 2;
let dir: string;
let pair: Pair | undefined;
let relay: Relay | undefined;

beforeAll(async () => {
  if (noStandby) return;
  dir = makeScratch();
  pair = await startPair(dir);
  relay = await startRelay(pair.primary);
}, 120_000);
afterAll(async () => {
  await relay?.close();
  await pair?.stop();
  if (dir) await removeScratch(dir);
});

/** As a program asks that keeps its keys: again, under the same action_id, until it is told. */
async function launchAll(kernel: Kernel, acknowledged: string[]): Promise<void> {
  let next = 0;
  const one = async () => {
    for (let n = next++; n < LAUNCHES; n = next++)
      for (let isTold = false; !isTold; ) {
        try {
          const { result } = await launch(kernel, {
            project_id: P,
            tool: "delegate_async",
            user: "ann",
            action_id: `go-${n}`,
            args: { target_strategy: "new", target_ref: "Solo", instruction: "begin" },
          });
          if ("agent_turn_id" in result) acknowledged.push(result.agent_turn_id);
          isTold = true;
        } catch (error) {
          if (!isAway(error)) throw error;
          await sleep(50);
        }
      }
  };
  await Promise.all([one(), one(), one(), one()]);
}

type View = { picture: Picture; resets: number };

/** As a page does: a snapshot, and the frames after it; from the last cursor after a cut, from a snapshot after a reset. */
async function watch(kernel: Kernel, view: View, signal: AbortSignal): Promise<void> {
  let after: string | undefined;
  while (!signal.aborted) {
    try {
      if (after === undefined) {
        const fresh = await readSnapshot(kernel, { project_id: P, root_turn_id: "all" });
        view.picture = fold(emptyPicture(), fresh.frames);
        after = fresh.cursor;
      }
      for await (const frames of streamFrames(kernel, { project_id: P, after, signal })) {
        view.picture = fold(
          view.picture,
          frames.map(({ frame }) => frame),
        );
        after = frames.at(-1)?.cursor ?? after;
      }
    } catch (error) {
      if (isReset(error)) {
        view.resets++;
        after = undefined;
      } else await sleep(50);
    }
  }
}

const endedIn = (picture: Picture): string[] =>
  [...picture.turn.values()]
    .filter((turn) => isEnded(turn.status))
    .map((turn) => `${turn.id} ${turn.status} ${turn.rev}`)
    .sort();

test.skipIf(noStandby)(
  `a primary killed under load: ${TURNS} turns end once on its standby, none of them lost, and the view is right`,
  async () => {
    if (!pair || !relay) throw new Error("there is no pair of servers");
    const url = relay.through(pair.primary.url);
    await migrate(url);
    const kernel = createKernel({
      db: openDb(url, { name: "switchyard-failover" }),
      doorbell: createMemoryDoorbell(),
      onTurnsEnded,
    });
    await seedProject(kernel, P, [scripted("Solo", [{ think: "hm", wait_ms: 20 }, { deliver: "done" }])]);
    const worker = await startTestWorker(kernel, { concurrency: 16 });
    const acknowledged: string[] = [];
    const view: View = { picture: emptyPicture(), resets: 0 };
    const leaving = new AbortController();
    const watching = watch(kernel, view, leaving.signal);
    try {
      const launching = launchAll(kernel, acknowledged);
      while (acknowledged.length < LAUNCHES / 3) await sleep(5);
      const known = [...acknowledged];
      pair.primary.kill();
      relay.cut();
      await sleep(500);
      await pair.promote();
      relay.pointTo(pair.standby.port);
      relay.cut();
      await launching;
      expect(new Set(acknowledged).size).toBe(LAUNCHES);
      const there = await ask(pair.standby.url, "SELECT agent_turn_id AS id FROM state.agent_turns");
      expect(there.map(({ id }) => id)).toEqual(expect.arrayContaining(known));
      const open = async () =>
        (await ask(pair?.standby.url ?? "", "SELECT FROM state.agent_turns WHERE ended_at IS NULL")).length;
      await expect.poll(open, { timeout: 120_000, interval: 200 }).toBe(0);
      const turns = await ask(
        pair.standby.url,
        "SELECT status, count(*)::int AS n, max(attempt)::int AS attempt FROM state.agent_turns GROUP BY 1",
      );
      expect(turns).toMatchObject([{ status: "success", n: TURNS }]);
      expect((await checkInvariants(kernel.db.pool, { when: "settled" })).violations).toEqual([]);
      const now = fold(emptyPicture(), (await readSnapshot(kernel, { project_id: P, root_turn_id: "all" })).frames);
      expect(endedIn(now)).toHaveLength(TURNS);
      await expect.poll(() => endedIn(view.picture), { timeout: 20_000 }).toEqual(endedIn(now));
      expect(view.resets).toBe(1);
      expect(await ask(pair.standby.url, "SELECT reason, timeline FROM state.installation")).toEqual([
        { reason: "promoted", timeline: "00000002" },
      ]);
    } finally {
      leaving.abort();
      await watching;
      await worker.stop();
      await kernel.db.close();
    }
  },
  300_000,
);
