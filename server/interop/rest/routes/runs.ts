// The list of runs, one run again, the limits of a run, which a person raises or lifts while it runs, who saw a text in it, and its transcript.
import * as z from "zod";
import { AsOfAnswer } from "@/server/contract/answers/as-of";
import { Deletion, RunHolds } from "@/server/contract/answers/deletions";
import { RunAgents } from "@/server/contract/answers/run-agents";
import { FlowCards, RunFlow } from "@/server/contract/answers/run-flow";
import { RunAgain, RunLimitsState, RunPage } from "@/server/contract/answers/runs";
import { SawTextAnswer } from "@/server/contract/answers/saw-text";
import { TranscriptHead, TranscriptPage } from "@/server/contract/answers/transcript";
import { DeletionBody } from "@/server/contract/deletion";
import { RerunRunBody } from "@/server/contract/rerun";
import { FlowCardsQuery } from "@/server/contract/run-flow";
import { AsOfQuery } from "@/server/contract/run-history";
import { RunLimitsPatch } from "@/server/contract/run-limits";
import { RunsQuery } from "@/server/contract/run-list";
import { SawText } from "@/server/contract/saw-text";
import { TranscriptQuery } from "@/server/contract/transcript";
import { readFlowCards } from "@/server/kernel/debugger/read-flow-cards";
import { readRunAgents } from "@/server/kernel/debugger/read-run-agents";
import { readRunFlow } from "@/server/kernel/debugger/read-run-flow";
import { deleteRun } from "@/server/kernel/deletion/delete-run";
import { readRunHolds } from "@/server/kernel/deletion/read-run-holds";
import { rerunRun } from "@/server/kernel/launch/rerun-run";
import { readAsOf } from "@/server/kernel/read-models/read-as-of";
import { readSawText } from "@/server/kernel/read-models/read-saw-text";
import { readTranscript } from "@/server/kernel/read-models/read-transcript";
import { readTranscriptHead } from "@/server/kernel/read-models/read-transcript-head";
import { listRuns } from "@/server/kernel/search/list-runs";
import { setRunLimits } from "@/server/kernel/turns/set-run-limits";
import { id, route } from "../route";

