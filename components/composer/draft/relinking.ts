// An end of a track or of a wire is moved to another place: what it carried goes with it. Pure.
import type { PlanOpInput } from "@/server/contract/plan/op";
import type { Plan } from "@/server/contract/plan/plan";
import { isTaskPlace, nodeIdOf } from "@/server/contract/plan/plan-words";
import { carriedBy, type Link, loadedBy, trackId, wireId } from "../drawing/links";
import type { Change } from "./drawing-store";
import { named, uncoupling } from "./edits";

type TrackLink = { from: string; to: string };

/** Another place is waited for: the same is taken of it, at the same rank. */
export function fromElsewhere(plan: Plan, { from, to }: TrackLink, next: string): Change {
  const node = plan.nodes.find(({ id }) => id === to);
  const tracks = (node?.after ?? []).filter((track) => track.node === from);
  const ops: PlanOpInput[] = [
    ...tracks.flatMap((track): PlanOpInput[] => [
      { op: "remove_track", to, track },
      { op: "add_track", to, track: { ...track, node: next } },
    ]),
    ...carriedBy(plan, { from, to }).flatMap(({ owner, load, index }): PlanOpInput[] => [
      { op: "remove_load", to: owner, load, index },
      { op: "add_load", to: owner, load: { ...load, from: next } as never, at: index },
    ]),
  ];
  return { label: `${named(plan, to)} waits for ${named(plan, next)}`, ops, select: [trackId(next, to)] };
}

/** Another place waits for it: what was taken is taken there. */
export function toElsewhere(plan: Plan, link: TrackLink, next: string): Change {
  const { from, to } = link;
  const node = plan.nodes.find(({ id }) => id === to);
  const tracks = (node?.after ?? []).filter((track) => track.node === from);
  const takes = [...new Set(carriedBy(plan, link).flatMap(({ load }) => ("from" in load ? load.take : [])))];
  const ops: PlanOpInput[] = [
    ...uncoupling(plan, from, to).ops,
    ...tracks.map((track): PlanOpInput => ({ op: "add_track", to: nodeIdOf(next), track })),
    ...takes.map((take): PlanOpInput => ({ op: "add_load", to: next, load: { from, take } })),
  ];
  return {
    label: `${named(plan, from)} leads to ${named(plan, next)}`,
    ops,
    select: [isTaskPlace(next) ? next : trackId(from, next)],
  };
}

/** A wire leads to another reader; null = to none. */
export function rewiring(plan: Plan, link: { crate: string; to: string }, next: string | null): Change {
  const rows = loadedBy(plan, link);
  const ops = rows
    .toReversed()
    .map(({ owner, load, index }): PlanOpInput => ({ op: "remove_load", to: owner, load, index }));
  const [first] = rows;
  if (next === null || !first)
    return { label: `${named(plan, link.to)} no longer loads ${first?.words ?? "it"}`, ops, select: [link.to] };
  return {
    label: `${first.words} is loaded by ${named(plan, next)}`,
    ops: [...ops, { op: "add_load", to: next, load: first.load }],
    select: [wireId(link.crate, next)],
  };
}

/** Takes a track or a wire away; a crate is drawn for as long as something loads it. */
export function unlinking(plan: Plan, link: Link): Change {
  if (link.kind === "track") return uncoupling(plan, link.from, link.to);
  if (link.kind === "wire") return rewiring(plan, link, null);
  const readers = plan.nodes.flatMap((node) => [
    node.id,
    ...(node.kind === "fork" ? node.tasks.map(({ id }) => `${node.id}.${id}`) : []),
  ]);
  const ops = readers.flatMap((to) => rewiring(plan, { crate: link.crate, to }, null).ops);
  return { label: `${link.crate.replace(":", " ")} is loaded no more`, ops, select: [] };
}
