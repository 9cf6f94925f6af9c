// The formats of context packs as JSON Schema, for programs that write or check them.
import * as z from "zod";
import { jsonSchemaOf, schemaNames } from "@/server/contract/context-pack/json-schemas";
import { KernelError } from "@/server/contract/errors";
import { route } from "../route";

export const schemaRoutes = [
  route({
    operationId: "listSchemas",
    method: "GET",
    path: "/schemas",
    summary: "List the formats of context packs, envelopes and join gates that are published as JSON Schema",
    answer: z.strictObject({ items: z.array(z.string()) }),
    call: async () => ({ items: [...schemaNames] }),
  }),
  route({
    operationId: "getSchema",
    method: "GET",
    path: "/schemas/{name}",
    summary: "Get one format as JSON Schema (draft 2020-12)",
    answer: z.record(z.string(), z.unknown()),
    answerType: "application/schema+json",
    call: async ({ params }) => {
      const name = schemaNames.find((one) => one === params.name);
      if (name === undefined)
        throw new KernelError("not_found", `name: no such schema. There are ${schemaNames.join(", ")}`);
      return Response.json(jsonSchemaOf(name), { headers: { "content-type": "application/schema+json" } });
    },
  }),
];
