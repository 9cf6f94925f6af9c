// Tracks, wires and crates as something that is selected: `track:from>to`, `wire:crate>reader`, `crate:kind:ref`. Pure.
import { partsOf } from "@/server/contract/plan/graph";
import type { Load, Plan } from "@/server/contract/plan/plan";
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import { writtenTracks } from "@/server/contract/plan/tracks";
import { cratesOf, type LoadRow, loadRowsOf } from "./loads";

export type Link =
  | { kind: "track"; from: string; to: string }
  | { kind: "wire"; crate: string; to: string }
  | { kind: "crate"; crate: string };

export const trackId = (from: string, to: string): string => `track:${from}>${to}`;
export const wireId = (crate: string, to: string): string => `wire:${crate}>${to}`;
export const crateId = (crate: string): string => `crate:${crate}`;

export function linkOf(id: string): Link | null {
  const [, kind, first = "", to = ""] = /^(track|wire|crate):([^>]*)(?:>(.*))?$/.exec(id) ?? [];
  if (kind === "track") return { kind, from: first, to };
  if (kind === "wire") return { kind, crate: first, to };
  return kind === "crate" ? { kind, crate: first } : null;
}

export function hasLink(plan: Plan, link: Link): boolean {
  if (link.kind !== "track") {
    const crate = cratesOf(plan).find(({ id }) => id === link.crate);
    return crate !== undefined && (link.kind === "crate" || crate.readers.includes(link.to));
  }
  const index = plan.nodes.findIndex(({ id }) => id === link.to);
  const node = plan.nodes[index];
  return node !== undefined && writtenTracks(node, index).some(({ from }) => from === link.from);
}

/** What a track carries: each entry of a load that makes it, of the node and of its tasks. */
export function carriedBy(plan: Plan, { from, to }: { from: string; to: string }): LoadRow[] {
  const parts = partsOf(plan);
  const node = plan.nodes.find(({ id }) => id === to);
  if (!node || !parts.has(to)) return [];
  const places = node.kind === "fork" ? [to, ...node.tasks.map(({ id }) => `${to}.${id}`)] : [to];
  return places.flatMap((place) =>
    loadRowsOf(plan, place).rows.filter(({ owner, load }) => owner === place && isFrom(load, from)),
  );
}

/** The summary of a join is that of its fork, also where a task is named. */
const isFrom = (load: Load, from: string): boolean =>
  "from" in load && (load.from === from || (load.take === "summary" && nodeIdOf(load.from) === from));

/** Entries that a wire stands for. */
export const loadedBy = (plan: Plan, { crate, to }: { crate: string; to: string }): LoadRow[] =>
  loadRowsOf(plan, to).rows.filter((row) => row.owner === to && row.crate === crate);
