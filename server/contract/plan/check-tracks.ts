// Tracks and loads that are allowed and probably not meant: nothing is refused here.
import { type Checking, type GraphProblem, problem } from "./checking";
import { switchOn, takeEntry } from "./fixes";
import type { PlanNode } from "./plan";
import { nodeIdOf } from "./plan-words";
import { entryAt } from "./problem";
import { clash, wantsOf } from "./wants";

export function loadsOfDisabled(checking: Checking): GraphProblem[] {
  const { plan, loads, name } = checking;
  const isOff = new Set(plan.nodes.filter(({ disabled }) => disabled).map(({ id }) => id));
  return loads.flatMap(({ load, at, path }) => {
    if (!("from" in load) || !isOff.has(nodeIdOf(load.from))) return [];
    const says = `${name(at)} loads the result of ${name(load.from)}, which is switched off. It starts without it.`;
    const fixes = [switchOn(nodeIdOf(load.from)), ...takeEntry(checking, path)];
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
    return [problem("dead_track", entryAt(dead.at, dead.path), dead.path, says, takeEntry(checking, dead.path))];
  });
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
