// Reads everything on the page again, after something was deleted that any part of it may show.
import type { QueryClient } from "@tanstack/react-query";

/**
 * A first answer that is still on its way may have been read before the deletion. `invalidateQueries` would keep it, and
 * the page would go on showing what is deleted. This drops it and asks again. Resolves when all that is shown has been read.
 */
export async function readAgain(queries: QueryClient): Promise<void> {
  for (const query of queries.getQueryCache().findAll({ fetchStatus: "fetching", type: "active" }))
    if (query.state.data === undefined) void query.cancel({ silent: true });
  await queries.invalidateQueries();
}
