// A run as of then: the fold of its frames at any moment, the snapshot at the last one, and the rows' times where the journal is gone.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { emptyPicture, type Frame, fold } from "@/server/contract/frame";
import { pictureAt } from "@/server/contract/run-history";
import { isEnded } from "@/server/contract/turn";
import { readAsOf } from "@/server/kernel/read-models/read-as-of";
import { readRunHistory } from "@/server/kernel/read-models/read-run-history";
import { readRunWork } from "@/server/kernel/read-models/read-run-work";
import { readSnapshot } from "@/server/kernel/read-models/read-snapshot";
import { isShown } from "@/server/kernel/read-models/told-run-sql";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { inNoTime, startTestWorker } from "@/server/testing/turns";
import { startDemoRun } from "./start-demo-run";

let kernel: TestKernel;
let key = { project_id: "demo", root_turn_id: "" };
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "other");
  const worker = await startTestWorker(kernel, { models: { script: inNoTime } });
  const { root_turn_id } = await startDemoRun(kernel);
  key = { project_id: "demo", root_turn_id };
  await vi.waitFor(
    async () => {
      const { rows } = await kernel.test.pool.query<{ left: number; all: number }>(
        `SELECT count(*)::int AS all, (count(*) FILTER (WHERE ended_at IS NULL))::int AS left FROM state.agent_turns
         WHERE project_id = 'demo' AND root_turn_id = $1`,
        [root_turn_id],
      );
      expect([(rows[0]?.all ?? 0) > 2, rows[0]?.left]).toEqual([true, 0]);
    },
    { timeout: 40_000, interval: 50 },
  );
  await worker.stop();
}, 60_000);
afterAll(() => kernel.close());

const now = () => new Date(Date.now() + 60_000).toISOString();
/** In an order of their own: two reads need not agree on it. */
const sorted = (frames: Iterable<Frame>) =>
  [...frames].toSorted((a, b) => `${a.kind} ${a.id}`.localeCompare(`${b.kind} ${b.id}`));
const ofRun = (frames: readonly Frame[]) =>
  sorted(
    frames.filter(
      (frame) => frame.kind === "rejected_late" || ("root_turn_id" in frame && frame.root_turn_id === key.root_turn_id),
    ),
  );
const told = async () => {
  const { rows } = await kernel.test.pool.query<{ frame: Frame; at: string }>(
    `SELECT frame, created_at AS at FROM state.journal WHERE project_id = 'demo' AND frame ->> 'root_turn_id' = $1
       AND kind NOT IN ('task', 'env_data') ORDER BY created_at, rev`,
    [key.root_turn_id],
  );
  return rows.map(({ frame, at }) => ({ frame, at: Math.floor(new Date(at).getTime()) }));
};

test("at the last moment it is the snapshot", async () => {
  const asOf = await readAsOf(kernel, { ...key, at: now() });
  const snapshot = await readSnapshot(kernel, key);
  expect(asOf.source).toBe("journal");
  expect(sorted(asOf.frames)).toEqual(ofRun(snapshot.frames));
  expect(asOf.shown_turns).toBe(snapshot.shown_turns);
});

test("at any other moment it is the fold of the frames until then", async () => {
  const frames = await told();
  const moments = [...new Set(frames.map(({ at }) => at))];
  expect(moments.length).toBeGreaterThan(8);
  const some = moments.filter((_, i) => i % Math.ceil(moments.length / 6) === 0);
  const seen = new Set<string>();
  for (const at of some) {
    const asOf = await readAsOf(kernel, { ...key, at: new Date(at).toISOString() });
    const picture = fold(
      emptyPicture(),
      frames.filter((one) => one.at <= at).map(({ frame }) => frame),
    );
    expect(sorted(asOf.frames)).toEqual(
      sorted(
        Object.values(picture)
          .flatMap((k) => [...k.values()])
          .filter(isShown),
      ),
    );
    seen.add(`${asOf.shown_turns} ${asOf.frames.length}`);
  }
  expect(seen.size).toBeGreaterThan(2);
});

test("the whole history folds to the same at every moment, and says when work was done", async () => {
  const history = await readRunHistory(kernel, key);
  expect([history.source, history.is_whole]).toEqual(["journal", true]);
  for (const at of [history.frames[3]?.at ?? 0, history.frames.at(-4)?.at ?? 0]) {
    const asOf = await readAsOf(kernel, { ...key, at: new Date(at).toISOString() });
    const picture = pictureAt(emptyPicture(), history.frames, at);
    expect(
      sorted(
        Object.values(picture)
          .flatMap((k) => [...k.values()])
          .filter(isShown),
      ),
    ).toEqual(sorted(asOf.frames));
  }
  const { work } = await readRunWork(kernel, key);
  expect(work?.length).toBeGreaterThan(0);
  for (const [from, to] of work ?? []) expect(to).toBeGreaterThanOrEqual(from);
});

