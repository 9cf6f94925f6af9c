// A run is deleted while boxes of others begin with one of its boxes: those keep all of their cards, and nothing else of it stays.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { untilDeleted } from "@/server/testing/deletions";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { launchTurn, scripted, startTestWorker, turnOf, untilTurn } from "@/server/testing/turns";
import { checkDatabase } from "../audit/check-database";
import { appendToBox } from "../cardbox/append-to-box";
import { heldIn } from "../cardbox/held-in";
import { insertCards } from "../cardbox/insert-cards";
import { packContext } from "../context/pack-context";
import { launch } from "../launch/launch";
import { withUnit } from "../unit";
import { deleteRun } from "./delete-run";
import { purgeRun } from "./purge-run";

let kernel: TestKernel;
const P = "lent";
const { ok, refused } = restOf(() => kernel);
const at = (path: string) => `/projects/${P}${path}`;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [scripted("Echo", [{ deliver: "done: {instruction}" }])]);
});
afterAll(() => kernel.close());

const sql = async (text: string, values: unknown[] = []) => (await kernel.db.pool.query(text, [P, ...values])).rows;
const baseOf = async (box_id: string) =>
  (await sql("SELECT base_box, base_len FROM card_boxes WHERE tenant_id = $1 AND box_id = $2", [box_id]))[0];
const gone = async (run: { root_turn_id: string }, purgeRowsMax = kernel.tunables.purgeRowsMax) => {
  const few: TestKernel = { ...kernel, tunables: { ...kernel.tunables, purgeRowsMax } };
  const input = { project_id: P, root_turn_id: run.root_turn_id, by: "human_ann", reason: "" };
  const { deletion_id } = await deleteRun(few, input);
  return (await untilDeleted(few, { project_id: P, deletion_id })).counts;
};
const faults = async () => {
  const found = [];
  for await (const checked of checkDatabase(kernel)) found.push(...checked.findings);
  return found;
};
const cardsIn = (box_id: string) => ok("GET", at(`/boxes/${box_id}/cards?limit=500`));
const idsIn = async (box_id: string): Promise<string[]> => (await ok("GET", at(`/boxes/${box_id}`))).card_ids;
const stored = async (word: string) =>
  (await sql("SELECT card_id FROM cards WHERE tenant_id = $1 AND content::text LIKE '%' || $2 || '%'", [word])).length;

async function ended(agent_turn_id: string) {
  const worker = await startTestWorker(kernel);
  onTestFinished(() => worker.stop());
  const turn = await untilTurn(kernel, P, agent_turn_id);
  await worker.stop();
  return turn;
}

let words = 0;
/** A run whose output box has `more` cards besides its own, and is then handed over whole to a run of its own. */
async function lent(more: number) {
  const word = `nutmeg${++words}x`;
  const first = await launchTurn(kernel, P, { target: "Echo", instruction: `the word is ${word}` });
  const giver = await ended(first.agent_turn_id);
  const box_id = giver.output_box_id ?? "";
  await withUnit(kernel, async (unit) => {
    const drafts = Array.from({ length: more }, (_, i) => ({
      type: "agent.thought",
      content: `${word} ${i}`,
      author_id: "me",
      metadata: { agent_turn_id: giver.agent_turn_id },
    }));
    const cards = await insertCards(unit, { project_id: P, cards: drafts });
    await appendToBox(unit, { project_id: P, box_id, items: cards.map((card) => ({ ...card, origin: "given" })) });
  });
  const args = { target_strategy: "new", target_ref: "Echo", instruction: "go on", context_box_id: box_id };
  const { result } = await launch(kernel, { project_id: P, user: "ann", tool: "delegate_async", args });
  if (!("agent_turn_id" in result)) throw new Error("no turn was launched");
  const taker = await turnOf(kernel, P, result.agent_turn_id);
  return { word, giver, box_id, taker };
}

