// Context packs in the palette, by their number or by words of their goals: the list of their page. A query of the search language
// asks what all other parts ask.
import type { useTRPCClient } from "@/components/trpc/client";
import type { CommandItem, CommandSource } from "@/components/ui/commands";
import { formatNumber } from "@/components/ui/format";
import { isPlainWords } from "@/server/contract/search-query/is-plain";
import { packItem } from "./hit-items";

const LIMIT = 8;

export function packSource(
  client: ReturnType<typeof useTRPCClient>,
  projectId: string,
  askQuery: (query: string, signal: AbortSignal) => Promise<CommandItem[]>,
): CommandSource {
  let last: { query: string; looked_at: number | undefined } | null = null;
  return {
    id: "found-packs",
    group: "boxes",
    async search(query, signal) {
      if (!isPlainWords(query)) return askQuery(query, signal);
      const given = { project_id: projectId, q: query || undefined, limit: LIMIT };
      const { items, looked_at } = await client.context_pack.list.query(given, { signal });
      last = { query, looked_at };
      return items.map((pack) => packItem(projectId, pack));
    },
    lookedAt: async (query) =>
      last?.query === query && last.looked_at !== undefined ? [`${formatNumber(last.looked_at)} context packs`] : [],
  };
}
