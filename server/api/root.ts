// The browser's whole API: one router per feature.
import { agentRouter } from "./agent";
import { alarmRouter } from "./alarm";
import { batchRouter } from "./batch";
import { boxRouter } from "./box";
import { cardRouter } from "./card";
import { contextPackRouter } from "./context-pack";
import { debuggerRouter } from "./debugger";
import { delegationRouter } from "./delegation";
import { envDataRouter } from "./env-data";
import { graphRouter } from "./graph";
import { healthRouter } from "./health";
import { inboxRouter } from "./inbox";
import { packRouter } from "./pack";
import { paletteRouter } from "./palette";
import { personRouter } from "./person";
import { planRouter } from "./plan";
import { planRunRouter } from "./plan-run";
import { profileRouter } from "./profile";
import { projectRouter } from "./project";
import { recipeRouter } from "./recipe";
import { runRouter } from "./run";
import { searchRouter } from "./search";
import { createCallerFactory, router } from "./trpc";
import { turnRouter } from "./turn";
import { viewRouter } from "./view";
import { workspaceRouter } from "./workspace";

export const appRouter = router({
  agent: agentRouter,
  alarm: alarmRouter,
  batch: batchRouter,
  box: boxRouter,
  card: cardRouter,
  context_pack: contextPackRouter,
  debugger: debuggerRouter,
  delegation: delegationRouter,
  env_data: envDataRouter,
  profile: profileRouter,
  graph: graphRouter,
  health: healthRouter,
  inbox: inboxRouter,
  turn: turnRouter,
  pack: packRouter,
  palette: paletteRouter,
  person: personRouter,
  plan: planRouter,
  plan_run: planRunRouter,
  project: projectRouter,
  recipe: recipeRouter,
  run: runRouter,
  search: searchRouter,
  view: viewRouter,
  workspace: workspaceRouter,
});
export type AppRouter = typeof appRouter;
export const createCaller = createCallerFactory(appRouter);
