// Asks a query of the search language once for all parts of the palette: each takes the kinds that it shows.
import { faultOf, type QueryFault } from "@/components/domain/query-fault";
import type { useTRPCClient } from "@/components/trpc/client";
import type { CommandItem } from "@/components/ui/commands";
import type { QueryGroup } from "@/server/contract/query-search";
import type { QueryKind } from "@/server/contract/search-query/fields";
import { isPlainWords } from "@/server/contract/search-query/is-plain";
import { lookedAt } from "./looked-at";
import { faultItem, pageItem, queryItems } from "./query-items";

type Answer = { groups: readonly QueryGroup[]; fault: QueryFault | null };

/** Of each kind. */
const LIMIT = 8;

export function createAsk(client: ReturnType<typeof useTRPCClient>, projectId: string) {
  let last: { query: string; answer: Promise<Answer> } | null = null;

  function ask(query: string): Promise<Answer> {
    if (last?.query === query) return last.answer;
    const answer = client.search.query.query({ project_id: projectId, q: query, limit: LIMIT }).then(
      ({ groups }): Answer => ({ groups, fault: null }),
      (error: unknown): Answer => {
        const fault = faultOf(error instanceof Error ? error.message : String(error));
        if (last?.query === query) last = null;
        if (fault === null) throw error;
        return { groups: [], fault };
      },
    );
    last = { query, answer };
    return answer;
  }

  return {
    /** The hits of these kinds; none where the query cannot be read, which `page` says. */
    async items(query: string, kinds: readonly QueryKind[], signal: AbortSignal): Promise<CommandItem[]> {
      const { groups } = await ask(query);
      if (signal.aborted) return [];
      return groups.filter(({ kind }) => kinds.includes(kind)).flatMap((group) => queryItems(projectId, group));
    },
    /** The way to the page of search, where the query goes on; of words alone the lines of the palette are all there is. */
    async page(query: string): Promise<CommandItem[]> {
      if (isPlainWords(query)) return [];
      const { fault } = await ask(query);
      return [fault === null ? pageItem(projectId, query) : faultItem(projectId, query, fault)];
    },
    async lookedAt(query: string): Promise<string[]> {
      return isPlainWords(query) ? [] : lookedAt((await ask(query)).groups);
    },
  };
}
