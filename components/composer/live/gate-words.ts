// How the gate of a fork stands in a run: how many have arrived of how many it needs, and what each task was to it. Pure.
import { countedBy, gateMarkOf } from "@/components/domain/gate-mark";
import { neededOf } from "@/server/contract/join-rules";
import type { Fork } from "@/server/contract/plan/plan";
import type { RunDrawing } from "@/server/contract/plan/run-drawing";
import { isEnded, type TurnStatus } from "@/server/contract/turn";

/** `arrived` of `needed`: of a gate with a policy those that count. `marks`: by place, only with a policy. */
export type LiveGate = {
  arrived: number;
  needed: number;
  tasks: number;
  batch_id?: string;
  marks: ReadonlyMap<string, string>;
};

export function liveGate(fork: Fork, { turns, gates }: Pick<RunDrawing, "turns" | "gates">): LiveGate {
  const places = fork.tasks.map(({ id }) => `${fork.id}.${id}`);
  const statusOf = new Map<string, TurnStatus>(turns.map(({ place, status }) => [place, status]));
  const { policy } = fork.gate;
  const seen = gates.find(({ node_id }) => node_id === fork.id);
  if (!policy || !seen) {
    const arrived = places.filter((place) => isEnded(statusOf.get(place) ?? "queued")).length;
    const needed = policy ? neededOf(policy, places.length) : places.length;
    return { arrived, needed, tasks: places.length, marks: new Map() };
  }
  const gate = {
    policy,
    needed: neededOf(policy, places.length),
    arrivals: seen.arrivals,
    late: seen.late,
    delivered: (place: string) => ["success", "partial"].includes(statusOf.get(place) ?? ""),
  };
  const marks = places.flatMap((place): [string, string][] => {
    const mark = gateMarkOf(gate, place);
    return mark === null ? [] : [[place, mark]];
  });
  const arrived = policy.kind === "all" ? seen.arrivals.length : countedBy(gate).length;
  return { arrived, needed: gate.needed, tasks: places.length, batch_id: seen.batch_id, marks: new Map(marks) };
}

/** "1 of 2 needed have arrived; the fork has 3 tasks" */
export const arrivedWords = ({ arrived, needed, tasks }: LiveGate): string =>
  needed === tasks
    ? `${arrived} of ${tasks} tasks have arrived`
    : `${arrived} of ${needed} needed have arrived; the fork has ${tasks} tasks`;
