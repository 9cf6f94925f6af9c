// A search in the search language: of one kind by pages, or of all kinds that have what the query asks for.
import { KernelError } from "@/server/contract/errors";
import type { QueryAnswer, QueryGroup, QuerySearch } from "@/server/contract/query-search";
import { type QueryKind, queryKinds } from "@/server/contract/search-query/fields";
import { queryFor } from "@/server/contract/search-query/for-kind";
import { printQuery } from "@/server/contract/search-query/print-query";
import type { QueryTree } from "@/server/contract/search-query/query-tree";
import type { Kernel } from "../kernel";
import { readProject } from "../roster/read-project";
import { readGroup } from "./read-group";
import { readQuery, unreadable } from "./read-query";

/** not_found for an unknown project; bad_request says in which column the query cannot be read. */
export async function search(kernel: Kernel, input: QuerySearch & { project_id: string }): Promise<QueryAnswer> {
  await readProject(kernel, input.project_id);
  const tree = readQuery(kernel, input.q);
  const { asked, skipped, empty } = kindsOf(tree, input.kind);
  if (input.cursor !== undefined && asked.length !== 1)
    throw new KernelError("bad_request", "cursor: it belongs to the list of one kind; send the kind with it");
  const groups = await Promise.all(asked.map(({ kind, tree }) => readGroup(kernel, { ...input, kind, tree })));
  return { query: printQuery(tree), groups: [...groups, ...empty], skipped };
}

type Kinds = {
  asked: { kind: QueryKind; tree: QueryTree }[];
  skipped: QueryAnswer["skipped"];
  /** Asked for, and excluded by the query itself. */
  empty: QueryGroup[];
};

function kindsOf(tree: QueryTree, only: QueryKind | undefined): Kinds {
  const kinds: Kinds = { asked: [], skipped: [], empty: [] };
  for (const kind of only === undefined ? queryKinds : [only]) {
    const own = queryFor(kind, tree);
    if (own.fault) kinds.skipped.push({ kind, ...own.fault });
    else if (own.tree !== false) kinds.asked.push({ kind, tree: own.tree });
    else if (only !== undefined) kinds.empty.push({ kind, items: [], is_partial: false });
  }
  const [fault] = kinds.skipped;
  if (fault && kinds.asked.length === 0) throw unreadable(fault);
  return kinds;
}
