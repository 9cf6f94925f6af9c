// The query of a search as a tree, or the refusal that says in which column it cannot be read.
import { KernelError } from "@/server/contract/errors";
import { faultText, type QueryFault } from "@/server/contract/search-query/fault";
import { parseQuery } from "@/server/contract/search-query/parse-query";
import type { QueryTree } from "@/server/contract/search-query/query-tree";
import type { Kernel } from "../kernel";

/** bad_request says in which column the query cannot be read. */
export function readQuery({ now }: Pick<Kernel, "now">, q: string): QueryTree {
  const parsed = parseQuery(q, { now: now() });
  if (!parsed.isRead) throw unreadable(parsed.fault);
  return parsed.tree;
}

export const unreadable = (fault: QueryFault): KernelError =>
  new KernelError("bad_request", `q: ${faultText(fault)}`, { column: fault.column });
