// Environment data of a run, for other programs. The root turn identifies the run.
import * as z from "zod";
import { EnvEntry, EnvLine } from "@/server/contract/answers/env-data";
import { listAnswer } from "@/server/contract/answers/page";
import { EnvKey, PutEnvData } from "@/server/contract/env-data";
import { KernelError } from "@/server/contract/errors";
import { shapeFault } from "@/server/contract/shape-fault";
import { deleteEnvData } from "@/server/kernel/envdata/delete";
import { getEnvData } from "@/server/kernel/envdata/get";
import { listEnvData } from "@/server/kernel/envdata/list";
import { storeEnvData } from "@/server/kernel/envdata/store";
import { isFenced } from "@/server/kernel/turns/fenced";
import { id, reply, route } from "../route";

const path = "/projects/{project_id}/env/{root_turn_id}";

/** The author of writes from outside, as in a launch without a name. */
const user = "local";

export const envDataRoutes = [
  route({
    operationId: "listEnvData",
    method: "GET",
    path,
    summary: "List the keys of a run's environment data in order, without values",
    answer: listAnswer(EnvLine),
    call: async ({ kernel, params }) => ({ items: await listEnvData(kernel, ofTurn(params)) }),
  }),
  route({
    operationId: "getEnvData",
    method: "GET",
    path: `${path}/{key}`,
    summary: "Get a key of a run's environment data with its value",
    answer: EnvEntry,
    call: ({ kernel, params }) => getEnvData(kernel, { ...ofTurn(params), key: keyOf(params) }),
  }),
  route({
    operationId: "putEnvData",
    method: "PUT",
    path: `${path}/{key}`,
    summary: "Store a value under a key and replace the previous one: any JSON except null, at most 100 KiB",
    body: PutEnvData,
    answer: EnvEntry,
    call: async ({ kernel, params, body }) => {
      const stored = await storeEnvData(kernel, { ...byHand(params), ...body, value: body.value });
      if (isFenced(stored)) throw new Error("a person holds no lease to lose");
      if (!stored.entry) throw new Error("a stored value has an entry");
      return stored.entry;
    },
  }),
  route({
    operationId: "deleteEnvData",
    method: "DELETE",
    path: `${path}/{key}`,
    summary: "Delete a key and its value",
    body: z.strictObject({}),

    status: 204,
    call: async ({ kernel, params }) => {
      await deleteEnvData(kernel, byHand(params));
      return reply(204);
    },
  }),
];

type Params = Record<string, string>;

const ofTurn = (params: Params) => ({
  project_id: id(params, "project_id"),
  agent_turn_id: id(params, "root_turn_id"),
});

const byHand = (params: Params) => ({
  project_id: id(params, "project_id"),
  by: { root_turn_id: id(params, "root_turn_id"), user },
  key: keyOf(params),
});

function keyOf({ key }: Params): string {
  const parsed = EnvKey.safeParse(key);
  if (!parsed.success) throw new KernelError("bad_request", `key: ${shapeFault(parsed.error).message}`);
  return parsed.data;
}
