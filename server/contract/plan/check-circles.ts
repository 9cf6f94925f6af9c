// Nodes that wait for each other never start. A load against an order that is written elsewhere is a fault of its own.
import { type Checking, type GraphProblem, problem } from "./checking";
import { components } from "./components";
import { takeAway } from "./fixes";
import { nodeIdOf } from "./plan-words";
import { entryAt } from "./problem";
import { shortestRing } from "./shortest-ring";
import { type Track, writtenTracks } from "./tracks";

/** By node: what it waits for, nodes that are switched off included, since their followers wait for what they wait for. */
type Edges = ReadonlyMap<string, readonly Track[]>;

export function circles(checking: Checking): GraphProblem[] {
  const { nodes } = checking.plan;
  const edges: Edges = new Map(
    nodes.map((node, i) => [node.id, writtenTracks(node, i).filter(({ from }) => nodeIdOf(from) !== node.id)]),
  );
  const tangles = components([...edges.keys()], (id) => sourcesOf(edges, id));
  if (tangles.length === 0) return [];
  const isOff = new Set(nodes.filter(({ disabled }) => disabled).map(({ id }) => id));
  const against = new Set(tangles.flatMap((ids) => againstOrder(edges, ids, isOff)));
  const rest = new Map([...edges].map(([id, tracks]) => [id, tracks.filter((track) => !against.has(track))]));
  const rings = components([...rest.keys()], (id) => sourcesOf(rest, id)).flatMap((ids) => {
    const start = ids.find((id) => !isOff.has(id));
    return start === undefined ? [] : [circle(checking, shortestRing(rest, start))];
  });
  return [...[...against].map((track) => before(checking, track)), ...rings];
}

const sourcesOf = (edges: Edges, id: string): string[] => (edges.get(id) ?? []).map(({ from }) => nodeIdOf(from));

/** Loads of what starts only after the loader by written tracks alone. */
function againstOrder(edges: Edges, ids: readonly string[], isOff: ReadonlySet<string>): Track[] {
  const sources = new Map<string, ReadonlySet<string>>();
  const waitsInWriting = (later: string, earlier: string): boolean => {
    const known = sources.get(later) ?? writtenSources(edges, later);
    sources.set(later, known);
    return known.has(earlier);
  };
  return ids.flatMap((id) => {
    const loads = (edges.get(id) ?? []).filter(({ is_load, from }) => is_load && !isOff.has(nodeIdOf(from)));
    if (loads.length === 0 || isOff.has(id)) return [];
    return loads.filter(({ from }) => waitsInWriting(nodeIdOf(from), id));
  });
}

/** All that it waits for by written tracks, and by those of what it waits for. */
function writtenSources(edges: Edges, later: string): ReadonlySet<string> {
  const seen = new Set([later]);
  for (const id of seen) for (const { from, is_load } of edges.get(id) ?? []) if (!is_load) seen.add(nodeIdOf(from));
  return seen;
}

const before = (checking: Checking, { from, at, path }: Track): GraphProblem => {
  const [a, b] = [checking.name(from), checking.name(at)];
  const says = `${b} ends before ${a} starts, so ${a}'s result cannot reach it.`;
  return problem("before", entryAt(at, path), path, says, takeAway(checking, path));
};

/** The tracks of the ring in the order of starting; the last one leads back to the first node. */
function circle(checking: Checking, ring: readonly Track[]): GraphProblem {
  const names = ring.map(({ from }) => checking.name(nodeIdOf(from)));
  const closing = ring.at(-1);
  const [at, path] = [closing?.at ?? "", closing?.path ?? "nodes"];
  return problem("circle", entryAt(at, path), path, waitForEachOther(names), takeAway(checking, path));
}

const NAMES_MAX = 12;

export function waitForEachOther(names: readonly string[]): string {
  const [a = "", b = a] = names;
  const left = names.length - NAMES_MAX;
  const shown = left > 1 ? [...names.slice(0, NAMES_MAX), `${left} more`] : names;
  return `${a} and ${b} wait for each other: ${[...shown, a].join(" → ")}. Take one track away.`;
}
