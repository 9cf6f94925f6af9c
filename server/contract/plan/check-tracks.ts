// Tracks and loads that are allowed and probably not meant: nothing is refused here.
import { type Checking, type GraphProblem, problem } from "./checking";
import { switchOn, takeEntry } from "./fixes";
import type { PlanGraph } from "./graph";
import type { PlanNode } from "./plan";
import { nodeIdOf } from "./plan-words";
import { entryAt } from "./problem";
import { loadsOf, type Track } from "./tracks";
import { clash, wantsOf } from "./wants";

/** One problem for each wagon and result, however often it loads it. */
export function loadsOfDisabled(checking: Checking): GraphProblem[] {
  const { plan, loads, name } = checking;
  const isOff = new Set(plan.nodes.filter(({ disabled }) => disabled).map(({ id }) => id));
  const found = new Map<string, { from: string; at: string; paths: string[] }>();
  for (const { load, at, path } of loads) {
    if (!("from" in load) || !isOff.has(nodeIdOf(load.from))) continue;
    const known = found.get(`${at} ${load.from}`);
    if (known) known.paths.push(path);
    else found.set(`${at} ${load.from}`, { from: load.from, at, paths: [path] });
  }
  return [...found.values()].map(({ from, at, paths: [path = "", ...more] }) => {
    const says = `${name(at)} loads the result of ${name(from)}, which is switched off. It starts without it.`;
    const fixes = [switchOn(nodeIdOf(from)), ...(more.length === 0 ? takeEntry(checking, path) : [])];
    return problem("disabled_load", entryAt(at, path), path, says, fixes);
  });
}

/** It waits for something to fail and to deliver. */
export function deadTracks(checking: Checking): GraphProblem[] {
  const { graph, name } = checking;
  return graph.nodes.flatMap((node) => {
    const tracks = graph.into.get(node.id) ?? [];
    const wants = wantsOf(tracks);
    const place = clash(wants, wants);
    const dead = tracks.find(({ on, from }) => on === "failed" && from === place);
    if (!dead) return [];
    const says = `${name(node.id)} never starts: it waits for ${name(dead.from)} to fail and to deliver.`;
    return [
      problem(
        "dead_track",
        entryAt(dead.at, dead.path),
        dead.path,
        says,
        isOnlyWritten(graph, node, dead) ? takeEntry(checking, dead.path) : [],
      ),
    ];
  });
}

/** Nothing else leads there for the same end: not the same track again, not a node that is off. */
function isOnlyWritten({ byId }: PlanGraph, node: PlanNode, dead: Track): boolean {
  const sources = [
    ...node.after.map((after) => after.node),
    ...loadsOf(node, 0).flatMap(({ load }) => ("from" in load ? [load.from] : [])),
  ];
  const same = node.after.filter((after) => after.node === dead.from && after.on === "failed");
  return same.length === 1 && sources.every((from) => byId.has(nodeIdOf(from)));
}

/** Nodes beside others that have no track at all, and results that nobody loads. */
export function unread(checking: Checking): GraphProblem[] {
  const { graph, name, pathOf } = checking;
  const isRead = readPlaces(checking);
  return graph.nodes.flatMap((node) => {
    const isFirst = graph.into.get(node.id)?.length === 0;
    const isLast = graph.results.includes(node.id) || graph.followers.get(node.id)?.length === 0;
    if (isLast) {
      const isLoose = isFirst && graph.nodes.length > 1 && graph.followers.get(node.id)?.length === 0;
      if (!isLoose || checking.plan.result === node.id) return [];
      const says = `${name(node.id)} is joined to nothing: it starts at once and nobody reads its result.`;
      return [problem("loose", node.id, pathOf(node.id), says)];
    }
    return silent(node, isRead).map((place) =>
      problem("answer_stays", place, pathOf(place), `Nobody reads ${name(place)}'s result.`),
    );
  });
}

/** Loaded by somebody, or remembered by an agent that goes on. */
function readPlaces({ loads, riders }: Checking): ReadonlySet<string> {
  const places = loads.flatMap(({ load }) => ("from" in load ? [load.from] : []));
  const agents = riders.flatMap(({ rider: { target } }) =>
    target && target.strategy !== "new" && target.ref.startsWith("@") ? [target.ref.slice(1)] : [],
  );
  return new Set([...places, ...agents]);
}

/** Of a fork each task that nobody reads, or the fork if that is all of them. */
function silent(node: PlanNode, isRead: ReadonlySet<string>): string[] {
  if (isRead.has(node.id)) return [];
  if (node.kind !== "fork") return [node.id];
  const tasks = node.tasks.map(({ id }) => `${node.id}.${id}`);
  const left = tasks.filter((place) => !isRead.has(place));
  return left.length === tasks.length ? [node.id] : left;
}
