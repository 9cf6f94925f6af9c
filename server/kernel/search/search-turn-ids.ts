// The turns that a query finds, as ids alone: the yard lights them. One page, the newest first.
import type { QueryTurnIds, TurnIdSearch } from "@/server/contract/query-search";
import { queryFor } from "@/server/contract/search-query/for-kind";
import { joined, type QueryTree } from "@/server/contract/search-query/query-tree";
import type { Kernel } from "../kernel";
import { readProject } from "../roster/read-project";
import { readPage } from "./read-page";
import { readQuery, unreadable } from "./read-query";
import { turnSource } from "./turn-source";

const TURNS_MAX = 2_000;

/** not_found for an unknown project; bad_request says in which column the query cannot be read. */
export async function searchTurnIds(kernel: Kernel, input: TurnIdSearch): Promise<QueryTurnIds> {
  const { project_id, q, root_turn_id } = input;
  await readProject(kernel, project_id);
  const { tree, fault } = queryFor("turn", readQuery(kernel, q));
  if (fault) throw unreadable(fault);
  if (tree === false) return { ids: [], is_partial: false };
  const { rows, next_cursor } = await readPage(kernel, turnSource, {
    project_id,
    tree: root_turn_id === undefined ? tree : within(tree, root_turn_id),
    limit: TURNS_MAX,
  });
  return { ids: rows.map(({ id }) => id), is_partial: next_cursor !== undefined };
}

function within(tree: QueryTree, root_turn_id: string): QueryTree {
  const values = [{ text: root_turn_id, is_prefix: false, n: null }];
  const run = { kind: "filter", at: 0, field: "run", op: "=", values } as const;
  return tree === null ? run : joined("and", [tree, run]);
}
