// Where a saved view leads: its page, with its query in the address.
import type { SavedView, ViewList, ViewPage } from "@/server/contract/saved-view";

/** What is asked now, and where; "" and no list = nothing that could be saved. */
export type AskedQuery = { projectId: string; page: ViewPage; query: string; list?: ViewList };

export const pageNames: Record<ViewPage, string> = {
  search: "search",
  cards: "list of cards",
  yard: "yard",
  runs: "list of runs",
};

export function viewHref(projectId: string, { page, query, list }: Pick<SavedView, "page" | "query" | "list">): string {
  const base = `/p/${encodeURIComponent(projectId)}`;
  if (page === "runs") return `${base}/runs${runsSearch(query, list)}`;
  const q = encodeURIComponent(query);
  return page === "yard" ? `${base}?run=all&q=${q}` : `${base}/${page}?q=${q}`;
}

/** The state of the list of runs as it stands in the address (components/runs/run-params.ts). */
function runsSearch(query: string, { status, sort, columns }: ViewList = {}): string {
  const search = new URLSearchParams();
  if (query !== "") search.set("q", query);
  if (status !== undefined) search.set("status", status);
  if (sort !== undefined) search.set("sort", sort);
  if (columns !== undefined) search.set("cols", columns.join(","));
  return search.size === 0 ? "" : `?${search}`;
}

/** "Status failed; by cost, downwards; columns status, cost" */
export function listWords({ status, sort, columns }: ViewList): string {
  const by = sort?.replace(/^-/, "");
  const parts = [
    status === undefined ? "" : `status ${status}`,
    sort === undefined ? "" : `by ${by}, ${sort === by ? "upwards" : "downwards"}`,
    columns === undefined ? "" : `columns ${columns.length === 0 ? "none but the title" : columns.join(", ")}`,
  ].filter(Boolean);
  const text = parts.join("; ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
