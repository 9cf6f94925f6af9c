// How the parts of a plan are named, and where they are found. One definition for the browser and the kernel.
import type { Berth, Fork, Plan, PlanNode, PlanTask, Rider } from "./plan";

/** The part before the point: `fork.task` stands in fork. */
export function nodeIdOf(place: string): string {
  const at = place.indexOf(".");
  return at < 0 ? place : place.slice(0, at);
}
export const isTaskPlace = (place: string): boolean => place.includes(".");

/** Nodes, and the tasks of forks as `fork.task`, in the order written. */
export const idsOf = (plan: Pick<Plan, "nodes">): string[] =>
  plan.nodes.flatMap((node) => [
    node.id,
    ...(node.kind === "fork" ? node.tasks.map(({ id }) => `${node.id}.${id}`) : []),
  ]);

const TITLE_MAX = 80;
/** An instruction may be a megabyte in one line, and a check names it often. */
const HEAD_MAX = 4_000;

/** The title, or the first line of the instruction with words in it. Empty = neither. */
export function titleOf(given: { title?: string; instruction?: string }): string {
  const line = given.title ?? /\S[^\n]*/.exec(given.instruction ?? "")?.[0] ?? "";
  const head = line.slice(0, HEAD_MAX);
  const points = [...head.trim().replace(/\s+/g, " ")];
  return points.length > TITLE_MAX || head.length < line.length
    ? `${points.slice(0, TITLE_MAX - 1).join("")}…`
    : points.join("");
}

/** How messages name a node or a task: its title, else its id. An instruction's full stop would end the message around it. */
export const nameOf = (part: PlanNode | PlanTask): string => {
  const title = "tasks" in part ? (part.title ?? "") : titleOf(part);
  return (part.title === undefined ? title.replace(/([^.])\.$/, "$1") : title) || part.id;
};

export type RiderAt = { place: string; rider: Rider; node: PlanNode; fork: Fork | null; task_index: number };

/** Everything that becomes a turn: wagons, asks, and the tasks of forks. */
export const ridersOf = (plan: Pick<Plan, "nodes">): RiderAt[] =>
  plan.nodes.flatMap((node): RiderAt[] =>
    node.kind === "fork"
      ? node.tasks.map((rider, task_index) => ({
          place: `${node.id}.${rider.id}`,
          rider,
          node,
          fork: node,
          task_index,
        }))
      : [{ place: node.id, rider: node, node, fork: null, task_index: 0 }],
  );

/** Where it was put; undefined = nobody put it anywhere. `constructor` is a good name for a node. */
export const berthOf = (places: Readonly<Record<string, Berth>>, place: string): Berth | undefined =>
  Object.hasOwn(places, place) ? places[place] : undefined;
