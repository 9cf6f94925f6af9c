// Where a saved view leads: its page, with its query in the address.
import type { SavedView, ViewPage } from "@/server/contract/saved-view";

/** What is asked now, and where; "" = nothing that could be saved. */
export type AskedQuery = { projectId: string; page: ViewPage; query: string };

export const pageNames: Record<ViewPage, string> = { search: "search", cards: "list of cards", yard: "yard" };

export function viewHref(projectId: string, { page, query }: Pick<SavedView, "page" | "query">): string {
  const base = `/p/${encodeURIComponent(projectId)}`;
  const q = encodeURIComponent(query);
  return page === "yard" ? `${base}?run=all&q=${q}` : `${base}/${page}?q=${q}`;
}
