// What the agents of a run share: five tools on one store. Every agent has them; whose run it is they know from the turn.
import * as z from "zod";
import { OneEnvData, StoreEnvData, UpdateEnvData } from "@/server/contract/env-data";
import { parseArgs } from "../delegation/parse-args";
import type { EnvActor, EnvChange } from "../envdata/change";
import { deleteEnvData } from "../envdata/delete";
import { getEnvData } from "../envdata/get";
import { listEnvData } from "../envdata/list";
import { storeEnvData } from "../envdata/store";
import { updateEnvData } from "../envdata/update";
import { type Fenced, isFenced } from "../turns/fenced";
import type { InlineTool, ToolAnswer, ToolContext } from "./inline-tool";

const key = { type: "string", description: "A short name. All agents of this run use the same keys." };
const short_description = {
  type: "string",
  description: "What the value is, in one line. Other agents decide by it whether to read the value.",
};
const value = { description: "Any JSON value except null." };
const object = (properties: Record<string, unknown>, required: string[]) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

export const NOTHING_STORED =
  "No environment data has been stored for this run yet. Store some with store_env_data, and every agent of the run can read it.";

export const envDataTools: InlineTool[] = [
  {
    tool_name: "store_env_data",
    is_universal: true,
    description:
      "Store a value under a key so that all agents of this run can read it. Replaces the value that the key had.",
    parameters: object({ key, short_description, value }, ["key", "short_description", "value"]),
    run: async (context, args) => {
      const given = parseArgs(StoreEnvData, args);
      return answer(await storeEnvData(context.kernel, { ...of(context), ...given, value: given.value }));
    },
  },
  {
    tool_name: "get_env_data",
    is_universal: true,
    description: "Read the value stored under a key in this run.",
    parameters: object({ key }, ["key"]),
    run: async ({ kernel, turn }, args) => {
      const { project_id, agent_turn_id } = turn;
      const entry = await getEnvData(kernel, { project_id, agent_turn_id, key: parseArgs(OneEnvData, args).key });
      const { key, short_description, value, stored_by, updated_at } = entry;
      return { status: "success", result: { key, short_description, value, stored_by, updated_at } };
    },
  },
  {
    tool_name: "list_env_data",
    is_universal: true,
    description: "List the keys stored in this run, with their short descriptions. Read a value with get_env_data.",
    parameters: object({}, []),
    run: async ({ kernel, turn }, args) => {
      parseArgs(z.strictObject({}), args);
      const { project_id, agent_turn_id } = turn;
      const lines = await listEnvData(kernel, { project_id, agent_turn_id });
      if (lines.length === 0) return { status: "success", result: NOTHING_STORED };
      return {
        status: "success",
        result: lines.map(({ key, short_description }) => ({ key, short_description })),
      };
    },
  },
  {
    tool_name: "update_env_data",
    is_universal: true,
    description: "Change the value or the short description of an existing key. What you leave out does not change.",
    parameters: object({ key, short_description, value }, ["key"]),
    run: async (context, args) =>
      answer(await updateEnvData(context.kernel, { ...of(context), ...parseArgs(UpdateEnvData, args) })),
  },
  {
    tool_name: "delete_env_data",
    is_universal: true,
    description: "Delete a key and its value. All agents of this run lose access to it.",
    parameters: object({ key }, ["key"]),
    run: async (context, args) =>
      answer(await deleteEnvData(context.kernel, { ...of(context), key: parseArgs(OneEnvData, args).key })),
  },
];

function of({ turn, tool_call_id }: ToolContext): { project_id: string; by: EnvActor } {
  const { project_id, agent_turn_id, turn_epoch } = turn;
  return { project_id, by: { agent_turn_id, turn_epoch, tool_call_id } };
}

function answer(change: EnvChange | Fenced): ToolAnswer | Fenced {
  if (isFenced(change)) return change;
  return { status: "success", result: { status: change.status, key: change.key } };
}
