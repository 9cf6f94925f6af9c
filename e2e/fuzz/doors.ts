// Every entry point: the routes of the OpenAPI document that the server itself serves, and the procedures of the routers with
// their own input schemas. A route that is added is tested at the next run.
import * as z from "zod";
import { appRouter } from "@/server/api/root";

export type Schema = Record<string, unknown>;
export type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
export type Door = {
  kind: "rest" | "trpc";
  name: string;
  method: string;
  /** REST: with {names}. tRPC: the procedure's. */
  path: string;
  parameters: Parameter[];
  body?: Schema;
  /** It accepts YAML and uploads too. */
  isDocument: boolean;
  isMutation: boolean;
  isStream: boolean;
};

type Operation = {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses?: Record<string, { content?: Record<string, unknown> }>;
};

export async function listDoors(url: string): Promise<Door[]> {
  const document = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  const rest = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      restDoor(path, method.toUpperCase(), whole(operation, document.components.schemas)),
    ),
  );
  return [...rest, ...procedures()];
}

/** With each reference replaced by the shape it names; a shape that contains itself accepts anything there. */
function whole<T>(value: T, shapes: Record<string, Schema>, inside: string[] = []): T {
  if (Array.isArray(value)) return value.map((one) => whole(one, shapes, inside)) as T;
  if (value === null || typeof value !== "object") return value;
  const name = "$ref" in value && typeof value.$ref === "string" ? value.$ref.split("/schemas/")[1] : undefined;
  if (name !== undefined) return (inside.includes(name) ? {} : whole(shapes[name], shapes, [...inside, name])) as T;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, whole(one, shapes, inside)])) as T;
}

function restDoor(path: string, method: string, { parameters = [], requestBody, responses }: Operation): Door {
  const content = requestBody?.content ?? {};
  const said = Object.values(responses ?? {}).flatMap((response) => Object.keys(response.content ?? {}));
  return {
    kind: "rest",
    name: `${method} ${path}`,
    method,
    path,
    parameters,
    body: content["application/json"]?.schema,
    isDocument: "text/yaml" in content,
    isMutation: method !== "GET",
    isStream: said.includes("text/event-stream"),
  };
}

type Procedure = { _def: { type: "query" | "mutation" | "subscription"; inputs: z.ZodType[] } };

function procedures(): Door[] {
  const known = appRouter._def.procedures as unknown as Record<string, Procedure>;
  return Object.entries(known).map(([name, { _def }]) => ({
    kind: "trpc",
    name: `${_def.type} ${name}`,
    method: _def.type === "mutation" ? "POST" : "GET",
    path: name,
    parameters: [],
    body: _def.inputs[0] && (z.toJSONSchema(_def.inputs[0], { io: "input", unrepresentable: "any" }) as Schema),
    isDocument: false,
    isMutation: _def.type === "mutation",
    isStream: _def.type === "subscription",
  }));
}
