// How what was drawn stands while it runs, in words and signs. Pure.
import type { ConsistCard } from "@/components/ui/consist-segments";
import type { AspectStatus } from "@/components/ui/sign-words";
import { parseConsist } from "@/server/contract/consist";
import { partsOf } from "@/server/contract/plan/graph";
import type { PlanNodeStatus, PlanRunNode } from "@/server/contract/plan/plan-run";
import { nameOf, nodeIdOf } from "@/server/contract/plan/plan-words";
import type { PlaceTurn, RunDrawing } from "@/server/contract/plan/run-drawing";
import { writtenTracks } from "@/server/contract/plan/tracks";

/** `turn`: absent = it has none yet, or will have none. */
export type LivePlace = { status: PlanNodeStatus; words: string; turn?: PlaceTurn };

const aspects: Record<PlanNodeStatus, AspectStatus> = {
  waiting: "queued",
  held: "suspended",
  running: "running",
  skipped: "canceled",
  replayed: "success",
  success: "success",
  partial: "partial",
  failed: "failed",
  timeout: "timeout",
  canceled: "canceled",
};

export const aspectOf = ({ turn, status }: LivePlace): AspectStatus => turn?.status ?? aspects[status];

/** What it holds now: what it was given, then what it wrote. */
export const ranOf = (turn: PlaceTurn): ConsistCard[] => [
  ...parseConsist(turn.context_consist),
  ...parseConsist(turn.output_consist),
];

/** By place; nodes and their tasks. */
export function livePlaces({ run, turns }: RunDrawing): Map<string, LivePlace> {
  const parts = partsOf(run.body);
  const byPlace = new Map(turns.map((turn) => [turn.place, turn]));
  const nodes = new Map(run.nodes.map((node) => [node.node_id, node]));
  const places = new Map<string, LivePlace>();
  for (const place of parts.keys()) {
    const node = nodes.get(nodeIdOf(place));
    if (!node) continue;
    const turn = byPlace.get(place);
    const words = turn ? (turn.error ?? turn.note ?? turn.status) : nodeWords(run, node);
    places.set(place, { status: node.status, words, ...(turn && { turn }) });
  }
  return places;
}

/** "waits for Three searches" */
function nodeWords({ body, nodes }: RunDrawing["run"], { node_id, status, reason }: PlanRunNode): string {
  if (status === "held") return reason?.includes("_max ") ? `held: ${reason}` : "a person must let it start";
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
