// The browser's whole interface: one router a feature.
import { graphRouter } from "./graph";
import { healthRouter } from "./health";
import { paletteRouter } from "./palette";
import { projectRouter } from "./project";
import { createCallerFactory, router } from "./trpc";

export const appRouter = router({
  graph: graphRouter,
  health: healthRouter,
  palette: paletteRouter,
  project: projectRouter,
});
export type AppRouter = typeof appRouter;
export const createCaller = createCallerFactory(appRouter);
