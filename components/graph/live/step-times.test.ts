import { expect, it } from "vitest";
import type { TurnSteps } from "@/server/contract/spans";
import { at, sampleTurn } from "../testing/sample-frames";
import { createStepTimes } from "./step-times";

type Reading = { ids: string[]; answer: (steps: TurnSteps[] | Error) => Promise<void> };

function stage() {
  const readings: Reading[] = [];
  const waits: { run: () => void; ms: number }[] = [];
  const times = createStepTimes({
    read: (ids) =>
      new Promise((resolve, reject) => {
        readings.push({
          ids,
          async answer(steps) {
            if (steps instanceof Error) reject(steps);
            else resolve(steps);
            await Promise.resolve();
            await new Promise((done) => setTimeout(done));
          },
        });
      }),
    later: (run, ms) => waits.push({ run, ms }),
  });
  return { times, readings, waits };
}

const stepsOf = (id: string, count: number): TurnSteps => ({
  agent_turn_id: id,
  steps: Array.from({ length: count }, (_, index) => ({
    ordinal: index + 1,
    status: "completed" as const,
    started_at: at(index),
  })),
});

it("reads the rows in view once, and again only what a frame tells more of", async () => {
  const { times, readings, waits } = stage();
  const [a, b] = [sampleTurn("a", { step_count: 1 }), sampleTurn("b", { step_count: 2 })];
  times.want([a, b, sampleTurn("idle", { step_count: 0 })]);
  times.want([a, b]);
  expect(readings.map(({ ids }) => ids)).toEqual([["a", "b"]]);
  let told = 0;
  times.subscribe(() => told++);
  await readings[0]?.answer([stepsOf("a", 1), stepsOf("b", 2)]);
  expect([told, times.stepsOf("a").length, times.stepsOf("b").length]).toEqual([1, 1, 2]);
  waits.shift()?.run();
  times.want([a, { ...b, heartbeat_at: at(50), rev: 9 }]);
  expect(readings).toHaveLength(1);
  times.want([a, { ...b, step_count: 3 }]);
  expect(readings[1]?.ids).toEqual(["b"]);
});

it("what comes while it reads is read after a pause, as it then is", async () => {
  const { times, readings, waits } = stage();
  const turn = sampleTurn("a", { step_count: 1 });
  times.want([turn]);
  times.want([{ ...turn, step_count: 2 }]);
  await readings[0]?.answer([stepsOf("a", 1)]);
  expect(readings).toHaveLength(1);
  waits.shift()?.run();
  expect(readings[1]?.ids).toEqual(["a"]);
});

it("keeps what it has when the server is away, and asks again later", async () => {
  const { times, readings, waits } = stage();
  const turn = sampleTurn("a", { step_count: 1 });
  times.want([turn]);
  await readings[0]?.answer([stepsOf("a", 1)]);
  waits.shift()?.run();
  times.want([{ ...turn, step_count: 2 }]);
  await readings[1]?.answer(new Error("away"));
  expect(times.stepsOf("a")).toHaveLength(1);
  const again = waits.shift();
  expect(again?.ms).toBeGreaterThan(1_000);
  again?.run();
  expect(readings).toHaveLength(3);
});
