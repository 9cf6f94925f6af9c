// Model-based tests of the kernel's machines against the real database, with several processes at once. An act is what one
// process does: one transaction, or several in a row. A round is one to three acts at the same time, each on a kernel and
// a pool of its own. The model says what each transaction may do to the state; what the database shows after a round must
// be what some order of the transactions leads to, with the answers that the acts really got.
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { openDb } from "@/server/db";
import { createMemoryDoorbell } from "@/server/doorbell/memory-doorbell";
import { createKernel, type Kernel } from "@/server/kernel/kernel";
import { checkInvariants } from "./invariants";
import type { TestKernel } from "./kernel";

/** `said` joins the act's answer where it is not empty. */
export type Possible<S> = { state: S; said?: string };
/** One transaction and its possible outcomes. Several if the order is not defined. */
export type Step<S> = (state: S) => Possible<S>[];
export type Act<S> = {
  name: string;
  steps: Step<S>[];
  perform: (kernel: Kernel, worker_id: string) => Promise<string>;
};

export type Machine<S> = {
  project_id: string;
  /** What else decides its behaviour, for the message of a failure. */
  about?: object;
  initial: S;
  observe: () => Promise<S>;
  /** What a process may do now. `dice` are numbers from 0 to 1 for choices; `isAlone` = no other act at the same time. */
  act: (state: S, dice: number[], isAlone: boolean) => Act<S>;
  /** After the last round: ends everything, and says what the result should be. */
  finish?: (state: S) => Promise<void>;
};

export type MachineTest = { runs: number; rounds: number; seed?: number };

const times = Number(process.env.MODEL_RUNS ?? 1);

/** For vitest. It grows with the runs: a test that runs out of time says nothing of its seed. */
export const modelTestMs = 300_000 * times;

/** MODEL_RUNS multiplies the number of runs; MODEL_SEED repeats one. */
export const modelTest = (runs: number, rounds: number): MachineTest => ({
  runs: runs * times,
  rounds,
  ...(process.env.MODEL_SEED !== undefined && { seed: Number(process.env.MODEL_SEED) }),
});

// Continues counting if a test is retried: its projects still exist.
let projects = 0;

export async function checkMachine<S extends object>(
  kernel: TestKernel,
  open: (project_id: string) => Promise<Machine<S>>,
  { runs, rounds, seed }: MachineTest,
): Promise<void> {
  const processes = openProcesses(kernel, 3);
  try {
    await fc.assert(
      fc.asyncProperty(fc.commands([roundOf<S>()], { maxCommands: rounds, size: "max" }), async (commands) => {
        const machine = await open(`machine_${++projects}`);
        const model: Model<S> = { state: machine.initial };
        await fc.asyncModelRun(() => ({ model, real: { kernel, processes, machine } }), commands);
        await machine.finish?.(model.state);
      }),
      // Failures that depend on timing do not shrink well; the rounds so far are enough. The reason is part of the message,
      // beside seed, path and rounds: a report keeps the message of a failure and not its cause.
      { numRuns: runs, endOnFailure: true, includeErrorInReport: true, ...(seed !== undefined && { seed }) },
    );
  } finally {
    for (const { db } of processes) await db.close();
  }
}

type Model<S> = { state: S };
type Real<S> = { kernel: TestKernel; processes: Kernel[]; machine: Machine<S> };
type Round = { acts: number[][]; delays: number[] };

function openProcesses(kernel: TestKernel, count: number): Kernel[] {
  return Array.from({ length: count }, (_, i) => {
    const db = openDb(kernel.test.url, { max: 4, name: `switchyard-process-${i}` });
    return createKernel({ ...kernel, db, doorbell: createMemoryDoorbell() });
  });
}