test.each([1_000, 30])(
  "the giver's run goes, %i rows at a time: the taker reads the same, and works on",
  async (rows) => {
    const { word, giver, box_id, taker } = await lent(150);
    const length = (await idsIn(box_id)).length;
    expect(await baseOf(taker.context_box_id)).toEqual({ base_box: box_id, base_len: length });
    // What is appended later is not the taker's.
    await withUnit(kernel, async (unit) => {
      const cards = await insertCards(unit, {
        project_id: P,
        cards: [{ type: "agent.thought", content: `${word} late`, author_id: "me" }],
      });
      await appendToBox(unit, { project_id: P, box_id, items: cards.map((card) => ({ ...card, origin: "given" })) });
    });
    const before = await cardsIn(taker.context_box_id);
    const holds = await ok("GET", at(`/runs/${giver.root_turn_id}/holds`));
    expect(holds.shared).toMatchObject([{ root_turn_id: taker.root_turn_id, cards: length }]);
    const counts = await gone(giver, rows);
    expect(counts.cards_kept).toBeGreaterThanOrEqual(length);
    expect(await baseOf(taker.context_box_id)).toEqual({ base_box: null, base_len: null });
    expect(await cardsIn(taker.context_box_id)).toEqual(before);
    expect(await refused("GET", at(`/boxes/${box_id}`))).toMatchObject({ status: 404 });
    expect(await stored(`${word} late`)).toBe(0);
    expect(await stored(`the word is ${word}`)).toBe(1);
    expect(await faults()).toEqual([]);
    expect(await ended(taker.agent_turn_id)).toMatchObject({ status: "success" });
    // With the last that holds them, they go.
    await gone(taker, rows);
    expect(await stored(word)).toBe(0);
    expect(
      await sql("SELECT 1 FROM box_chunks k WHERE k.tenant_id = $1 AND k.box_id = ANY ($2)", [
        [box_id, taker.context_box_id],
      ]),
    ).toEqual([]);
  },
);

test("the taker's run goes: the giver has its cards, and they count as kept", async () => {
  const { giver, box_id, taker } = await lent(70);
  await ended(taker.agent_turn_id);
  const before = await cardsIn(box_id);
  const counts = await gone(taker);
  expect(counts.cards_kept).toBeGreaterThanOrEqual(before.length);
  expect(await cardsIn(box_id)).toEqual(before);
  expect(await faults()).toEqual([]);
  await gone(giver);
});

const handed = async (context_box_id: string) => {
  const args = { target_strategy: "new", target_ref: "Echo", instruction: "go on", context_box_id };
  const { result } = await launch(kernel, { project_id: P, user: "ann", tool: "delegate_async", args });
  if (!("agent_turn_id" in result)) throw new Error("no turn was launched");
  return turnOf(kernel, P, result.agent_turn_id);
};

