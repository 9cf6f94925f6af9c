// The limits of a run: a person raises or lifts them while it runs.
import { RunLimitsState } from "@/server/contract/answers/runs";
import { RunLimitsPatch } from "@/server/contract/run-limits";
import { setRunLimits } from "@/server/kernel/turns/set-run-limits";
import { id, route } from "../route";

export const runRoutes = [
  route({
    operationId: "setRunLimits",
    method: "PATCH",
    path: "/projects/{project_id}/runs/{root_turn_id}/limits",
    summary: "Set, raise or lift (null) the limits of a run. Held turns go on as far as there is room",
    body: RunLimitsPatch,
    answer: RunLimitsState,
    call: ({ kernel, params, body }) =>
      setRunLimits(kernel, {
        project_id: id(params, "project_id"),
        root_turn_id: id(params, "root_turn_id"),
        limits: body,
      }),
  }),
];
