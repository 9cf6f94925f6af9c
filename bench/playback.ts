// What a picture of playback costs the main thread before React draws it: `npx tsx bench/playback.ts`. No database and no browser. A run of
// 2,000 turns goes from its beginning to its end in 200 pictures: once with all its frames at hand, once as each answer of the server.
import { createThenModel } from "@/components/graph/as-of/then-model";
import { createThenPicture, groundOf, thenOf, withRun } from "@/components/graph/as-of/then-picture";
import { createLivePicture } from "@/components/graph/live/live-picture";
import { createYardModel } from "@/components/graph/plan/yard-model";
import { busyProject } from "@/components/graph/testing/sample-frames";
import { agentRows, turnRows } from "@/components/graph/timeline/agent-rows";
import { emptyPicture, type Frame, fold } from "@/server/contract/frame";
import { pictureAt } from "@/server/contract/run-history";
import { toldByTimes } from "@/server/contract/told-by-times";
import { spread } from "./bench-kernel";

const PICTURES = 200;
const TURNS = Number(process.argv[2] ?? 2_000);

const frames: Frame[] = busyProject(TURNS);
const history = toldByTimes(frames, new Map());
const [first, last] = [history.find(({ at }) => Number.isFinite(at))?.at ?? 0, history.at(-1)?.at ?? 0];
const clock = { now: () => last, soon: (run: () => void) => run(), later: () => () => {} };
const live = createLivePicture(clock);
live.load(frames, "c");

function play(wishes: readonly string[], name: string, told: (at: number) => Parameters<typeof fold>[0]): void {
  const base = createYardModel(live, "t0", wishes);
  const then = createThenPicture(live, clock, () => {});
  const model = createThenModel(base, then.live);
  const parts = { picture: [] as number[], plan: [] as number[], whole: [] as number[] };
  for (let i = 0; i < PICTURES; i++) {
    const at = first + ((last - first) * i) / PICTURES;
    const begin = performance.now();
    then.show(told(at), at);
    const shown = performance.now();
    model.getTopology();
    model.getBatches();
    model.getFolds();
    turnRows(model.getTurns());
    agentRows(model.getTurns());
    const end = performance.now();
    parts.picture.push(shown - begin);
    parts.plan.push(end - shown);
    parts.whole.push(end - begin);
  }
  for (const [part, times] of Object.entries(parts)) console.log(`${name}, ${part}:`, spread(times));
}

console.log(`${TURNS} turns, ${history.length} frames, ${PICTURES} pictures`);
for (const [wishes, how] of [
  [[], "as it opens"],
  [["none"], "unfolded"],
] as const) {
  play(wishes, `frames at hand, ${how}`, (at) => thenOf(live.getPicture(), "t0", history, at));
  // The answer is made on the server; here it is only put in.
  const answers = new Map<number, Frame[]>();
  for (let i = 0; i < PICTURES; i++) {
    const at = first + ((last - first) * i) / PICTURES;
    answers.set(
      at,
      Object.values(pictureAt(emptyPicture(), history, at)).flatMap((kind): Frame[] => [...kind.values()]),
    );
  }
  play(wishes, `asked for each, ${how}`, (at) => {
    const now = live.getPicture();
    return withRun(fold(groundOf(now, "t0"), answers.get(at) ?? []), now, "t0");
  });
}
