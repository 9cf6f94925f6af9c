// From one place to the next by the arrows, along the tracks, and in starting order. Pure.
import { berthBox } from "@/components/ground/geometry";
import { graphOf, placesInOrder } from "@/server/contract/plan/graph";
import type { Plan } from "@/server/contract/plan/plan";
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import { writtenTracks } from "@/server/contract/plan/tracks";
import { type Drawing, PERSON } from "./drawing";

export type Way = "left" | "right" | "up" | "down";

/** The nearest wagon that way; sideways counts double, so that a row is walked along. */
export function nearest(drawing: Drawing, from: string | null, way: Way): string | null {
  const all = [...drawing.places.values()].filter(({ id }) => id !== PERSON && !id.endsWith("."));
  const start = drawing.places.get((from ?? "").replace(/^gate:/, ""));
  if (!start) return all[0]?.id ?? null;
  const [x, y] = middle(start);
  let [best, least]: [string | null, number] = [null, Number.POSITIVE_INFINITY];
  for (const place of all) {
    if (place.id === from) continue;
    const [toX, toY] = middle(place);
    const [ahead, aside] =
      way === "right"
        ? [toX - x, toY - y]
        : way === "left"
          ? [x - toX, toY - y]
          : way === "down"
            ? [toY - y, toX - x]
            : [y - toY, toX - x];
    if (ahead <= 1) continue;
    const far = ahead + 2 * Math.abs(aside);
    if (far < least) [best, least] = [place.id, far];
  }
  return best;
}

const middle = (berth: Parameters<typeof berthBox>[0]): readonly [number, number] => {
  const { x, y, w, h } = berthBox(berth);
  return [x + w / 2, y + h / 2];
};

/** What it waits for, or what waits for it: the first of them. */
export function alongTracks(plan: Plan, from: string, way: "in" | "out"): string | null {
  const id = nodeIdOf(from.replace(/^gate:/, ""));
  const index = plan.nodes.findIndex((node) => node.id === id);
  const node = plan.nodes[index];
  if (!node) return null;
  if (way === "in") return shown(plan, writtenTracks(node, index)[0]?.from ?? null);
  const next = plan.nodes.find((other, i) =>
    writtenTracks(other, i).some((track) => track.from === from || nodeIdOf(track.from) === id),
  );
  return shown(plan, next?.id ?? null);
}

/** Of a fork its first task: a frame has no face of its own. */
function shown(plan: Plan, place: string | null): string | null {
  const node = plan.nodes.find(({ id }) => id === place);
  return node?.kind === "fork" && node.tasks[0] ? `${node.id}.${node.tasks[0].id}` : place;
}

export function inOrder(plan: Plan, from: string | null, by: 1 | -1 | "first" | "last"): string | null {
  const order = placesInOrder(graphOf(plan));
  if (by === "first") return order[0] ?? null;
  if (by === "last") return order.at(-1) ?? null;
  const at = order.indexOf(from ?? "");
  return order[at < 0 ? (by === 1 ? 0 : order.length - 1) : at + by] ?? null;
}
