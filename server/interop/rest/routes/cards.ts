// Cards: created once, read by id or searched for; their content can be deleted.
import * as z from "zod";
import { Card } from "@/server/contract/answers/cards";
import { CardHolders, Deletion } from "@/server/contract/answers/deletions";
import { pageAnswer } from "@/server/contract/answers/page";
import { Sightings } from "@/server/contract/answers/sightings";
import { GivenCard, Role } from "@/server/contract/card";
import { DeletionBody } from "@/server/contract/deletion";
import { Id } from "@/server/contract/ids";
import { PageQuery } from "@/server/contract/page";
import { SightingsQuery } from "@/server/contract/sightings";
import { StopBody } from "@/server/contract/work";
import { deleteCard } from "@/server/kernel/artifacts/delete-card";
import { batchCards, getCard } from "@/server/kernel/cardbox/get-cards";
import { insertCards } from "@/server/kernel/cardbox/insert-cards";
import { listCards } from "@/server/kernel/cardbox/list-cards";
import { readSightings } from "@/server/kernel/cardbox/read-sightings";
import { refuseLarge } from "@/server/kernel/cardbox/refuse-large";
import { eraseCard } from "@/server/kernel/deletion/erase-card";
import { readCardHolders } from "@/server/kernel/deletion/read-card-holders";
import { readProject } from "@/server/kernel/roster/read-project";
import { withUnit } from "@/server/kernel/unit";
import { id, route } from "../route";

const CardsQuery = PageQuery.extend({
  q: z.string().max(400).optional(),
  type: z.string().max(64).optional(),
  role: Role.optional(),
  author_id: z.string().max(256).optional(),
  agent_turn_id: Id.optional(),
  trace_id: Id.optional(),
  created_after: z.iso.datetime({ offset: true }).optional(),
  created_before: z.iso.datetime({ offset: true }).optional(),
}).strict();

export const cardRoutes = [
  route({
    operationId: "listCards",
    method: "GET",
    path: "/projects/{project_id}/cards",
    summary: "List cards, newest first; `q` searches their text",
    query: CardsQuery,
    answer: pageAnswer(Card),
    call: async ({ kernel, params, query }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      return listCards(kernel, { project_id, ...query });
    },
  }),
  route({
    operationId: "createCards",
    method: "POST",
    path: "/projects/{project_id}/cards",
    summary: "Create cards. The same id with the same content is accepted again; with other content it is 409",
    body: z.strictObject({ cards: z.array(GivenCard).min(1).max(500) }),
    answer: z.strictObject({ cards: z.array(Card) }),
    call: async ({ kernel, params, body }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      for (const [i, card] of body.cards.entries()) refuseLarge(card, `cards.${i}`);
      const cards = body.cards.map((card) => ({ ...card, author_id: card.author_id ?? "operator" }));
      return { cards: await withUnit(kernel, (unit) => insertCards(unit, { project_id, cards })) };
    },
  }),
  route({
    operationId: "batchGetCards",
    method: "POST",
    path: "/projects/{project_id}/cards/batch",
    summary: "Get several cards by id, at most 100 different ones",
    body: z.strictObject({ card_ids: z.array(z.string()).max(10_000) }),
    answer: z.strictObject({ cards: z.array(Card), missing_ids: z.array(z.string()) }),
    call: async ({ kernel, params, body }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      return batchCards(kernel, { project_id, ...body });
    },
  }),
  route({
    operationId: "getCard",
    method: "GET",
    path: "/projects/{project_id}/cards/{card_id}",
    summary: "Get a card",
    answer: Card,
    call: ({ kernel, params }) =>
      getCard(kernel, { project_id: id(params, "project_id"), card_id: id(params, "card_id") }),
  }),
  route({
    operationId: "deleteCard",
    method: "DELETE",
    path: "/projects/{project_id}/cards/{card_id}",
    summary: "Hide a card's content for good. Its id, its places in boxes, its type, author and weight stay",
    description:
      "Turns that have the card go on without its content. Files go with the last card that refers to them. Copies stay: other cards with the same text, requests already sent, and titles and summaries of turns. Deleting twice gives the same answer; the card of a profile is refused with 409.",
    body: z.strictObject({ user: StopBody.shape.user }),
    answer: Card,
    call: ({ kernel, params, body: { user } }) => {
      const one = { project_id: id(params, "project_id"), card_id: id(params, "card_id"), by: `human_${user}` };
      return withUnit(kernel, (unit) => deleteCard(unit, one));
    },
  }),
  route({
    operationId: "eraseCard",
    method: "POST",
    path: "/projects/{project_id}/cards/{card_id}:erase",
    summary: "Remove a card's content from the database, with its copies and the stored requests that contain it",
    description:
      "Deleting a card hides its content and keeps what models were sent. Erasing removes both, and what quotes the card in titles, summaries and questions. Its id, hash, weight and places stay. Other cards with the same words, frames of the journal until they are dropped, and backups keep what they have.",
    body: DeletionBody,
    answer: Deletion,
    call: ({ kernel, params, body: { user, reason } }) =>
      eraseCard(kernel, {
        project_id: id(params, "project_id"),
        card_id: id(params, "card_id"),
        by: `human_${user}`,
        reason,
      }),
  }),
  route({
    operationId: "readCardHolders",
    method: "GET",
    path: "/projects/{project_id}/cards/{card_id}/holders",
    summary: "Count what holds a card before it is erased: boxes, requests, turns, runs, agents, copies",
    answer: CardHolders,
    call: ({ kernel, params }) =>
      readCardHolders(kernel, { project_id: id(params, "project_id"), card_id: id(params, "card_id") }),
  }),
  route({
    operationId: "getSightings",
    method: "GET",
    path: "/projects/{project_id}/cards/{card_id}/sightings",
    summary: "List the boxes, turns and agents that contain or saw a card",
    description:
      "`include=same_words,copies` counts cards with the same content and copies too; each row says why it counts. Of a card in more than 1,000 places the newest are looked at, and `looked_at` says so.",
    query: SightingsQuery,
    answer: Sightings,
    call: ({ kernel, params, query }) =>
      readSightings(kernel, {
        project_id: id(params, "project_id"),
        card_id: id(params, "card_id"),
        include: query.include,
      }),
  }),
];
