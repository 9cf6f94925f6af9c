// How what was drawn stands while it runs, in words and signs. Pure.
import { stepAspects } from "@/components/domain/step-aspects";
import type { ConsistCard } from "@/components/ui/consist-segments";
import type { AspectStatus } from "@/components/ui/sign-words";
import { parseConsist } from "@/server/contract/consist";
import type { ForkedPlace } from "@/server/contract/plan/fork-run";
import { partsOf } from "@/server/contract/plan/graph";
import type { PlanNodeStatus, PlanRunNode } from "@/server/contract/plan/plan-run";
import { nameOf, nodeIdOf } from "@/server/contract/plan/plan-words";
import type { AddedTurn, PlaceTurn, RunDrawing } from "@/server/contract/plan/run-drawing";
import { writtenTracks } from "@/server/contract/plan/tracks";
import type { Compared } from "./comparison";
import { type LiveGate, liveGate } from "./gate-words";

/** `turn`: absent = it has none yet, or will have none. */
export type LivePlace = {
  status: PlanNodeStatus;
  words: string;
  turn?: PlaceTurn;
  /** Of a fork. */
  gate?: LiveGate;
  /** It may still be changed in this run. */
  isOpen: boolean;
  /** Beside another run. */
  compared?: Compared;
};

export const aspectOf = ({ turn, status }: LivePlace): AspectStatus => turn?.status ?? stepAspects[status];

/** What it holds now: what it was given, then what it wrote. */
export const ranOf = (turn: PlaceTurn): ConsistCard[] => [
  ...parseConsist(turn.context_consist),
  ...parseConsist(turn.output_consist),
];

/** By place; nodes and their tasks. */
export function livePlaces(drawing: RunDrawing): Map<string, LivePlace> {
  const { run, turns } = drawing;
  const parts = partsOf(run.body);
  const gates = new Map(
    run.body.nodes.flatMap((node) => (node.kind === "fork" ? [[node.id, liveGate(node, drawing)] as const] : [])),
  );
  const byPlace = new Map(turns.map((turn) => [turn.place, turn]));
  const nodes = new Map(run.nodes.map((node) => [node.node_id, node]));
  const places = new Map<string, LivePlace>();
  for (const [place, part] of parts) {
    const node = nodes.get(nodeIdOf(place));
    if (!node) continue;
    const turn = byPlace.get(place);
    const mark = gates.get(node.node_id)?.marks.get(place);
    const own = turn ? turnWords(turn) : nodeWords(run, node);
    const words = mark === undefined ? own : own === turn?.status ? mark : `${mark}: ${own}`;
    const gate = "tasks" in part ? gates.get(place) : undefined;
    const isOpen = run.status === "running" && (node.status === "waiting" || node.status === "held");
    places.set(place, { status: node.status, words, isOpen, ...(turn && { turn }), ...(gate && { gate }) });
  }
  return places;
}

const turnWords = ({ as_in_run, error, note, status }: PlaceTurn): string =>
  as_in_run === undefined ? (error ?? note ?? status) : `as in run ${as_in_run}`;

/** As the fork of the run would have them: what runs has no turn yet, what is recorded keeps its own. */
export function forkedPlaces(
  places: ReadonlyMap<string, LivePlace>,
  verdicts: ReadonlyMap<string, ForkedPlace>,
  runNumber: number,
): Map<string, LivePlace> {
  if (verdicts.size === 0) return new Map(places);
  return new Map(
    [...places].map(([place, live]): [string, LivePlace] => {
      const one = verdicts.get(place) ?? verdicts.get(nodeIdOf(place));
      if (!one) return [place, live];
      if (one.verdict === "runs") return [place, { status: "waiting", words: `runs: ${one.reason}`, isOpen: true }];
      return [place, { ...live, words: `as in run ${live.turn?.as_in_run ?? runNumber}` }];
    }),
  );
}

/** "waits for Three searches" */
function nodeWords({ body, nodes }: RunDrawing["run"], { node_id, status, reason }: PlanRunNode): string {
  if (status === "held") return reason?.includes("_max ") ? `held: ${reason}` : "on hold: a person must let it start";
  if (status === "replayed") return "takes a recorded result";
  if (status !== "waiting") return reason ?? status;
  const index = body.nodes.findIndex(({ id }) => id === node_id);
  const node = body.nodes[index];
  if (!node) return status;
  const open = new Set(nodes.filter((one) => unended.has(one.status)).map((one) => one.node_id));
  const first = writtenTracks(node, index).find(({ from }) => open.has(nodeIdOf(from)));
  const part = partsOf(body).get(first?.from ?? "");
  return part ? `waits for ${nameOf(part)}` : "about to start";
}

const unended: ReadonlySet<PlanNodeStatus> = new Set(["waiting", "held", "running"]);

/** How many are done, running, and to come. */
export function tally(
  places: ReadonlyMap<string, LivePlace>,
  riders: readonly string[],
): { done: number; running: number; open: number } {
  const all = riders.flatMap((place) => places.get(place) ?? []);
  const running = all.filter(({ turn, status }) => (turn ? !isOver(turn.status) : status === "running")).length;
  const open = all.filter(({ turn, status }) => !turn && (status === "waiting" || status === "held")).length;
  return { running, open, done: all.length - running - open };
}

const isOver = (status: PlaceTurn["status"]): boolean =>
  ["success", "partial", "failed", "timeout", "canceled"].includes(status);

/** "1S02 called it" */
export function callerWords({ turns, added }: RunDrawing, { caller_turn_id }: AddedTurn): string {
  if (caller_turn_id === undefined) return "a person added it";
  const caller = [...turns, ...added].find(({ agent_turn_id }) => agent_turn_id === caller_turn_id);
  return caller ? `${caller.headcode} called it` : "called by a turn of this run";
}