test("the run in the middle goes: who begins with its box, which begins with another one, reads the same after each unit", async () => {
  const { box_id, taker } = await lent(200);
  await ended(taker.agent_turn_id);
  const packed = await withUnit(kernel, (unit) =>
    packContext(unit, {
      project_id: P,
      source_agent_id: "human_ann",
      owner_turn_id: taker.agent_turn_id,
      tool_suffix: "test",
      arguments: { profile_name: "Echo", box: box_id, note: "its own" },
      handover: {
        context_packing_config: {
          inherit_context: { include_parent: false, include_boxes_from_args: ["box"] },
          pack_arguments: [{ arg_key: "note", as_card_type: "task.context" }],
          order: "inherited_first",
        },
      },
    }),
  );
  const middle = packed.context_box_id ?? "";
  const last = await handed(middle);
  const lengths = [(await idsIn(box_id)).length, (await idsIn(middle)).length];
  expect(await baseOf(middle)).toEqual({ base_box: box_id, base_len: lengths[0] });
  expect(await baseOf(last.context_box_id)).toEqual({ base_box: middle, base_len: lengths[1] });
  expect(lengths[1]).toBeGreaterThan(lengths[0] ?? 0);
  const chunks = () =>
    sql("SELECT n, start, card_ids, tokens FROM card_box_chunks WHERE tenant_id = $1 AND box_id = $2 ORDER BY n", [
      last.context_box_id,
    ]);
  const held = async () =>
    (
      await sql(`SELECT h.n FROM ${heldIn("$2::text[]")} h WHERE h.box_id = $3 ORDER BY 1`, [
        await idsIn(box_id),
        last.context_box_id,
      ])
    ).map((row) => row.n);
  const before = { chunks: await chunks(), held: await held(), cards: await cardsIn(last.context_box_id) };
  const bases = new Set<number | null>();
  let isReading = false;
  const watched: TestKernel = {
    ...kernel,
    tunables: { ...kernel.tunables, purgeRowsMax: 20, purgeTickMs: 20_000 },
    probe: async (point) => {
      if (point !== "after-commit" || isReading) return;
      isReading = true;
      bases.add((await baseOf(last.context_box_id))?.base_len);
      expect({ chunks: await chunks(), held: await held(), cards: await cardsIn(last.context_box_id) }).toEqual(before);
      // A base that is longer than what is left to the box above it is no fault.
      expect(await faults()).toEqual([]);
      isReading = false;
    },
  };
  const input = { project_id: P, root_turn_id: taker.root_turn_id, by: "human_ann", reason: "" };
  expect((await deleteRun(watched, input)).ended_at).toBeDefined();
  // It was laid in several units, and for a while named less than its base does.
  expect([...bases]).toEqual(expect.arrayContaining([lengths[1], 192, 128, 64, null]));
  expect(await ended(last.agent_turn_id)).toMatchObject({ status: "success" });
});

test("what is named and not stored stops the deletion, and the box keeps its base", async () => {
  const { giver, box_id, taker } = await lent(150);
  const base = await baseOf(taker.context_box_id);
  await sql("UPDATE box_chunks SET box_id = box_id || ' away' WHERE tenant_id = $1 AND box_id = $2 AND n = 1", [
    box_id,
  ]);
  const input = { project_id: P, root_turn_id: giver.root_turn_id, by: "human_ann", reason: "" };
  // However slow the machine is, it gets as far as laying.
  const patient = { ...kernel, tunables: { ...kernel.tunables, purgeTickMs: 20_000 } };
  await expect(deleteRun(patient, input)).rejects.toThrow(`box ${taker.context_box_id} of project ${P} names`);
  expect(await baseOf(taker.context_box_id)).toEqual(base);
  const [{ deletion_id, phase }] = await sql(
    "SELECT deletion_id, phase FROM state.deletions WHERE project_id = $1 AND subject_id = $2",
    [giver.root_turn_id],
  );
  expect(phase).toBe("lay");
  await sql("UPDATE box_chunks SET box_id = $2 WHERE tenant_id = $1 AND box_id = $2 || ' away'", [box_id]);
  expect(await purgeRun(kernel, { project_id: P, deletion_id, untilMs: Number.POSITIVE_INFINITY })).toBe(true);
  await ended(taker.agent_turn_id);
});

test("messages that a turn had in earlier versions go with it, those of its take-overs too", async () => {
  const { giver, taker } = await lent(0);
  await ended(taker.agent_turn_id);
  const { agent_turn_id, agent_id } = giver;
  await sql("UPDATE state.agent_turns SET turn_epoch = 3 WHERE project_id = $1 AND agent_turn_id = $2", [
    agent_turn_id,
  ]);
  await sql(
    `INSERT INTO state.inbox_messages (project_id, inbox_id, agent_id, message_type, correlation_id, agent_turn_id, worker_target, status)
     SELECT $1, 'inbox_' || x.id, $3, 'turn', x.id, x.turn, 'w', 'consumed'
     FROM (SELECT $2 || '.' || e AS id, $2 AS turn FROM generate_series(1, 3) e UNION ALL VALUES ($2, $2), ($4 || '.1', $4)) x`,
    [agent_turn_id, agent_id, taker.agent_turn_id],
  );
  await gone(giver, 30);
  const left = "SELECT correlation_id FROM state.inbox_messages WHERE project_id = $1 AND message_type = 'turn'";
  expect(await sql(left)).toEqual([{ correlation_id: `${taker.agent_turn_id}.1` }]);
  await gone(taker);
  expect(await sql(left)).toEqual([]);
});

