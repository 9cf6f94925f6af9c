// Keeps a query under a name; under a taken name it takes the place of the one that was there.
import { KernelError } from "@/server/contract/errors";
import { type NewView, type SavedView, VIEWS_MAX } from "@/server/contract/saved-view";
import { faultText } from "@/server/contract/search-query/fault";
import { parseQuery } from "@/server/contract/search-query/parse-query";
import { refuseBadText } from "@/server/contract/text";
import type { Kernel } from "../kernel";
import { refuseDots } from "../refuse-dots";
import { withUnit } from "../unit";
import { readProject } from "./read-project";
import { VIEW_COLUMNS, type ViewRow, viewOf } from "./view-row";

// One view at a time: views that were saved together each counted those before them, and went past the limit.
const HOLD = "SELECT pg_advisory_xact_lock(hashtextextended('views ' || $1::text, 0))";
const SAVE = `
  INSERT INTO resource.saved_views (project_id, name, page, query, saved_by, list)
  SELECT $1, $2, $3, $4, $5, $6::jsonb
  WHERE (SELECT count(*) FROM resource.saved_views v WHERE v.project_id = $1) < ${VIEWS_MAX}
    OR EXISTS (SELECT 1 FROM resource.saved_views v WHERE v.project_id = $1 AND v.name = $2)
  ON CONFLICT (project_id, name) DO UPDATE
    SET page = excluded.page, query = excluded.query, saved_by = excluded.saved_by, list = excluded.list, updated_at = now()
  RETURNING ${VIEW_COLUMNS}`;

export type SaveView = NewView & { project_id: string; user: string };

/** not_found for an unknown project; bad_request for a query that cannot be read, and for a name that cannot stand in an address; conflict above VIEWS_MAX views. */
export async function saveView(kernel: Kernel, input: SaveView): Promise<SavedView> {
  const { project_id, name, page, query, list, user } = input;
  refuseBadText(name, "name");
  refuseDots(name, "name");
  // The parser takes half a surrogate pair for a letter; the database would keep another sign in its place.
  refuseBadText(query, "query");
  if (list !== undefined && page !== "runs")
    throw new KernelError("bad_request", "list: only a view of the page `runs` has one. Leave it out.");
  if (query === "" && list === undefined)
    throw new KernelError(
      "bad_request",
      "query: enter a query. Only a view of the page `runs` with a `list` may do without.",
    );
  const parsed = parseQuery(query, { now: kernel.now() });
  if (!parsed.isRead)
    throw new KernelError("bad_request", `query: ${faultText(parsed.fault)}`, { column: parsed.fault.column });
  await readProject(kernel, project_id);
  const [row] = await withUnit(kernel, async (unit) => {
    await unit.query("view_hold", HOLD, [project_id]);
    const stored = list === undefined ? null : JSON.stringify(list);
    return unit.query<ViewRow>("view_save", SAVE, [project_id, name, page, query, user, stored]);
  });
  if (row) return viewOf(row);
  throw new KernelError("conflict", `name: this project has ${VIEWS_MAX} saved views; delete one that nobody uses`);
}
