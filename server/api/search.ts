// The search language for the browser.
import * as z from "zod";
import { Id } from "@/server/contract/ids";
import { QuerySearch, TurnIdSearch } from "@/server/contract/query-search";
import { search } from "@/server/kernel/search/search";
import { searchTurnIds } from "@/server/kernel/search/search-turn-ids";
import { procedure, router } from "./trpc";

/** The browser sends a flag as one, not as the text of an address. A list by pages also says in which direction it goes on. */
const Asked = QuerySearch.extend({
  project_id: Id,
  facets: z.boolean().default(false),
  direction: z.literal("forward").optional(),
});

export const searchRouter = router({
  query: procedure.input(Asked).query(({ ctx, input: { direction: _, ...asked } }) => search(ctx.kernel, asked)),
  turn_ids: procedure.input(TurnIdSearch).query(({ ctx, input }) => searchTurnIds(ctx.kernel, input)),
});
