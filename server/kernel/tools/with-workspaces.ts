// Where a tool takes what a pack is to be built from, an agent whose profile names workspaces is told of them. Others are not:
// three parameters at five places would cost them tokens with every request.
import { isRecord } from "@/server/contract/is-record";
import { packParameters } from "./pack-parameters";

const workspaceParameters = (names: readonly string[]) => ({
  workspace: {
    type: "string",
    enum: [...names],
    description: "A workspace of yours. Its documents and files are searched.",
  },
  search: { type: "string", description: "Words to look for in the workspace. Default: the goal." },
  files: { type: "array", items: { type: "string" }, description: "Paths in the workspace that matter most." },
});

/** The same object where nothing changes. Pure. */
export function withWorkspaces<T>(schema: T, names: readonly string[]): T {
  if (names.length === 0) return schema;
  return within(schema, workspaceParameters(names)) as T;
}

function within(node: unknown, added: object): unknown {
  if (Array.isArray(node)) return node.map((one) => within(one, added));
  if (!isRecord(node)) return node;
  if (node.goal === packParameters.goal) return { ...node, ...added };
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, within(value, added)]));
}
