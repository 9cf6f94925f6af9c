// The OpenAPI 3.1 document, generated from the routes themselves and their zod shapes. Programs generate clients from it
// (docs/rest.md), so operation ids and the names of schemas stay as they are.
import { setImmediate as nextTurn } from "node:timers/promises";
import * as z from "zod";
import pkg from "@/package.json" with { type: "json" };
import { CheckInput } from "@/server/contract/plan/plan-record";
import { WrittenPlan } from "@/server/contract/plan/written-plan";
import { env } from "@/server/env";
import { Components, type Json } from "./components";
import { errorSchema, refusalRefs, refusals } from "./openapi-refusals";
import { isReading, type Route, route } from "./route";

export function openApiRoutes(routes: Route[]): Route[] {
  let document: ReturnType<typeof openApi> | undefined;
  const own = route({
    operationId: "getOpenApi",
    method: "GET",
    path: "/openapi.json",
    summary: "Get this OpenAPI document",
    answer: OpenApiDocument,
    call: async () => {
      document ??= openApi([...routes, own]);
      return document;
    },
  });
  return [own];
}

/** Made once, route by route: a new process needs up to a second for all of them, and other requests do not wait for that. */
async function openApi(routes: Route[]) {
  const shapes = new Components({ PlanBody: WrittenPlan, PlanToCheck: z.union([WrittenPlan, CheckInput]) });
  const paths: Record<string, Json> = {};
  for (const r of routes) {
    const at = paths[r.path] ?? {};
    at[r.method.toLowerCase()] = operation(r, shapes);
    paths[r.path] = at;
    await nextTurn();
  }
  const tags = [...new Set(routes.map(tagOf))].map((name) => ({ name }));
  return {
    openapi: "3.1.0",
    info: {
      title: "Switchyard",
      version: pkg.version,
      description: "Cards, boxes, turns and launches. An action follows the last colon of a path.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/api/v1" }],
    tags,
    paths,
    // Empty = open, said aloud: absent, a linter asks what was forgotten.
    security: isTokenAsked() ? [{ bearer: [] }] : [],
    components: {
      schemas: { Error: errorSchema, ...shapes.schemas },
      responses: refusals,
      ...(isTokenAsked() && { securitySchemes: { bearer: bearerScheme } }),
    },
  };
}

const isTokenAsked = () => env().SWITCHYARD_TOKEN !== undefined;
const bearerScheme = { type: "http", scheme: "bearer", description: "The value of SWITCHYARD_TOKEN on the server." };

function operation(r: Route, shapes: Components): Json {
  const status = String(r.status ?? 200);
  return {
    operationId: r.operationId,
    tags: [tagOf(r)],
    summary: r.summary,
    ...(r.description !== undefined && { description: r.description }),
    parameters: [
      ...pathParameters(r),
      ...queryParameters(r, shapes),
      ...(isIdempotent(r) ? [idempotencyKey] : []),
      ...(r.event ? [lastEventId] : []),
    ],
    ...(r.body || r.accepts
      ? {
          requestBody: {
            required: r.accepts !== undefined || isRequired(r.shownBody ?? r.body),
            content: bodyContent(r, shapes),
          },
        }
      : {}),
    // An empty requirement: the token is optional.
    ...(r.isOpen && isTokenAsked() && { security: [{}, { bearer: [] }] }),
    responses: {
      [status]: { description: saidOf(r), ...answerContent(r, shapes) },
      ...(r.sameStatus && { [r.sameStatus]: { description: "Nothing changed", ...answerContent(r, shapes) } }),
      ...(r.isOpen && { "503": { description: "The database is down.", ...answerContent(r, shapes) } }),
      ...refusalRefs(r),
    },
  };
}

const saidOf = (r: Route): string =>
  r.event ? "Server-sent events" : r.status === 201 ? "Created" : r.status === 204 ? "No content" : "Success";

const isIdempotent = (r: Route) => !isReading(r.method) && r.accepts !== "stream";
const isRequired = (body: z.ZodType | undefined) => body !== undefined && !body.safeParse({}).success;
const json = (schema: Json) => ({ "application/json": { schema } });
const binary = { type: "string", format: "binary" };
/** foreign-bytes.ts: small pictures are named, anything else is a download. */
const storedTypes = ["application/octet-stream", "image/png", "image/jpeg", "image/gif", "image/webp"];
const text = { schema: { type: "string" } };

function answerContent(r: Route, shapes: Components): Json {
  if (r.event) return { content: { "text/event-stream": { schema: shapes.output(r.event) } } };
  if (r.method === "HEAD") return {};
  if (r.isBytes)
    return {
      content: Object.fromEntries(
        (r.answerType ? [r.answerType] : storedTypes).map((type) => [type, { schema: binary }]),
      ),
    };
  return r.answer ? { content: { [r.answerType ?? "application/json"]: { schema: shapes.output(r.answer) } } } : {};
}

function bodyContent(r: Route, shapes: Components): Json {
  if (r.accepts === "document" || r.accepts === "plan")
    return {
      "application/json": { schema: r.body ? shapes.input(r.body) : { type: "object" } },
      "text/yaml": text,
      "multipart/form-data": { schema: { type: "object", properties: { file: { type: "string" } } } },
    };
  const body = r.shownBody ?? r.body;
  if (r.takesBytes) return { ...(body && json(shapes.input(body))), "*/*": { schema: binary } };
  return json(body ? shapes.input(body) : { type: "object" });
}

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: { type: "string", maxLength: 200 },
  description: "A repeated request with the same key gets the same answer, and the work is done once.",
};

const lastEventId = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  schema: { type: "string" },
  description: "Continue after the event with this id, where events have ids.",
};

const pathParameters = (r: Route): Json[] =>
  [...r.path.matchAll(/\{(\w+)\}/g)].map((found) => ({
    name: found[1],
    in: "path",
    required: true,
    schema: { type: "string" },
  }));

function queryParameters(r: Route, shapes: Components): Json[] {
  if (!r.query) return [];
  const { properties = {}, required = [] } = shapes.input(r.query) as {
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

/** The resource: what follows the project in the path. */
function tagOf({ path }: Route): string {
  const [first = "", , resource] = path.slice(1).split("/");
  return (resource ?? first).replace(/[:.].*$/, "");
}

const OpenApiDocument = z
  .looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) })
  .meta({ id: "OpenApiDocument" });
