// Context packs: built, merged, read, compared and verified. A pack is named by its id, its code (P-31D0) or its SHA-256.
import * as z from "zod";
import {
  PackChanges,
  PackDetail,
  PackEstimate,
  PackHolders,
  PackRecord,
  PackSidecar,
  PacksFound,
} from "@/server/contract/answers/context-packs";
import { PacksToMerge } from "@/server/contract/context-pack/merge-request";
import { PackToBuildOverRest } from "@/server/contract/context-pack/request";
import { PackVerification } from "@/server/contract/context-pack/verification";
import { Id, User } from "@/server/contract/ids";
import { PageQuery } from "@/server/contract/page";
import { buildContextPack } from "@/server/kernel/packs/build-context-pack";
import { diffContextPacks } from "@/server/kernel/packs/diff-context-packs";
import { estimateContextPack } from "@/server/kernel/packs/estimate-context-pack";
import { mergeContextPacks } from "@/server/kernel/packs/merge-context-packs";
import { listPacks, readPack } from "@/server/kernel/packs/read-packs";
import { verifyContextPack } from "@/server/kernel/packs/verify-context-pack";
import { listPackHolders } from "@/server/kernel/read-models/list-pack-holders";
import { readProject } from "@/server/kernel/roster/read-project";
import { id, reply, route } from "../route";

const PacksQuery = PageQuery.extend({ root_turn_id: Id.optional(), q: z.string().max(400).optional() }).strict();
const at = "/projects/{project_id}/context-packs";
/** Who builds it, as its page says. */
const ByUser = z.strictObject({ user: User });

export const contextPackRoutes = [
  route({
    operationId: "listContextPacks",
    method: "GET",
    path: at,
    summary: "List context packs, newest first; `q` searches numbers, and the goals of the newest 1,000",
    query: PacksQuery,
    answer: PacksFound,
    call: async ({ kernel, params, query }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      return listPacks(kernel, { project_id, ...query });
    },
  }),
  route({
    operationId: "buildContextPack",
    method: "POST",
    path: at,
    summary: "Build a context pack from cards and boxes. The same input again answers the pack that is there (200)",
    query: ByUser,
    body: PackToBuildOverRest,
    answer: PackRecord,
    status: 201,
    sameStatus: 200,
    call: async ({ kernel, params, query, body }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      const by = { project_id, created_by: query.user };
      const { record, is_new } = await buildContextPack(kernel, { ...by, request: body });
      return reply(is_new ? 201 : 200, record);
    },
  }),
  route({
    operationId: "estimateContextPack",
    method: "POST",
    path: `${at}:estimate`,
    summary: "Say how large a context pack would be and what it would leave out. Nothing is stored",
    body: PackToBuildOverRest,
    answer: PackEstimate,
    call: async ({ kernel, params, body }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      return estimateContextPack(kernel, { project_id, request: body });
    },
  }),
  route({
    operationId: "mergeContextPacks",
    method: "POST",
    path: `${at}:merge`,
    summary: "Merge context packs into one. Where they disagree the first one wins, and the sidecar says so",
    query: ByUser,
    body: PacksToMerge,
    answer: PackRecord,
    status: 201,
    sameStatus: 200,
    call: async ({ kernel, params, query, body }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      const by = { project_id, created_by: query.user };
      const { record, is_new } = await mergeContextPacks(kernel, { ...by, request: body });
      return reply(is_new ? 201 : 200, record);
    },
  }),
  route({
    operationId: "getContextPack",
    method: "GET",
    path: `${at}/{pack}`,
    summary: "Get a context pack with its content",
    answer: PackDetail,
    call: async ({ kernel, params }) => {
      const { record, pack } = await readPack(kernel, named(params));
      return { ...record, pack };
    },
  }),
  route({
    operationId: "getContextPackSidecar",
    method: "GET",
    path: `${at}/{pack}/sidecar`,
    summary: "Get what a context pack was made from, what was trimmed and redacted, and where its inputs disagree",
    answer: PackSidecar,
    call: async ({ kernel, params }) => (await readPack(kernel, named(params))).sidecar,
  }),
  route({
    operationId: "listContextPackBoxes",
    method: "GET",
    path: `${at}/{pack}/boxes`,
    summary: "List the boxes that hold a context pack, newest first, each with the turn that reads or writes it",
    answer: PackHolders,
    call: ({ kernel, params }) => listPackHolders(kernel, named(params)),
  }),
  route({
    operationId: "verifyContextPack",
    method: "POST",
    path: `${at}/{pack}:verify`,
    summary: "Build a context pack again from its stored sources, and say whether it is the same",
    answer: PackVerification,
    call: ({ kernel, params }) => verifyContextPack(kernel, named(params)),
  }),
  route({
    operationId: "diffContextPacks",
    method: "GET",
    path: `${at}/{pack}/diff/{other}`,
    summary: "Compare two context packs, item by item",
    answer: PackChanges,
    call: ({ kernel, params }) => {
      const { project_id, pack } = named(params);
      return diffContextPacks(kernel, { project_id, before: pack, after: params.other ?? "" });
    },
  }),
];

const named = (params: Record<string, string>): { project_id: string; pack: string } => ({
  project_id: id(params, "project_id"),
  pack: params.pack ?? "",
});
