// Boxes: read, create and fork. A box is never changed in place.
import * as z from "zod";
import { BoxAsSent } from "@/server/contract/answers/box-as-sent";
import { BatchBoxes, Box, BoxCard, BoxDetail } from "@/server/contract/answers/boxes";
import { pageAnswer } from "@/server/contract/answers/page";
import { INT_MAX } from "@/server/contract/bounds";
import { boxKinds } from "@/server/contract/box";
import { GivenCard } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import { Id } from "@/server/contract/ids";
import { PageQuery } from "@/server/contract/page";
import { batchBoxes } from "@/server/kernel/cardbox/batch-boxes";
import { createBoxes } from "@/server/kernel/cardbox/create-boxes";
import { forkBox } from "@/server/kernel/cardbox/fork-box";
import { gatherBox } from "@/server/kernel/cardbox/gather-box";
import { insertCards } from "@/server/kernel/cardbox/insert-cards";
import { listBoxes } from "@/server/kernel/cardbox/list-boxes";
import { readBox } from "@/server/kernel/cardbox/read-box";
import { readBoxCards } from "@/server/kernel/cardbox/read-box-cards";
import { refuseLarge } from "@/server/kernel/cardbox/refuse-large";
import { readBoxAsSent } from "@/server/kernel/read-models/read-box-as-sent";
import { readProject } from "@/server/kernel/roster/read-project";
import { withUnit } from "@/server/kernel/unit";
import { id, route } from "../route";

const BoxesQuery = PageQuery.extend({
  kind: z.enum(boxKinds).optional(),
  owner_agent_id: Id.optional(),
  owner_turn_id: Id.optional(),
}).strict();
const NewBox = z.strictObject({
  card_ids: z.array(Id).max(10_000).optional(),
  cards: z.array(GivenCard).max(500).optional(),
});
const CardsQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(200),
  before: z.coerce.number().int().min(0).max(INT_MAX).optional(),
});

export const boxRoutes = [
  route({
    operationId: "listBoxes",
    method: "GET",
    path: "/projects/{project_id}/boxes",
    summary: "List boxes, newest first",
    query: BoxesQuery,
    answer: pageAnswer(Box),
    call: async ({ kernel, params, query }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      return listBoxes(kernel, { project_id, ...query });
    },
  }),
  route({
    operationId: "createBox",
    method: "POST",
    path: "/projects/{project_id}/boxes",
    summary: "Create a box from existing cards (`card_ids`) or new ones (`cards`)",
    body: NewBox,
    answer: BoxDetail,
    status: 201,
    call: async ({ kernel, params, body }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      if ((body.card_ids === undefined) === (body.cards === undefined))
        throw new KernelError("bad_request", "body: give either card_ids or cards");
      for (const [i, card] of (body.cards ?? []).entries()) refuseLarge(card, `cards.${i}`);
      const { box_id } = await withUnit(kernel, async (unit) => {
        if (!body.cards) return gatherBox(unit, { project_id, card_ids: body.card_ids ?? [] });
        const cards = body.cards.map((c) => ({ ...c, author_id: c.author_id ?? "operator" }));
        const items = (await insertCards(unit, { project_id, cards })).map((card) => ({ ...card, origin: "given" }));
        const [box] = await createBoxes(unit, { project_id, boxes: [{ kind: "plain", items }] });
        if (!box) throw new Error("a box was asked for and none came back");
        return box;
      });
      return readBox(kernel, { project_id, box_id });
    },
  }),
  route({
    operationId: "batchGetBoxes",
    method: "POST",
    path: "/projects/{project_id}/boxes/batch",
    summary: "Get several boxes by id, at most 100 different ones; `hydrate` adds the last `limit` cards of each",
    body: z.strictObject({
      box_ids: z.array(z.string()).max(10_000),
      hydrate: z.boolean().default(false),
      limit: z.int().min(-INT_MAX).max(INT_MAX).optional(),
    }),
    answer: BatchBoxes,
    call: async ({ kernel, params, body }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      return batchBoxes(kernel, { project_id, ...body });
    },
  }),
  route({
    operationId: "getBox",
    method: "GET",
    path: "/projects/{project_id}/boxes/{box_id}",
    summary: "Get a box with its card ids in order",
    answer: BoxDetail,
    call: ({ kernel, params }) =>
      readBox(kernel, { project_id: id(params, "project_id"), box_id: id(params, "box_id") }),
  }),
  route({
    operationId: "listBoxCards",
    method: "GET",
    path: "/projects/{project_id}/boxes/{box_id}/cards",
    summary: "List the last `limit` cards of a box in order, or those before a position",
    query: CardsQuery,
    answer: z.array(BoxCard),
    call: async ({ kernel, params, query }) => {
      const found = await readBoxCards(kernel, {
        project_id: id(params, "project_id"),
        box_id: id(params, "box_id"),
        ...query,
      });
      return found.cards;
    },
  }),
  route({
    operationId: "getBoxAsSent",
    method: "GET",
    path: "/projects/{project_id}/boxes/{box_id}/as-sent",
    summary: "Get a box as the model sees it: messages, with the system prompt of the newest turn that reads the box",
    answer: BoxAsSent,
    call: ({ kernel, params }) =>
      readBoxAsSent(kernel, { project_id: id(params, "project_id"), box_id: id(params, "box_id") }),
  }),
  route({
    operationId: "forkBox",
    method: "POST",
    path: "/projects/{project_id}/boxes/{box_id}:fork",
    summary: "Create a box that shares the first `upto` cards of this one",
    body: z.strictObject({ upto: z.int().min(0).max(INT_MAX).optional() }),
    answer: BoxDetail,
    status: 201,
    call: async ({ kernel, params, body }) => {
      const project_id = id(params, "project_id");
      const { box_id } = await withUnit(kernel, (unit) =>
        forkBox(unit, { project_id, box_id: id(params, "box_id"), ...body }),
      );
      return readBox(kernel, { project_id, box_id });
    },
  }),
];
