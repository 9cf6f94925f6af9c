// Where the agents of a run stand: callers left of whom they called, a long column goes on in the next. The same run gives the same
// places, because only the order of first turns and who called whom decide. Pure.

import type { Box } from "@/components/ground/geometry";
import { track } from "@/components/ui/track";
import type { AgentDelegations, AgentOfRun } from "@/server/contract/answers/run-agents";

const AGENT_W = 216;
const AGENT_H = 96;
const GUTTER_X = 112;
const GAP_Y = 28;
const MARGIN = 22;
const ROWS_MAX = 12;

export type AgentPlace = Box & { agent_id: string; col: number; row: number };
export type AgentTrack = { from: string; to: string; path: string; label: { x: number; y: number } };
export type AgentsLayout = { places: ReadonlyMap<string, AgentPlace>; order: readonly string[]; w: number; h: number };

type Input = { agents: readonly Pick<AgentOfRun, "agent_id">[]; delegations: readonly AgentDelegations[] };

export function agentsLayout({ agents, delegations }: Input): AgentsLayout {
  const ids = agents.map(({ agent_id }) => agent_id);
  const depths = depthsOf(ids, delegations);
  const columns: string[][] = [];
  for (const id of ids) {
    const depth = depths.get(id) ?? 0;
    const column = columns[depth] ?? [];
    columns[depth] = column;
    column.push(id);
  }
  const places = new Map<string, AgentPlace>();
  let col = 0;
  for (const column of columns) {
    for (const [i, agent_id] of (column ?? []).entries()) {
      const place = { col: col + Math.floor(i / ROWS_MAX), row: i % ROWS_MAX };
      const x = MARGIN + place.col * (AGENT_W + GUTTER_X);
      const y = MARGIN + place.row * (AGENT_H + GAP_Y);
      places.set(agent_id, { agent_id, ...place, x, y, w: AGENT_W, h: AGENT_H });
    }
    col += Math.max(1, Math.ceil((column ?? []).length / ROWS_MAX));
  }
  const all = [...places.values()];
  return {
    places,
    order: all.sort((a, b) => a.col - b.col || a.row - b.row).map(({ agent_id }) => agent_id),
    w: Math.max(0, ...all.map(({ x, w }) => x + w)) + MARGIN,
    h: Math.max(0, ...all.map(({ y, h }) => y + h)) + MARGIN,
  };
}

/** Of an earlier moment: those who were there, each where it stands now. */
export function shownOf(layout: AgentsLayout, agents: Input["agents"]): AgentsLayout {
  const shown = new Set(agents.map(({ agent_id }) => agent_id));
  if (layout.order.every((id) => shown.has(id))) return layout;
  return {
    ...layout,
    places: new Map([...layout.places].filter(([id]) => shown.has(id))),
    order: layout.order.filter((id) => shown.has(id)),
  };
}

/** Calls away from an agent that nobody else called; in a circle the first of them begins. */
function depthsOf(ids: readonly string[], delegations: readonly AgentDelegations[]): Map<string, number> {
  const called = new Map<string, string[]>();
  const hasCaller = new Set<string>();
  for (const { from, to } of delegations) {
    if (from === to) continue;
    hasCaller.add(to);
    const list = called.get(from);
    if (list) list.push(to);
    else called.set(from, [to]);
  }
  const depths = new Map<string, number>();
  const spread = (start: readonly string[]) => {
    let level = start.filter((id) => !depths.has(id));
    for (const id of level) depths.set(id, 0);
    for (let depth = 1; level.length > 0; depth++) {
      const next: string[] = [];
      for (const id of level)
        for (const to of called.get(id) ?? [])
          if (!depths.has(to)) {
            depths.set(to, depth);
            next.push(to);
          }
      level = next;
    }
  };
  spread(ids.filter((id) => !hasCaller.has(id)));
  for (const id of ids) if (!depths.has(id)) spread([id]);
  return depths;
}

/** Between two agents; one that calls itself has a loop at its right. `nth` keeps tracks of one gutter apart. */
export function agentTrack(from: AgentPlace, to: AgentPlace, nth: number): Omit<AgentTrack, "from" | "to"> {
  const [right, y, end] = [from.x + from.w, from.y + from.h / 2, to.y + to.h / 2];
  const step = (nth % 6) * 8;
  if (from.agent_id === to.agent_id) {
    const out = right + 14 + step;
    const top = from.y - 10;
    return {
      path: track(
        [
          [right, y],
          [out, y],
          [out, top],
          [from.x + 24, top],
          [from.x + 24, from.y],
        ],
        8,
      ),
      label: { x: from.x + from.w / 2, y: top },
    };
  }
  if (to.col === from.col + 1) {
    const x = right + 24 + step;
    return {
      path: track(
        [
          [right, y],
          [x, y],
          [x, end],
          [to.x, end],
        ],
        14,
      ),
      label: { x: to.x - 46, y: end },
    };
  }
  const out = right + 16 + step;
  const back = to.x - 14 - step;
  const gap = to.y - 8 - (nth % 3) * 5;
  const points = [
    [right, y],
    [out, y],
    [out, gap],
    [back, gap],
    [back, end],
    [to.x, end],
  ] as const;
  return { path: track(points, 8), label: { x: (out + back) / 2, y: gap } };
}
