// Every route. A path with a verb comes before the same path without one only where both would match.
import { openApiRoutes } from "./openapi";
import type { Route } from "./route";
import { agentRoutes } from "./routes/agents";
import { alarmRoutes } from "./routes/alarms";
import { artifactRoutes } from "./routes/artifacts";
import { batchRoutes } from "./routes/batches";
import { blameRoutes } from "./routes/blame";
import { boxRoutes } from "./routes/boxes";
import { bundleRoutes } from "./routes/bundles";
import { cardRoutes } from "./routes/cards";
import { comparisonRoutes } from "./routes/comparisons";
import { contextPackRoutes } from "./routes/context-packs";
import { deletionRoutes } from "./routes/deletions";
import { envDataRoutes } from "./routes/env-data";
import { eventRoutes } from "./routes/events";
import { healthRoutes } from "./routes/health";
import { humanRequestRoutes } from "./routes/human-requests";
import { importRoutes } from "./routes/imports";
import { inboxRoutes } from "./routes/inbox";
import { messageRoutes } from "./routes/messages";
import { namedArtifactRoutes } from "./routes/named-artifacts";
import { packRoutes } from "./routes/packs";
import { peopleRoutes } from "./routes/people";
import { planRunRoutes } from "./routes/plan-runs";
import { planRoutes } from "./routes/plans";
import { pmoRoutes } from "./routes/pmo";
import { profileRoutes } from "./routes/profiles";
import { projectRoutes } from "./routes/projects";
import { recipeRoutes } from "./routes/recipes";
import { runRoutes } from "./routes/runs";
import { schemaRoutes } from "./routes/schemas";
import { searchRoutes } from "./routes/search";
import { stateRoutes } from "./routes/state";
import { toolRoutes } from "./routes/tools";
import { turnWorkRoutes } from "./routes/turn-work";
import { turnRoutes } from "./routes/turns";
import { viewRoutes } from "./routes/views";
import { workerRoutes } from "./routes/workers";
import { workspaceRoutes } from "./routes/workspaces";

const served: Route[] = [
  ...healthRoutes,
  ...projectRoutes,
  ...profileRoutes,
  ...toolRoutes,
  ...recipeRoutes,
  ...agentRoutes,
  ...artifactRoutes,
  ...namedArtifactRoutes,
  ...schemaRoutes,
  ...contextPackRoutes,
  ...workspaceRoutes,
  ...cardRoutes,
  ...blameRoutes,
  ...boxRoutes,
  ...comparisonRoutes,
  ...packRoutes,
  ...pmoRoutes,
  ...planRoutes,
  ...planRunRoutes,
  ...runRoutes,
  ...deletionRoutes,
  ...peopleRoutes,
  ...bundleRoutes,
  ...turnRoutes,
  ...turnWorkRoutes,
  ...batchRoutes,
  ...inboxRoutes,
  ...humanRequestRoutes,
  ...workerRoutes,
  ...messageRoutes,
  ...searchRoutes,
  ...viewRoutes,
  ...alarmRoutes,
  ...stateRoutes,
  ...envDataRoutes,
  ...importRoutes,
  ...eventRoutes,
];

export const routes: Route[] = [...served, ...openApiRoutes(served)];
