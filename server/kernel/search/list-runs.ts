// The runs of a project with their figures. From the newest on they come by pages; in another order, or with one status, they are
// chosen among the newest, because figures have no index.
import type { RunLine, RunPage, RunsQuery } from "@/server/contract/run-list";
import { RUNS_NEWEST, RUNS_SORTED, runStatusOf } from "@/server/contract/run-order";
import { queryFor } from "@/server/contract/search-query/for-kind";
import type { QueryTree } from "@/server/contract/search-query/query-tree";
import { formatPageCursor, NEWEST_PLACE } from "../cardbox/page-cursor";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { FIGURES, type FiguresRow } from "../read-models/run-figures-sql";
import { formatRunsAfter, parseRunsAfter, sortRuns } from "../read-models/sort-runs";
import { type Reader, read } from "../reader";
import { readProject } from "../roster/read-project";
import { readPage } from "./read-page";
import { readQuery, unreadable } from "./read-query";
import { runsWithin } from "./runs-within";
import type { Hit } from "./source";
import { thingSources } from "./thing-sources";
import { wordsLikeIds } from "./words";

type Asked = RunsQuery & { project_id: string };
type Listed = Omit<RunPage, "live_cursor">;

/**
 * not_found for an unknown project; bad_request for a cursor of another list, and for a query that cannot be read, with the
 * column. At most nine statements.
 */
export async function listRuns(kernel: Kernel, query: Asked): Promise<RunPage> {
  await readProject(kernel, query.project_id);
  const { tree, fault } = queryFor("run", readQuery(kernel, query.q));
  if (fault) throw unreadable(fault);
  // Read first: what changes meanwhile is listed, and its frame tells of it once more.
  const live_cursor = await readCursor(kernel, query.project_id);
  if (tree === false) return { items: [], is_partial: false, live_cursor };
  const isByAge = query.sort === RUNS_NEWEST;
  return { ...(await (isByAge ? byAge(kernel, query, tree) : inOrder(kernel, query, tree))), live_cursor };
}

/** A page that filters by status looks at so many runs, and may have fewer than asked for, with a cursor. */
async function byAge(kernel: Kernel, query: Asked, tree: QueryTree): Promise<Listed> {
  const { project_id, status, limit, cursor } = query;
  if (status === undefined) {
    const { rows, ...page } = await readPage(kernel, thingSources.run, { project_id, tree, limit, cursor });
    return { items: await linesOf(kernel, project_id, rows), ...page };
  }
  const { rows, ...page } = await newestOf(kernel, { project_id, tree, cursor });
  const lines = await linesOf(kernel, project_id, rows);
  const fitting = lines.filter((line) => line.status === status);
  const items = fitting.slice(0, limit);
  const last = fitting.length > limit ? rows.find(({ id }) => id === items.at(-1)?.root_turn_id) : undefined;
  if (last) return { items, is_partial: false, next_cursor: cursorAfter(project_id, tree, last) };
  if (page.next_cursor === undefined) return { items, ...page };
  return { items, next_cursor: page.next_cursor, is_partial: true, looked_at: page.looked_at ?? rows.length };
}

async function inOrder(kernel: Kernel, query: Asked, tree: QueryTree): Promise<Listed> {
  const { project_id, status, limit, sort } = query;
  const after = parseRunsAfter(project_id, sort, query.cursor);
  const { rows, next_cursor } = await newestOf(kernel, { project_id, tree });
  const lines = await linesOf(kernel, project_id, rows);
  const { items, next } = sortRuns(
    lines.filter((line) => status === undefined || line.status === status),
    { order: sort, now_ms: kernel.now().getTime(), after, limit },
  );
  return {
    items,
    is_partial: next_cursor !== undefined,
    ...(next_cursor !== undefined && { looked_at: rows.length }),
    ...(next && { next_cursor: formatRunsAfter(project_id, next) }),
  };
}

type Newest = { rows: readonly Hit[]; next_cursor?: string; is_partial: boolean; looked_at?: number };

async function newestOf(
  kernel: Kernel,
  { project_id, tree, cursor }: { project_id: string; tree: QueryTree; cursor?: string },
): Promise<Newest> {
  const page = await readPage(kernel, thingSources.run, { project_id, tree, limit: RUNS_SORTED, cursor });
  const rows = await runsWithin(kernel, project_id, page.rows);
  const last = rows.length < page.rows.length ? rows.at(-1) : undefined;
  if (!last) return page;
  return { rows, is_partial: true, looked_at: rows.length, next_cursor: cursorAfter(project_id, tree, last) };
}

/** What the query names by its id came first, however old it is: all others follow. */
const cursorAfter = (project_id: string, tree: QueryTree, last: Hit): string =>
  formatPageCursor(project_id, wordsLikeIds(tree).includes(last.id) ? NEWEST_PLACE : last);

/** In the order of the hits. */
async function linesOf(reader: Reader, project_id: string, hits: readonly { id: string }[]): Promise<RunLine[]> {
  if (hits.length === 0) return [];
  const ids = hits.map(({ id }) => id);
  const rows = await read<FiguresRow>(reader, "runs_figures", FIGURES, [project_id, ids]);
  const byId = new Map(rows.map((row) => [row.root_turn_id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [lineOf(row)] : [];
  });
}

function lineOf({ working, live_all, ends, ended_at, launched_turn_id, ...rest }: FiguresRow): RunLine {
  const { is_cut, is_untimed, cost, ...row } = rest;
  return {
    ...row,
    created_at: new Date(row.created_at).toISOString(),
    status: runStatusOf({ working, live: live_all, ends }),
    ...(ended_at !== null && { ended_at: new Date(ended_at).toISOString() }),
    ...(launched_turn_id !== null && { launched_turn_id }),
    ...(is_cut && { is_cut }),
    ...(is_untimed && { is_untimed }),
    ...(cost !== null && { cost }),
  };
}