export const runRoutes = [
  route({
    operationId: "listRuns",
    method: "GET",
    path: "/projects/{project_id}/runs",
    summary: "List runs with their status and figures, newest first, or in another order among the newest",
    query: RunsQuery,
    answer: RunPage,
    call: async ({ kernel, params, query }) => {
      const { live_cursor: _live, ...page } = await listRuns(kernel, {
        project_id: id(params, "project_id"),
        ...query,
      });
      return page;
    },
  }),
  route({
    operationId: "rerunRun",
    method: "POST",
    path: "/projects/{project_id}/runs/{root_turn_id}:rerun",
    summary: "Run what the person launched again, in a run of its own: a delegation, a fork or a plan",
    description:
      "Fresh agents are given the same cards in the same places. A fork keeps its gate, its number at once and its time; of a plan everything runs, with the inputs of its run. The new run has the limits that the run has now. An imported run has nothing to run again: run one of its turns again with a profile.",
    body: RerunRunBody,
    answer: RunAgain,
    status: 201,
    call: ({ kernel, params, body }) =>
      rerunRun(kernel, {
        project_id: id(params, "project_id"),
        root_turn_id: id(params, "root_turn_id"),
        user: body.user,
      }),
  }),
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
  route({
    operationId: "readRunHolds",
    method: "GET",
    path: "/projects/{project_id}/runs/{root_turn_id}/holds",
    summary: "Read what deleting a run would leave: cards that other runs hold too",
    answer: RunHolds,
    call: ({ kernel, params }) =>
      readRunHolds(kernel, { project_id: id(params, "project_id"), root_turn_id: id(params, "root_turn_id") }),
  }),
  route({
    operationId: "deleteRun",
    method: "DELETE",
    path: "/projects/{project_id}/runs/{root_turn_id}",
    summary: "Delete an ended run for good, with its turns, requests, boxes and the cards that nothing else holds",
    description:
      "From the answer on it is in no list, and nothing can be added to it or handed over from it. A large run goes in parts: `ended_at` is absent while rows are left. Cards that another box holds stay. Deleting twice gives the same record; a run that has not ended is refused with 409.",
    body: DeletionBody,
    answer: Deletion,
    call: ({ kernel, params, body: { user, reason } }) =>
      deleteRun(kernel, {
        project_id: id(params, "project_id"),
        root_turn_id: id(params, "root_turn_id"),
        by: `human_${user}`,
        reason,
      }),
  }),
  route({
    operationId: "sawText",
    method: "GET",
    path: "/projects/{project_id}/runs/{root_turn_id}/saw-text",
    summary: "List the cards of a run that contain a text, and the turns that had them",
    description:
      "White space is folded and case is kept; at least 3 characters. Of a run with more than 5,000 turns or 20,000 cards not all are looked at, and `is_partial` says so.",
    query: z.strictObject({ text: SawText }),
    answer: SawTextAnswer,
    call: ({ kernel, params, query }) =>
      readSawText(kernel, {
        project_id: id(params, "project_id"),
        root_turn_id: id(params, "root_turn_id"),
        text: query.text,
      }),
  }),
  route({
    operationId: "readRunFlow",
    method: "GET",
    path: "/projects/{project_id}/runs/{root_turn_id}/flow",
    summary: "Read which cards went from whom to whom in a run, and how much they weigh",
    description:
      "Each card that a turn holds and others wrote counts for one edge: from the turn that wrote it or whose box it was taken from, else from a source. Of a run with more than 5,000 turns or 200,000 places in boxes the newest are looked at, and `is_partial` says so.",
    answer: RunFlow,
    call: ({ kernel, params }) =>
      readRunFlow(kernel, { project_id: id(params, "project_id"), root_turn_id: id(params, "root_turn_id") }),
  }),
  route({
    operationId: "readFlowCards",
    method: "GET",
    path: "/projects/{project_id}/runs/{root_turn_id}/flow/cards",
    summary: "List the cards of one edge of the context flow, in the order of the boxes that hold them",
    query: FlowCardsQuery,
    answer: FlowCards,
    call: ({ kernel, params, query }) =>
      readFlowCards(kernel, {
        ...query,
        project_id: id(params, "project_id"),
        root_turn_id: id(params, "root_turn_id"),
      }),
  }),
  route({
    operationId: "readRunAgents",
    method: "GET",
    path: "/projects/{project_id}/runs/{root_turn_id}/agents",
    summary: "Read the agents of a run: their fullest requests, and who called and made whom",
    description:
      "Of a run with more than 5,000 turns or 20,000 requests the newest are looked at, and `is_partial` says so.",
    answer: RunAgents,
    call: ({ kernel, params }) =>
      readRunAgents(kernel, { project_id: id(params, "project_id"), root_turn_id: id(params, "root_turn_id") }),
  }),
  route({
    operationId: "readRunAsOf",
    method: "GET",
    path: "/projects/{project_id}/runs/{root_turn_id}/as-of",
    summary: "Read a run as it was at a moment",
    description:
      "`at` is an instant as ISO 8601. The frames are those of the event stream. `source` says whether the journal tells them or the times of the rows.",
    query: AsOfQuery,
    answer: AsOfAnswer,
    call: ({ kernel, params, query }) =>
      readAsOf(kernel, {
        project_id: id(params, "project_id"),
        root_turn_id: id(params, "root_turn_id"),
        at: query.at,
      }),
  }),
  route({
    operationId: "readTranscript",
    method: "GET",
    path: "/projects/{project_id}/runs/{root_turn_id}/transcript",
    summary: "Read a run as one conversation: who said what to whom, in the order of time",
    description:
      "A card is told once, when it is written, however many turns had it. An imported log keeps its own order. Texts are cut at 6,000 characters; `letters` says how many there are, and the card has all.",
    query: TranscriptQuery,
    answer: TranscriptPage,
    call: async ({ kernel, params, query }) => {
      const { live_cursor: _live, ...page } = await readTranscript(kernel, {
        ...query,
        project_id: id(params, "project_id"),
        root_turn_id: id(params, "root_turn_id"),
      });
      return page;
    },
  }),
  route({
    operationId: "readTranscriptHead",
    method: "GET",
    path: "/projects/{project_id}/runs/{root_turn_id}/transcript-head",
    summary: "Read who did what in a run, and where it went wrong",
    answer: TranscriptHead,
    call: async ({ kernel, params }) => {
      const { live_cursor: _live, ...head } = await readTranscriptHead(kernel, {
        project_id: id(params, "project_id"),
        root_turn_id: id(params, "root_turn_id"),
      });
      return head;
    },
  }),
];
