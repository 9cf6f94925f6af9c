// What a hand-over of 10, 1,000 or 10,000 cards costs: `npx tsx bench/pack.ts`. Beside it, in the same run, the bare copy of
// the box's chunks by INSERT ... SELECT, so that the ratio survives a slow machine; and the same box card by card.
import { createBoxes } from "@/server/kernel/cardbox/create-boxes";
import { insertCards } from "@/server/kernel/cardbox/insert-cards";
import { packContext } from "@/server/kernel/context/pack-context";
import { createProject } from "@/server/kernel/roster/create-project";
import { parseProfile } from "@/server/kernel/roster/parse-profile";
import { saveProfile } from "@/server/kernel/roster/save-profile";
import { type Unit, withUnit } from "@/server/kernel/unit";
import { spread, withBenchKernel } from "./bench-kernel";

const ROUNDS = 60;
const project_id = "bench";

const COPY = `
  WITH box AS (
    INSERT INTO card_boxes (tenant_id, box_id, kind, length, token_sum, consist)
    SELECT tenant_id, $3, 'context', length, token_sum, consist FROM card_boxes WHERE tenant_id = $1 AND box_id = $2
  )
  INSERT INTO card_box_chunks (tenant_id, box_id, n, start, card_ids, origins, tokens)
  SELECT tenant_id, $3, n, start, card_ids, origins, tokens FROM card_box_chunks WHERE tenant_id = $1 AND box_id = $2`;

await withBenchKernel(async ({ kernel }) => {
  const unit = <T>(work: (unit: Unit) => Promise<T>) => withUnit(kernel, work);
  await createProject(kernel, { project_id, title: "bench" });
  await unit((u) => saveProfile(u, { project_id, author_id: "bench", profile: parseProfile({ name: "Receiver" }) }));
  for (const cards of [10, 1_000, 10_000]) {
    const box = await fill(unit, cards);
    const pack = (inherit: object) =>
      unit(async (u) => {
        await packContext(u, {
          project_id,
          source_agent_id: "human_bench",
          tool_suffix: "bench",
          arguments: { instruction: "go", box, profile_name: "Receiver" },
          handover: {
            context_packing_config: {
              pack_arguments: [{ arg_key: "instruction" }],
              inherit_context: { include_boxes_from_args: ["box"], include_parent: true, ...inherit },
              order: "inherited_first",
            },
          },
        });
        return u.statements();
      });
    const copy = () =>
      unit(async (u) => {
        await u.query("bench_copy", COPY, [project_id, box, u.kernel.newId()]);
        return u.statements();
      });
    const whole = await measure(() => pack({}));
    const bare = await measure(copy);
    const each = await measure(() => pack({ exclude_types: ["agent.thought"] }));
    console.log(
      `${String(cards).padStart(6)} cards  pack ${show(whole)}  bare copy ${show(bare)}  ratio ${(whole.p50 / bare.p50).toFixed(1)}  card by card ${show(each)}`,
    );
  }
});

async function fill(unit: <T>(work: (unit: Unit) => Promise<T>) => Promise<T>, n: number): Promise<string> {
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
    const [box] = await createBoxes(u, { project_id, boxes: [{ kind: "output", items }] });
    return box?.box_id ?? "";
  });
}

async function measure(work: () => Promise<number>) {
  const ms: number[] = [];
  let statements = 0;
  for (let i = 0; i < ROUNDS; i++) {
    const start = performance.now();
    statements = await work();
    if (i >= ROUNDS / 4) ms.push(performance.now() - start);
  }
  return { ...spread(ms), statements };
}

function show({ p50, p99, statements }: { p50: number; p99: number; statements: number }): string {
  return `${p50} ms (p99 ${p99}, ${statements} statements)`;
}