test("before it began there was nothing", async () => {
  const asOf = await readAsOf(kernel, { ...key, at: "2001-01-01T00:00:00Z" });
  expect(asOf).toMatchObject({ source: "journal", frames: [], shown_turns: 0 });
});

test("a run of another project is not found", async () => {
  const wrong = { project_id: "other", root_turn_id: key.root_turn_id };
  await expect(readAsOf(kernel, { ...wrong, at: now() })).rejects.toMatchObject({ code: "not_found" });
  await expect(readRunHistory(kernel, wrong)).rejects.toMatchObject({ code: "not_found" });
  expect((await readRunWork(kernel, wrong)).work).toEqual([]);
});

test("one statement from the journal, and four where the rows must tell", async () => {
  const history = await readRunHistory(kernel, key);
  const at = (ms: number | undefined) => new Date(ms ?? 0).toISOString();
  for (const moment of [at(history.frames[0]?.at), now()])
    expect(await countStatements(kernel, (counting) => readAsOf(counting, { ...key, at: moment }))).toBe(1);
  expect(await countStatements(kernel, (counting) => readRunHistory(counting, key))).toBe(1);
  expect(await countStatements(kernel, (counting) => readRunWork(counting, key))).toBe(1);
});

test("without its frames it is told from the rows' times, and says so", async () => {
  const before = await readRunHistory(kernel, key);
  await kernel.test.pool.query("DELETE FROM state.journal_packs WHERE project_id = 'demo'");
  const last = await readAsOf(kernel, { ...key, at: now() });
  expect([last.source, last.why]).toEqual(["times", "expired"]);
  const snapshot = await readSnapshot(kernel, key);
  expect(sorted(last.frames)).toEqual(ofRun(snapshot.frames));
  const started = before.frames.flatMap(({ frame }) =>
    frame.kind === "turn" && frame.started_at !== undefined ? Date.parse(frame.started_at) : [],
  );
  const middle = await readAsOf(kernel, { ...key, at: new Date(Math.max(...started)).toISOString() });
  const turns = middle.frames.filter((frame) => frame.kind === "turn");
  expect(turns.length).toBeGreaterThan(1);
  for (const turn of turns)
    if (isEnded(turn.status)) expect(Date.parse(turn.ended_at ?? "")).toBeLessThanOrEqual(Math.max(...started));
    else expect([turn.ended_at, turn.deliverable_card_id]).toEqual([undefined, undefined]);
  expect(turns.some((turn) => !isEnded(turn.status))).toBe(true);
  const history = await readRunHistory(kernel, key);
  // What an unfinished turn had written is the beginning of its box, up to a card: nothing that came later, or was not written.
  const { rows } = await kernel.test.pool.query<{ begun: string }>(
    `SELECT concat_ws(' ', t.agent_turn_id, k.start + u.n,
         sum(c.token_count) OVER (PARTITION BY t.agent_turn_id ORDER BY k.start + u.n)) AS begun
     FROM state.agent_turns t JOIN card_box_chunks k ON k.tenant_id = 'demo' AND k.box_id = t.output_box_id
     CROSS JOIN LATERAL unnest(k.card_ids) WITH ORDINALITY AS u(card_id, n)
     JOIN cards c ON c.tenant_id = 'demo' AND c.card_id = u.card_id
     WHERE t.project_id = 'demo' AND t.root_turn_id = $1`,
    [key.root_turn_id],
  );
  const written = (frames: typeof before.frames) =>
    frames.flatMap(({ frame }) =>
      frame.kind === "turn" && !isEnded(frame.status) && frame.output_cards > 0
        ? [`${frame.id} ${frame.output_cards} ${frame.output_tokens}`]
        : [],
    );
  const begun = new Set(rows.map((row) => row.begun));
  const told = written(history.frames);
  for (const one of told) expect(begun).toContain(one);
  // And each that the frames had recorded is among them.
  for (const one of written(before.frames)) expect(told).toContain(one);
  expect([history.source, history.why, history.is_whole]).toEqual(["times", "expired", true]);
  expect(await countStatements(kernel, (counting) => readAsOf(counting, { ...key, at: now() }))).toBe(4);
  expect(await countStatements(kernel, (counting) => readRunHistory(counting, key))).toBe(4);
});
