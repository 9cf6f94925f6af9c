// The codes of failures.ts as types, by where they may be written, and a lookup of a code's entry.
import { type Failure, type FailurePlace, failures } from "./failures";

type Listed = typeof failures;
type HttpStatusCode = `http_${number}`;
type At<P extends FailurePlace> = {
  [C in keyof Listed]: P extends Listed[C]["where"][number] ? C : never;
}[keyof Listed];
type WithHttp<C> = C extends "http_<status>" ? HttpStatusCode : C;

/** Codes that a request is refused with: each has an HTTP status. */
export type ErrorCode = {
  [C in keyof Listed]: Listed[C]["status"] extends number ? C : never;
}[keyof Listed];
/** Codes that Switchyard ends a turn with. Other people's workers and tools may report their own. */
export type TurnCode = WithHttp<At<"turn">>;
/** Codes of a failed tool call, including those of a request that is refused the same way. */
export type CallCode = WithHttp<At<"call">> | ErrorCode;

/** Undefined for a code from somebody else's tool or worker. */
export function failureOf(code: string | undefined): Failure | undefined {
  if (code === undefined) return undefined;
  if (/^http_\d{3}$/.test(code)) return failures["http_<status>"];
  return Object.hasOwn(failures, code) ? failures[code as keyof Listed] : undefined;
}

/** As the OpenAPI document enumerates them. */
export const errorCodes = (Object.keys(failures) as (keyof Listed)[]).filter((code) => failures[code].status !== null);
