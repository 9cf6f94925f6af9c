// What a hand-over of 10, 1,000 or 10,000 cards costs: `npx tsx bench/pack.ts`. The same run measures a plain copy of the
// box's chunks by INSERT ... SELECT, so that the ratio holds on a slow machine, and the same box card by card. A process remembers the hash of a long
// box that it has handed over; "for the first time" is without that memory.
import { appendToBox } from "@/server/kernel/cardbox/append-to-box";
import { createBoxes } from "@/server/kernel/cardbox/create-boxes";
import { insertCards } from "@/server/kernel/cardbox/insert-cards";
import { packContexts } from "@/server/kernel/context/pack-context";
import { createHashedBoxes } from "@/server/kernel/hashed-boxes";
import { createProject } from "@/server/kernel/roster/create-project";
import { parseProfile } from "@/server/kernel/roster/parse-profile";
import { saveProfile } from "@/server/kernel/roster/save-profile";
import { type Unit, withUnit } from "@/server/kernel/unit";
import { spread, withBenchKernel } from "./bench-kernel";

const project_id = "bench";

const COPY = `
  WITH box AS (
    INSERT INTO card_boxes (tenant_id, box_id, kind, length, token_sum, consist)
    SELECT tenant_id, $3, 'context', length, token_sum, consist FROM card_boxes WHERE tenant_id = $1 AND box_id = $2
  )
  INSERT INTO box_chunks (tenant_id, box_id, n, start, card_ids, origins, tokens)
  SELECT tenant_id, $3, n, start, card_ids, origins, tokens FROM card_box_chunks WHERE tenant_id = $1 AND box_id = $2`;

await withBenchKernel(async ({ kernel }) => {
  const unit = <T>(work: (unit: Unit) => Promise<T>) => withUnit(kernel, work);
  await createProject(kernel, { project_id, title: "bench" });
  await unit((u) => saveProfile(u, { project_id, author_id: "bench", profile: parseProfile({ name: "Receiver" }) }));
  for (const [cards, rounds] of [
    [10, 400],
    [1_000, 200],
    [10_000, 60],
  ] as const) {
    const box = await fill(unit, cards);
    const grown = await fill(unit, cards, cards / 2);
    // As autovacuum leaves a store that is in use.
    await kernel.db.pool.query("VACUUM ANALYZE");
    const pack = (from: string, inherit: object = {}, with_card_ids = false) =>
      unit(async (u) => {
        const { items, ...common } = handOver(from, inherit);
        await packContexts(u, { ...common, items, with_card_ids });
        return u.statements();
      });
    const copy = () =>
      unit(async (u) => {
        await u.query("bench_copy", COPY, [project_id, box, u.kernel.newId()]);
        return u.statements();
      });
    const packFirst = async () => {
      const known = kernel.hashedBoxes;
      kernel.hashedBoxes = createHashedBoxes();
      const statements = await pack(box);
      kernel.hashedBoxes = known;
      return statements;
    };
    // Those that read ids by themselves: what they leave to the garbage collector was cleared in the time of the others.
    for (const works of [
      { pack: () => pack(box), "for the first time": packFirst, "of a grown box": () => pack(grown) },
      {
        "with its ids answered": () => pack(box, {}, true),
        "card by card": () => pack(box, { exclude_types: ["agent.thought"] }),
      },
    ]) {
      const [bare, ...packs] = await measure(rounds, [copy, ...Object.values(works)]);
      console.log(`${String(cards).padStart(6)} cards  bare copy ${show(bare)}`);
      for (const [i, what] of Object.keys(works).entries())
        console.log(
          `  ${what.padEnd(22)} ${show(packs[i])}  ratio ${((packs[i]?.p50 ?? 0) / (bare?.p50 ?? 1)).toFixed(2)}`,
        );
    }
  }
});

/** As a delegation packs: the ids of inherited cards are not needed. */
function handOver(box: string, inherit: object) {
  return {
    project_id,
    source_agent_id: "human_bench",
    tool_suffix: "bench",
    items: [
      {
        arguments: { instruction: "go", box, profile_name: "Receiver" },
        handover: {
          context_packing_config: {
            pack_arguments: [{ arg_key: "instruction" }],
            inherit_context: { include_boxes_from_args: ["box"], include_parent: true, ...inherit },
            order: "inherited_first",
          },
        },
      },
    ],
  };
}

/** A box written at once; `later` = how many cards were appended to it afterwards. */
async function fill(unit: <T>(work: (unit: Unit) => Promise<T>) => Promise<T>, n: number, later = 0): Promise<string> {
  return unit(async (u) => {
    const cards = await insertCards(u, {
      project_id,
      cards: Array.from({ length: n }, (_, i) => ({
        type: i % 3 ? "task.context" : "tool.result",
        content: `A line of context, number ${i}.`,
        author_id: "bench",
      })),
    });
    const items = cards.map((card) => ({ ...card, origin: "given" }));
    const [box] = await createBoxes(u, { project_id, boxes: [{ kind: "output", items: items.slice(0, n - later) }] });
    const box_id = box?.box_id ?? "";
    if (later > 0) await appendToBox(u, { project_id, box_id, items: items.slice(n - later) });
    return box_id;
  });
}

type Measured = { p50: number; p99: number; statements: number };

/** Alternating, so that a disturbance affects all of them, and each in turn runs behind the copy, which leaves work to the disk. */
async function measure(rounds: number, works: (() => Promise<number>)[]): Promise<Measured[]> {
  const done = works.map((work) => ({ work, ms: [] as number[], statements: 0 }));
  const [first, ...others] = done;
  for (let i = 0; i < rounds; i++) {
    const at = i % others.length;
    for (const each of [first, ...others.slice(at), ...others.slice(0, at)]) {
      if (!each) continue;
      const start = performance.now();
      each.statements = await each.work();
      if (i >= rounds / 4) each.ms.push(performance.now() - start);
    }
  }
  return done.map(({ ms, statements }) => ({ ...spread(ms), statements }));
}

function show(m?: Measured): string {
  return `${String(m?.p50).padStart(6)} ms (p99 ${m?.p99}, ${m?.statements} ${m?.statements === 1 ? "statement" : "statements"})`;
}
