// Random plans of about 20 nodes: wagons, experts and forks that quickly deliver, take their time or fail; tracks on every kind of
// end; tasks that are tried again; and steps that a person must let start.
import type { Random } from "./random";
import type { ChaosProfile } from "./trees";

export const planProfiles: ChaosProfile[] = [
  { name: "Plan_Quick", script: [{ deliver: "quick: {instruction}" }], allowed_tools: [] },
  { name: "Plan_Slow", script: [{ wait_ms: 700 }, { deliver: "slow: {instruction}" }], allowed_tools: [] },
  { name: "Plan_Failing", script: [{ wait_ms: 100 }, { fail: "as it should" }], allowed_tools: [] },
  {
    name: "Plan_Forking",
    script: [
      {
        call: "fork_join",
        arguments: {
          tasks: [
            { target_strategy: "new", target_ref: "Plan_Quick", instruction: "below a plan" },
            { target_strategy: "new", target_ref: "Plan_Slow", instruction: "below a plan" },
          ],
        },
      },
      { deliver: "{result.1.status}" },
    ],
    allowed_tools: ["fork_join"],
  },
];

const NODES = 20;

export function drawPlan(random: Random, name: string): object {
  const holds = new Set([random.whole(2, NODES - 1), random.whole(2, NODES - 1)]);
  const nodes = Array.from({ length: NODES }, (_, i) => drawNode(random, i, holds.has(i)));
  return { switchyard: "plan/1", name, inputs: [{ name: "what", kind: "text" }], nodes, limits: { turns_max: 1_000 } };
}

function drawNode(random: Random, i: number, hold: boolean): object {
  const id = `n${i}`;
  const rest = { id, ...(hold && { hold }), ...waits(random, i) };
  if (random.chance(0.2)) {
    const tasks = Array.from({ length: random.whole(2, 3) }, (_, t) => ({
      id: `t${t}`,
      ...work(random, `${id}.t${t}`),
      attempts: random.whole(1, 2),
    }));
    const gate = { fail_fast: random.chance(0.2), ...(random.chance(0.3) && { max_parallel: 1 }) };
    return { ...rest, kind: "fork", tasks, gate };
  }
  return { ...rest, ...(random.chance(0.15) && { kind: "ask" }), ...work(random, id) };
}

const refs = ["Plan_Quick", "Plan_Quick", "Plan_Quick", "Plan_Slow", "Plan_Failing", "Plan_Forking"];

const work = (random: Random, place: string): object => ({
  target: { ref: random.pick(refs) },
  instruction: `${place} for {input.what}`,
});

/** Up to two of those before it: one is loaded, of the other only the end counts. */
function waits(random: Random, i: number): object {
  if (i === 0 || random.chance(0.2)) return {};
  const source = `n${random.whole(Math.max(0, i - 5), i - 1)}`;
  const other = `n${random.whole(0, i - 1)}`;
  const on = random.pick(["ended", "ended", "delivered", "failed"] as const);
  return {
    load: [{ from: source, ...(random.chance(0.3) && { take: random.pick(["output", "summary"] as const) }) }],
    ...(other !== source && random.chance(0.5) && { after: [{ node: other, on }] }),
  };
}