function roundOf<S extends object>() {
  // Without bias: small numbers would be drawn far more often, and with them the same few acts.
  const die = fc.noBias(fc.nat(9_999)).map((n) => n / 10_000);
  const act = fc.array(die, { minLength: 5, maxLength: 5 });
  return fc
    .record({
      acts: fc.oneof(
        { weight: 2, arbitrary: fc.array(act, { minLength: 1, maxLength: 1 }) },
        { weight: 3, arbitrary: fc.array(act, { minLength: 2, maxLength: 3 }) },
      ),
      // In ms, one after the other at every probe: who is held up where.
      delays: fc.array(fc.nat(6), { minLength: 6, maxLength: 6 }),
    })
    .map((round) => commandOf<S>(round));
}

function commandOf<S extends object>({ acts: dice, delays }: Round): fc.AsyncCommand<Model<S>, Real<S>> {
  let names = "not run";
  return {
    check: () => true,
    toString: () => names,
    run: async (model, { kernel, processes, machine }) => {
      const acts = dice.map((own) => machine.act(model.state, own, dice.length === 1));
      names = acts.map((act) => act.name).join(" | ");
      const answers = await Promise.all(acts.map((act, i) => act.perform(held(processes, i, delays), `w${i}`)));
      const observed = await machine.observe();
      const possible = outcomes(model.state, acts, answers);
      if (!possible.some((state) => isDeepStrictEqual(state, observed)))
        throw new Error(
          unexplained({ about: machine.about ?? {}, before: model.state, names, answers, observed, possible }),
        );
      const { violations } = await checkInvariants(kernel.test.pool, {
        project_id: machine.project_id,
        when: "always",
        isQuick: true,
      });
      if (violations.length > 0) throw new Error(`after ${names}: ${JSON.stringify(violations)}`);
      model.state = observed;
    },
  };
}

function held(processes: Kernel[], i: number, delays: number[]): Kernel {
  const process = processes[i];
  if (!process) throw new Error(`there is no process ${i}`);
  let passed = i;
  const probe = async (): Promise<void> => {
    const ms = delays[passed++ % delays.length] ?? 0;
    if (ms > 0) await new Promise((done) => setTimeout(done, ms));
  };
  return { ...process, probe };
}

/** Every state that some order of the acts' transactions leads to with the answers received. */
function outcomes<S extends object>(start: S, acts: Act<S>[], answers: string[]): S[] {
  const found = new Map<string, S>();
  const seen = new Set<string>();
  const walk = (state: S, done: number[], said: string[]): void => {
    const key = JSON.stringify([state, done, said]);
    if (seen.has(key)) return;
    seen.add(key);
    if (acts.every((act, i) => done[i] === act.steps.length)) {
      if (said.every((text, i) => text === answers[i])) found.set(JSON.stringify(state), state);
      return;
    }
    for (const [i, act] of acts.entries()) {
      const step = act.steps[done[i] ?? 0];
      if (!step) continue;
      for (const next of step(structuredClone(state)))
        walk(
          next.state,
          done.map((n, at) => (at === i ? n + 1 : n)),
          said.map((text, at) => (at === i && next.said ? [text, next.said].filter(Boolean).join(" ") : text)),
        );
    }
  };
  walk(
    start,
    acts.map(() => 0),
    acts.map(() => ""),
  );
  return [...found.values()];
}

function unexplained(parts: {
  about: object;
  before: object;
  names: string;
  answers: string[];
  observed: object;
  possible: object[];
}): string {
  const { about, before, names, answers, observed, possible } = parts;
  const line = (value: object) => JSON.stringify(value);
  return [
    `no order of [${names}] with the answers [${answers.join(" | ")}] explains what is there`,
    `about    ${line(about)}`,
    `before   ${line(before)}`,
    `observed ${line(observed)}`,
    ...possible.slice(0, 6).map((state) => `possible ${line(state)}`),
    ...(possible.length === 0 ? ["possible: none, so the answers themselves are wrong"] : []),
  ].join("\n");
}

/** All subsets, including the empty and the full one: rows that another process has locked are skipped. */
export const subsetsOf = <T>(items: T[]): T[][] =>
  Array.from({ length: 2 ** items.length }, (_, mask) => items.filter((_item, at) => (mask >> at) % 2 === 1));
