// Where each turn of two runs stands in their picture: callers at the left, each row of the table one line down. Pure.
import { type Point, track } from "@/components/ui/track";
import type { CompareRow } from "@/server/contract/run-compare/run-comparison";

export const NODE = { width: 92, height: 22 } as const;
const STEP_X = 118;
const STEP_Y = 30;
const EDGE = 10;

export type TreeNode = { row: CompareRow; x: number; y: number };
/** Drawn as its callee: a track that only one of the runs has is dashed. */
export type TreeTrack = { key: number; path: string; verdict: CompareRow["verdict"] };
export type Tree = { nodes: TreeNode[]; tracks: TreeTrack[]; width: number; height: number };

/** A first callee stands beside its caller; the others below. `rows`: of one page, so a caller may be missing. */
export function layTree(rows: readonly CompareRow[]): Tree {
  const placed = new Map<number, TreeNode>();
  const nodes: TreeNode[] = [];
  let line = -1;
  for (const row of rows) {
    const caller = placed.get(row.below ?? -1);
    const isBeside = caller !== undefined && caller === nodes.at(-1);
    if (!isBeside) line++;
    const node = { row, x: EDGE + row.depth * STEP_X, y: EDGE + Math.max(0, line) * STEP_Y };
    placed.set(row.at, node);
    nodes.push(node);
  }
  const tracks = nodes.flatMap(({ row, x, y }): TreeTrack[] => {
    const caller = placed.get(row.below ?? -1);
    if (!caller) return [];
    const [from, to] = [caller.x + NODE.width, x];
    const middle = from + (STEP_X - NODE.width) / 2;
    const [top, bottom] = [caller.y + NODE.height / 2, y + NODE.height / 2];
    const points: Point[] =
      top === bottom
        ? [
            [from, top],
            [to, bottom],
          ]
        : [
            [from, top],
            [middle, top],
            [middle, bottom],
            [to, bottom],
          ];
    return [{ key: row.at, path: track(points, 6), verdict: row.verdict }];
  });
  const right = nodes.reduce((most, { x }) => Math.max(most, x), 0);
  const low = nodes.reduce((most, { y }) => Math.max(most, y), 0);
  return { nodes, tracks, width: right + NODE.width + EDGE, height: low + NODE.height + EDGE };
}
