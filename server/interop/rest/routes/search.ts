// The search language over REST: the same queries that the pages ask.
import { SearchAnswer } from "@/server/contract/answers/search";
import { QuerySearch } from "@/server/contract/query-search";
import { search } from "@/server/kernel/search/search";
import { id, route } from "../route";

export const searchRoutes = [
  route({
    operationId: "search",
    method: "GET",
    path: "/projects/{project_id}/search",
    summary: "Search cards, boxes, turns, runs, agents, profiles, batches and context packs in the search language",
    description:
      "Without `kind`, every kind that has what the query asks for is searched. Pages are newest first; `cursor` goes on in the list of one kind. A query that cannot be read is refused with the column.",
    query: QuerySearch,
    answer: SearchAnswer,
    call: ({ kernel, params, query }) => search(kernel, { project_id: id(params, "project_id"), ...query }),
  }),
];
