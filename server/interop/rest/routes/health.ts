// What a load balancer asks, and the description of everything else.
import pkg from "@/package.json" with { type: "json" };
import { readHealth } from "@/server/kernel/read-models/read-health";
import { reply, route } from "../route";

export const healthRoutes = [
  route({
    method: "GET",
    path: "/health",
    summary:
      "What runs, and what keeps turns waiting; 503 when the database is away. Without the token: its status alone",
    answer: "Health",
    isOpen: true,
    call: async ({ kernel, isAnonymous }) => {
      const health = await readHealth(kernel, pkg.version);
      return reply(health.status === "down" ? 503 : 200, isAnonymous ? { status: health.status } : health);
    },
  }),
];
