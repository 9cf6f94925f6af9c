// Health for the banner, the inspector's "no worker" note, the badges next to worker targets, and the first-run screen.
import * as z from "zod";
import pkg from "@/package.json" with { type: "json" };
import { Id } from "@/server/contract/ids";
import { readHealth } from "@/server/kernel/read-models/read-health";
import { readTaker } from "@/server/kernel/read-models/read-taker";
import { readUnserved } from "@/server/kernel/read-models/read-unserved";
import { procedure, router } from "./trpc";

const Asked = z.strictObject({ worker_target: z.string().min(1).max(64), needs_own_worker: z.boolean() });

export const healthRouter = router({
  get: procedure.query(({ ctx }) => readHealth(ctx.kernel, pkg.version)),
  /** Which of these kinds of turns no worker takes now. */
  unserved: procedure
    .input(z.strictObject({ project_id: Id, asked: z.array(Asked).max(100) }))
    .query(({ ctx, input }) => readUnserved(ctx.kernel, input)),
  taker: procedure
    .input(z.strictObject({ project_id: Id, agent_turn_id: Id }))
    .query(({ ctx, input }) => readTaker(ctx.kernel, input)),
});
