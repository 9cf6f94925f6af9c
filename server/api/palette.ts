// The search of the palette and the launch dialog.
import { SearchInput } from "@/server/contract/search";
import { searchProject } from "@/server/kernel/read-models/search-project";
import { procedure, router } from "./trpc";

export const paletteRouter = router({
  search: procedure.input(SearchInput).query(({ ctx, input }) => searchProject(ctx.kernel, input)),
});
