// What of the list of runs lives in the address, and what it asks for: the page on the server and the screen in the browser must ask
// the same.
import {
  RUNS_NEWEST,
  type RunOrder,
  type RunSort,
  type RunStatus,
  runOrders,
  runSorts,
  runStatuses,
} from "@/server/contract/run-order";
import type { ViewList } from "@/server/contract/saved-view";

export type RunFilter = { q?: string | null; status?: string | null; sort?: string | null };

const SHOWN = 50;

export const runListQuery = (projectId: string, { q, status, sort }: RunFilter) => ({
  project_id: projectId,
  q: q?.trim() ?? "",
  status: runStatuses.find((known) => known === status),
  sort: orderOf(sort),
  limit: SHOWN,
});

const orderOf = (sort: string | null | undefined): RunOrder => runOrders.find((known) => known === sort) ?? RUNS_NEWEST;

/** Without a choice all are shown; the title always is. */
export const columnsOf = (cols: string | null | undefined): readonly RunSort[] =>
  cols === null || cols === undefined
    ? runSorts
    : runSorts.filter((one) => one === "title" || cols.split(",").includes(one));

/** As it stands in the address; null = all. */
export const colsOf = (columns: readonly RunSort[]): string | null =>
  columns.length === runSorts.length ? null : columns.filter((one) => one !== "title").join(",");

/** What a saved view keeps beside the query; undefined = nothing was chosen. */
export function viewListOf(status: RunStatus | null, sort: RunOrder, cols: string | null): ViewList | undefined {
  if (status === null && sort === RUNS_NEWEST && cols === null) return undefined;
  return {
    ...(status !== null && { status }),
    ...(sort !== RUNS_NEWEST && { sort }),
    ...(cols !== null && { columns: columnsOf(cols).filter((one) => one !== "title") }),
  };
}
