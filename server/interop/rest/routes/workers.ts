// Workers in any language claim work here (docs/workers.md).

import { listAnswer } from "@/server/contract/answers/page";
import { ClaimedWork } from "@/server/contract/answers/work";
import { KernelError } from "@/server/contract/errors";
import { ClaimBody } from "@/server/contract/work";
import { readProject } from "@/server/kernel/roster/read-project";
import { claimWork } from "@/server/kernel/turns/claim-work";
import { registerWorker } from "@/server/kernel/turns/register-worker";
import { longPoll } from "../long-poll";
import { id, route } from "../route";

const REGISTER_MS = 10_000;

export const workerRoutes = [
  route({
    operationId: "claimWork",
    method: "POST",
    path: "/projects/{project_id}/workers:claim",
    summary: "Claim due rows of a worker target; `wait_ms` waits for some. The worker counts as connected for 30 s",
    body: ClaimBody,
    answer: listAnswer(ClaimedWork),
    call: async ({ kernel, params, body, request }) => {
      const project_id = id(params, "project_id");
      const { worker_target, worker_id, version, wait_ms, limit = 1 } = body;
      const { waitMsMax, claimLimit } = kernel.tunables;
      if (wait_ms > waitMsMax)
        throw new KernelError("bad_request", `wait_ms: at most ${waitMsMax} ms; send the request again to wait longer`);
      if (limit > claimLimit) throw new KernelError("bad_request", `limit: at most ${claimLimit} rows at a time`);
      await readProject(kernel, project_id);
      const worker = { project_id, worker_id, targets: [worker_target], version };
      let seenAt = 0;
      const items = await longPoll(kernel, {
        isFor: (ring) =>
          ring.kind === "wakeup" && ring.project_id === project_id && ring.worker_target === worker_target,
        wait_ms,
        signal: request.signal,
        ask: async () => {
          // A worker that waits for the longest allowed time still counts as connected throughout.
          if (Date.now() - seenAt >= REGISTER_MS) {
            await registerWorker(kernel, worker);
            seenAt = Date.now();
          }
          return claimWork(kernel, { project_id, worker_target, worker_id, limit });
        },
      });
      return { items };
    },
  }),
];
