// The list of runs, the limits of a run, which a person raises or lifts while it runs, who saw a text in it, and its transcript.
import * as z from "zod";
import { AsOfAnswer } from "@/server/contract/answers/as-of";
import { RunLimitsState, RunPage } from "@/server/contract/answers/runs";
import { SawTextAnswer } from "@/server/contract/answers/saw-text";
import { TranscriptHead, TranscriptPage } from "@/server/contract/answers/transcript";
import { AsOfQuery } from "@/server/contract/run-history";
import { RunLimitsPatch } from "@/server/contract/run-limits";
import { RunsQuery } from "@/server/contract/run-list";
import { SawText } from "@/server/contract/saw-text";
import { TranscriptQuery } from "@/server/contract/transcript";
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
