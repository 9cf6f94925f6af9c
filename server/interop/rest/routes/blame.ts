// Questions about where words come from.
import { BlameAnswer } from "@/server/contract/answers/blame";
import { BlameBody } from "@/server/contract/blame";
import { blame } from "@/server/kernel/debugger/blame";
import { id, route } from "../route";

export const blameRoutes = [
  route({
    operationId: "blame",
    method: "POST",
    path: "/projects/{project_id}/blame",
    summary: "Follow the words of a card, or a text of a run, back to the card that said them first",
    description:
      "Give `card_id`, with `start` and `end` for some of its text (UTF-16 units of the text that pages show), or `text` and `root_turn_id`. Each hop is a card that carries the words of the one before it, and `evidence` says how. It writes nothing.",
    body: BlameBody,
    answer: BlameAnswer,
    call: ({ kernel, params, body }) => blame(kernel, { project_id: id(params, "project_id"), ...body }),
  }),
];
