// Comparing: any two boxes, what was sent at any two steps, what is worth comparing with a box, and any two runs.
import { BoxDiff, BoxPartners } from "@/server/contract/answers/box-diff";
import { RunComparison } from "@/server/contract/answers/run-comparison";
import { BoxDiffQuery } from "@/server/contract/box-diff/box-diff";
import { CompareQuery } from "@/server/contract/run-compare/run-comparison";
import { compareRuns } from "@/server/kernel/debugger/compare-runs";
import { diffBoxes } from "@/server/kernel/debugger/diff-boxes";
import { diffSteps } from "@/server/kernel/debugger/diff-steps";
import { readPartners } from "@/server/kernel/debugger/read-partners";
import { id, route } from "../route";

export const comparisonRoutes = [
  route({
    operationId: "diffBoxes",
    method: "GET",
    path: "/projects/{project_id}/boxes/{box_id}/diff/{other}",
    summary: "Compare two boxes: one verdict a card, and what changed inside rewritten ones",
    query: BoxDiffQuery,
    answer: BoxDiff,
    call: ({ kernel, params, query }) =>
      diffBoxes(kernel, {
        ...{ project_id: id(params, "project_id"), a: id(params, "box_id"), b: id(params, "other") },
        ...query,
      }),
  }),
  route({
    operationId: "diffSteps",
    method: "GET",
    path: "/projects/{project_id}/steps/{step_id}/diff/{other}",
    summary: "Compare what a model was sent at two steps",
    query: BoxDiffQuery,
    answer: BoxDiff,
    call: ({ kernel, params, query }) =>
      diffSteps(kernel, {
        ...{ project_id: id(params, "project_id"), a: id(params, "step_id"), b: id(params, "other") },
        ...query,
      }),
  }),
  route({
    operationId: "listPartners",
    method: "GET",
    path: "/projects/{project_id}/boxes/{box_id}/partners",
    summary:
      "List the boxes to compare this one with: of its caller, the turn or step before it, its siblings, and forks and re-runs",
    answer: BoxPartners,
    call: ({ kernel, params }) =>
      readPartners(kernel, { project_id: id(params, "project_id"), box_id: id(params, "box_id") }),
  }),
  route({
    operationId: "compareRuns",
    method: "GET",
    path: "/projects/{project_id}/runs/{root_turn_id}/compare/{other}",
    summary: "Compare two runs turn by turn: what became of each, and the first place where they part",
    query: CompareQuery,
    answer: RunComparison,
    call: ({ kernel, params, query }) =>
      compareRuns(kernel, {
        ...{ project_id: id(params, "project_id"), a: id(params, "root_turn_id"), b: id(params, "other") },
        ...query,
      }),
  }),
];