test("both go, one step of each in turn: nothing of either is left, and a box that began with both has all cards", async () => {
  const { word, giver, box_id, taker } = await lent(70);
  await ended(taker.agent_turn_id);
  const handOver = (box: string) =>
    withUnit(kernel, (unit) =>
      packContext(unit, {
        project_id: P,
        source_agent_id: "human_ann",
        tool_suffix: "test",
        arguments: { profile_name: "Echo", box },
        handover: {
          context_packing_config: { inherit_context: { include_boxes_from_args: ["box"] }, order: "inherited_first" },
        },
      }),
    );
  // A box of nobody's that names the taker's output, which names nothing, and one that names the giver's.
  const heirs = [await handOver(box_id), await handOver(taker.output_box_id ?? "")];
  const heir = await handOver(heirs[0]?.context_box_id ?? "");
  const boxes = [...heirs, heir].map((packed) => packed.context_box_id ?? "");
  const before = await Promise.all(boxes.map(cardsIn));
  const begin = (run: { root_turn_id: string }) =>
    deleteRun(
      { ...kernel, tunables: { ...kernel.tunables, purgeTickMs: 0, purgeRowsMax: 20 } },
      { project_id: P, root_turn_id: run.root_turn_id, by: "human_ann", reason: "" },
    );
  const records = [await begin(giver), await begin(taker)];
  const few = { ...kernel, tunables: { ...kernel.tunables, purgeRowsMax: 20 } };
  await Promise.all(records.map(({ deletion_id }) => untilDeleted(few, { project_id: P, deletion_id })));
  expect(await Promise.all(boxes.map(cardsIn))).toEqual(before);
  expect(await sql("SELECT 1 FROM card_boxes WHERE tenant_id = $1 AND deletion_id IS NOT NULL")).toEqual([]);
  expect(
    await sql(
      "SELECT k.box_id FROM box_chunks k WHERE k.tenant_id = $1 AND NOT EXISTS (SELECT 1 FROM card_boxes b WHERE b.tenant_id = $1 AND b.box_id = k.box_id)",
    ),
  ).toEqual([]);
  expect(await faults()).toEqual([]);
  expect(await stored(`${word} 3`)).toBeGreaterThan(0);
});

test("who packs by name from a box that is closed meanwhile has all of its cards", async () => {
  const { giver, box_id, taker } = await lent(10);
  await ended(taker.agent_turn_id);
  let go = () => {};
  const gate = new Promise<void>((next) => {
    go = next;
  });
  let hasRead = () => {};
  const read = new Promise<void>((next) => {
    hasRead = next;
  });
  const slow: TestKernel = {
    ...kernel,
    probe: async (point) => {
      if (point !== "before-commit") return;
      hasRead();
      await gate;
    },
  };
  const packed = withUnit(slow, (unit) =>
    packContext(unit, {
      project_id: P,
      source_agent_id: "human_ann",
      tool_suffix: "test",
      arguments: { profile_name: "Echo", box: box_id },
      handover: {
        context_packing_config: { inherit_context: { include_boxes_from_args: ["box"] }, order: "inherited_first" },
      },
    }),
  );
  await read;
  const ids = await idsIn(box_id);
  const input = { project_id: P, root_turn_id: giver.root_turn_id, by: "human_ann", reason: "" };
  const { deletion_id } = await deleteRun(kernel, input);
  go();
  const { context_box_id = "" } = await packed;
  await untilDeleted(kernel, { project_id: P, deletion_id });
  expect(await idsIn(context_box_id)).toEqual(ids);
  expect(await baseOf(context_box_id)).toEqual({ base_box: null, base_len: null });
});
