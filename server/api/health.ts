// Health for the banner, the inspector's "no worker takes turns for X", and the first-run screen.

import pkg from "@/package.json" with { type: "json" };
import { readHealth } from "@/server/kernel/read-models/read-health";
import { procedure, router } from "./trpc";

export const healthRouter = router({ get: procedure.query(({ ctx }) => readHealth(ctx.kernel, pkg.version)) });
