// The health check for load balancers, and the OpenAPI document.
import * as z from "zod";
import pkg from "@/package.json" with { type: "json" };
import { Health } from "@/server/contract/answers/health";
import { readHealth } from "@/server/kernel/read-models/read-health";
import { reply, route } from "../route";

export const healthRoutes = [
  route({
    operationId: "getHealth",
    method: "GET",
    path: "/health",
    summary:
      "Get the health of the server, and what keeps turns waiting. 503 when the database is down. Without the token: `status` only",
    answer: z.union([Health, Health.pick({ status: true })]),
    isOpen: true,
    call: async ({ kernel, isAnonymous }) => {
      const health = await readHealth(kernel, pkg.version);
      return reply(health.status === "down" ? 503 : 200, isAnonymous ? { status: health.status } : health);
    },
  }),
];
