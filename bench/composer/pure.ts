// The pure part of a change to a large plan, without a browser: the operation with the places it moves, the drawing after it, and the
// local check. Processor time, so that other work on the machine does not count:
// `node --single-threaded --import tsx bench/composer/pure.ts [wagons]`.
import { createDrawingStore } from "@/components/composer/draft/drawing-store";
import { adding, addingTask } from "@/components/composer/draft/edits";
import { tidying } from "@/components/composer/draft/tidying";
import { drawingOf } from "@/components/composer/drawing/drawing";
import { noWays } from "@/components/ground/known-ways";
import { checkGraph } from "@/server/contract/plan/check-graph";
import { parsePlan } from "@/server/contract/plan/parse-plan";
import { bigPlan } from "./big-plan";

const ROUNDS = 60;
/** Until the engine has compiled what runs often. */
const WARM = 10;

// Fewer than the most a plan may have: one that is too large is not checked.
const wagons = Number(process.argv[2] ?? 280);
const boxes = Array.from({ length: wagons }, (_, i) => i.toString(16).padStart(32, "0"));
const read = parsePlan(bigPlan(wagons, boxes));
if ("fault" in read) throw new Error(`${read.fault.path}: ${read.fault.message}`);
const store = createDrawingStore(read.plan);
const ways = noWays();
const taken = new Map<string, number[]>();

function timed<T>(what: string, run: () => T): T {
  const before = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(before);
  taken.set(what, [...(taken.get(what) ?? []), (user + system) / 1_000]);
  return result;
}

const draw = (what: string) => timed(what, () => drawingOf(store.get().plan, ways));

for (let i = 0; i < 4; i++) timed("draw from the start", () => drawingOf(structuredClone(store.get().plan)));
draw("draw again");
for (let i = 0; i < ROUNDS; i++) {
  const { plan } = store.get();
  const behind = `w${Math.floor(wagons / 3) + i}`;
  const isTask = i % 2 === 0;
  const change = isTask ? addingTask(plan, behind, null) : adding(plan, { kind: "wagon" }, { behind });
  const what = isTask ? "a task" : "a wagon";
  timed(`${what}: change`, () => store.change(change));
  draw(`${what}: draw`);
  timed("check", () => checkGraph(store.get().plan, { fork_tasks_max: 64 }));
  timed("undo", () => store.undo());
  draw("undo: draw");
}
for (let i = 0; i < WARM * 2; i++) {
  timed("tidy: change", () => store.change(tidying(store.get().plan, [])));
  draw("tidy: draw");
}

for (const [what, figures] of taken) {
  const warm = (figures.length > WARM ? figures.slice(WARM) : figures).sort((a, b) => a - b);
  const at = (share: number) => (warm[Math.floor((warm.length - 1) * share)] ?? 0).toFixed(1);
  console.log(`${what.padEnd(20)} ${at(0.5).padStart(6)} / ${at(0.95).padStart(6)} ms`);
}
