// How each route can refuse a request, in the words of the list of failure codes.
import { errorCodes } from "@/server/contract/failure-codes";
import { failures } from "@/server/contract/failures";
import type { Json } from "./components";
import { isReading, type Route } from "./route";

export const errorSchema = {
  type: "object",
  required: ["detail"],
  properties: {
    detail: {
      type: "object",
      required: ["error_code", "error_message"],
      properties: {
        error_code: { type: "string", enum: errorCodes },
        error_message: { type: "string", description: "The cause and the remedy." },
        detail: { type: "object", additionalProperties: true },
      },
    },
  },
};

const header = (description: string, type: string) => ({ description, schema: { type } });
const headers: Record<number, Json> = {
  405: { Allow: header("The methods that this path takes.", "string") },
  429: { "Retry-After": header("Seconds to wait before you send the request again.", "integer") },
  503: { "Retry-After": header("Seconds to wait before you send the request again.", "integer") },
};

const statuses = [...new Set(errorCodes.map((code) => failures[code].status))]
  .filter((status) => status !== null)
  .sort((a, b) => a - b);

const nameOf = (status: number) => `Refused${status}`;

const NOT_LOGGED_IN = 401;

export const refusals: Record<string, Json> = Object.fromEntries([
  [
    nameOf(NOT_LOGGED_IN),
    {
      description: "`auth_failed`: The request has no valid token and no session.",
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    },
  ],
  ...statuses.map((status) => [
    nameOf(status),
    {
      description: errorCodes
        .filter((code) => failures[code].status === status)
        .map((code) => `\`${code}\`: ${failures[code].cause}`)
        .join("\n"),
      ...(headers[status] && { headers: headers[status] }),
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    },
  ]),
]);

/** Errors of reading a body, and of a refused change. */
const ofBody = new Set([408, 413, 415, 422]);
const ofChange = new Set([409]);

export function refusalRefs(r: Route): Json {
  const hasBody = !isReading(r.method);
  const own = [...statuses, ...(r.isOpen ? [] : [NOT_LOGGED_IN])].filter((status) => {
    if (ofBody.has(status)) return hasBody;
    if (ofChange.has(status)) return hasBody;
    if (status === 404) return r.path.includes("{");
    return !(r.isOpen && status === 503);
  });
  return Object.fromEntries(
    own.map((status) => [String(status), { $ref: `#/components/responses/${nameOf(status)}` }]),
  );
}
