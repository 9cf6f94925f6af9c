// A row of resource.saved_views and the view that it is.
import type { SavedView, ViewList } from "@/server/contract/saved-view";

export const VIEW_COLUMNS = "name, page, query, list, saved_by, created_at, updated_at";

export type ViewRow = Omit<SavedView, "list"> & { list: ViewList | null };

export const viewOf = ({ list, ...view }: ViewRow): SavedView => ({ ...view, ...(list !== null && { list }) });
