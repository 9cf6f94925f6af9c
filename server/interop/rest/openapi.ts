// The OpenAPI 3.1 document, generated from the routes themselves and their zod shapes.
import * as z from "zod";
import pkg from "@/package.json" with { type: "json" };
import { errorCodes } from "@/server/contract/failure-codes";
import { env } from "@/server/env";
import { type Route, route } from "./route";

type Json = Record<string, unknown>;

export function openApiRoutes(routes: Route[]): Route[] {
  let document: Json | undefined;
  return [
    route({
      method: "GET",
      path: "/openapi.json",
      summary: "This document",
      answer: "OpenAPI 3.1",
      call: async () => {
        document ??= openApi(routes);
        return document;
      },
    }),
  ];
}

function openApi(routes: Route[]): Json {
  const paths: Record<string, Json> = {};
  for (const r of routes) {
    const at = paths[r.path] ?? {};
    at[r.method.toLowerCase()] = operation(r);
    paths[r.path] = at;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Switchyard",
      version: pkg.version,
      description: "Cards, boxes, turns and launches. Verbs follow the last colon of a path.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/api/v1" }],
    paths,
    ...(isTokenAsked() && { security: [{ bearer: [] }] }),
    components: {
      schemas: { Error: errorSchema },
      ...(isTokenAsked() && { securitySchemes: { bearer: bearerScheme } }),
    },
  };
}

const isTokenAsked = () => env().SWITCHYARD_TOKEN !== undefined;
const bearerScheme = { type: "http", scheme: "bearer", description: "The value of SWITCHYARD_TOKEN on the server." };

const errorSchema = {
  type: "object",
  required: ["detail"],
  properties: {
    detail: {
      type: "object",
      required: ["error_code", "error_message"],
      properties: {
        error_code: { type: "string", enum: errorCodes },
        error_message: { type: "string" },
        detail: { type: "object" },
      },
    },
  },
};

function operation(r: Route): Json {
  const status = String(r.status ?? 200);
  const failure = {
    description: "Refused: code, message and remedy",
    content: json({ $ref: "#/components/schemas/Error" }),
  };
  return {
    summary: r.summary,
    operationId: operationId(r),
    parameters: [...pathParameters(r), ...queryParameters(r), ...(isIdempotent(r) ? [idempotencyKey] : [])],
    ...(r.body || r.accepts ? { requestBody: { required: true, content: bodyContent(r) } } : {}),
    // An empty requirement: it may be called without.
    ...(r.isOpen && isTokenAsked() && { security: [{}, { bearer: [] }] }),
    responses: { [status]: { description: r.answer }, default: failure },
  };
}

const isIdempotent = (r: Route) => r.method !== "GET" && r.accepts !== "stream";
const json = (schema: Json) => ({ "application/json": { schema } });
const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Json;
const text = { schema: { type: "string" } };

function bodyContent(r: Route): Json {
  if (r.accepts === "document")
    return {
      "application/json": { schema: { type: "object" } },
      "text/yaml": text,
      "multipart/form-data": { schema: { type: "object", properties: { file: { type: "string" } } } },
    };
  return json(r.body ? schemaOf(r.body) : { type: "object" });
}

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: { type: "string", maxLength: 200 },
  description: "The same key and request get the same answer; the work is done once.",
};

const pathParameters = (r: Route): Json[] =>
  [...r.path.matchAll(/\{(\w+)\}/g)].map((found) => ({
    name: found[1],
    in: "path",
    required: true,
    schema: { type: "string" },
  }));

function queryParameters(r: Route): Json[] {
  if (!r.query) return [];
  const { properties = {}, required = [] } = schemaOf(r.query) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function operationId(r: Route): string {
  const words = r.path.replace(/[{}]/g, "").split(/[/:.]/).filter(Boolean);
  return [r.method.toLowerCase(), ...words].join("_");
}
