// Where the words of an answer come from, when its author was sent 10, 1,000 and almost 20,000 cards, the most that are looked at: `npx tsx bench/blame.ts`. The
// source is the last card that is looked at, and the words are half a paraphrase, so that every card is compared in full.
import { createBoxes } from "@/server/kernel/cardbox/create-boxes";
import { insertCards } from "@/server/kernel/cardbox/insert-cards";
import { blame } from "@/server/kernel/debugger/blame";
import { launch } from "@/server/kernel/launch/launch";
import { createProject } from "@/server/kernel/roster/create-project";
import { parseProfile } from "@/server/kernel/roster/parse-profile";
import { saveProfile } from "@/server/kernel/roster/save-profile";
import { appendOutput } from "@/server/kernel/turns/append-output";
import { isFenced } from "@/server/kernel/turns/fenced";
import { startTurn } from "@/server/kernel/turns/start-turn";
import { withUnit } from "@/server/kernel/unit";
import { type BenchKernel, spread, withBenchKernel } from "./bench-kernel";

const ROUNDS = 20;
const WORDS_A_CARD = 120;
const PORTION = 500;

await withBenchKernel(async ({ kernel }) => {
  for (const cards of [10, 1_000, 19_990]) {
    const { project_id, card_id } = await seed(kernel, cards);
    await kernel.db.pool.query("ANALYZE");
    const times: number[] = [];
    let seen = "";
    for (let i = 0; i < ROUNDS; i++) {
      const start = performance.now();
      const { hops, end, is_partial, looked_at } = await blame(kernel, { project_id, card_id });
      times.push(performance.now() - start);
      seen = `${hops.length} hop, ${end}, ${looked_at.cards} cards looked at${is_partial ? ", partial" : ""}`;
    }
    const { p50, p99 } = spread(times);
    console.log(`blame after ${cards} cards of ${WORDS_A_CARD} words: p50 ${p50} ms, p99 ${p99} ms; ${seen}`);
  }
});

function wordsOf(n: number): string {
  return Array.from({ length: WORDS_A_CARD }, (_, i) => `word${(n * 7_919 + i * 104_729) % 5_000}`).join(" ");
}

/** A turn whose context holds the cards, and the one card that it has written. */
async function seed(kernel: BenchKernel["kernel"], cards: number): Promise<{ project_id: string; card_id: string }> {
  const project_id = `blame-${cards}`;
  await createProject(kernel, { project_id, title: project_id });
  const profile = parseProfile({ name: "Solo", system_prompt: "x", delegation_policy: { target_tags: [] } });
  await withUnit(kernel, (unit) => saveProfile(unit, { project_id, author_id: "bench", profile }));
  const items = [];
  for (let at = 0; at < cards; at += PORTION) {
    const part = Array.from({ length: Math.min(PORTION, cards - at) }, (_, i) => ({
      ...{ type: "task.context", author_id: "bench", content: wordsOf(at + i) },
    }));
    items.push(...(await withUnit(kernel, (unit) => insertCards(unit, { project_id, cards: part }))));
  }
  const boxes = [
    { box_id: "sources", kind: "plain" as const, items: items.map((card) => ({ ...card, origin: "given" })) },
  ];
  await withUnit(kernel, (unit) => createBoxes(unit, { project_id, boxes }));
  const { result } = await launch(kernel, {
    ...{ project_id, tool: "delegate_async", user: "bench" },
    args: { target_strategy: "new", target_ref: "Solo", instruction: "go", context_box_id: "sources" },
  });
  if (!("agent_turn_id" in result) || result.turn_epoch === null) throw new Error("a turn was launched");
  const key = { project_id, agent_turn_id: result.agent_turn_id, turn_epoch: result.turn_epoch };
  if (isFenced(await startTurn(kernel, { ...key, worker_id: "w" }))) throw new Error("the turn could not be started");
  const half = wordsOf(cards - 1).split(" ");
  const text = [...half.slice(0, 80), ...Array.from({ length: 30 }, (_, i) => `other${i}`)].join(" ");
  const written = await appendOutput(kernel, {
    ...key,
    cards: [{ type: "agent.thought", author_id: "a", content: text }],
  });
  if (isFenced(written)) throw new Error("the turn was fenced");
  return { project_id, card_id: written.card_ids[0] ?? "" };
}
