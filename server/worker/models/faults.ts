// What went wrong at a provider: whether it is temporary, when to try again, and a message that a person can act on.

import { APICallError } from "ai";
import { windowOf } from "@/server/contract/models";
import type { Endpoint } from "./endpoint";
import type { LlmSettings } from "./llm-settings";
import { ModelError } from "./model";
import { BrokenOff } from "./read-answer";
import { retryAfterMs } from "./retry-after";

export class TimedOut extends Error {
  constructor(
    message: string,
    readonly is_final = false,
  ) {
    super(message);
  }
}

/** `message` says what happened, without a remedy if it may pass. */
export type Fault = { passes: true; message: string; after_ms: number | null } | { passes: false; error: ModelError };

/** No text here is scrubbed yet. */
export function faultOf(error: unknown, endpoint: Endpoint, settings: LlmSettings): Fault {
  if (error instanceof ModelError) return final(windowed(error, settings));
  if (error instanceof TimedOut)
    return error.is_final
      ? final(new ModelError("model_timeout", `${endpoint.provider}: ${error.message}; ask for less at once`))
      : passing(error.message);
  if (error instanceof BrokenOff) return passing(error.message);
  if (!APICallError.isInstance(error)) return thrown(error, endpoint, settings);
  const { statusCode: status, responseHeaders: headers = {}, message, responseBody = "" } = error;
  const told = wordsOf(message, responseBody);
  // The answer began normally but could not be read to its end.
  if (status !== undefined && status < 400) return thrown(error.cause ?? new Error(message), endpoint, settings);
  if (status === undefined) return error.isRetryable ? passing(told) : final(bad(endpoint, told));
  return byStatus({ status, told, code: codeIn(responseBody), headers }, endpoint, settings);
}

const passing = (message: string, after_ms: number | null = null): Fault => ({ passes: true, message, after_ms });
const final = (error: ModelError): Fault => ({ passes: false, error });
const bad = ({ provider }: Endpoint, told: string) =>
  new ModelError("model_request_refused", `${provider} refused the request: ${told}`);

function absent(status: string, told: string, endpoint: Endpoint, { provider, model }: LlmSettings): string {
  const { base_url, base_url_name, is_default_url, is_fallback } = endpoint;
  if (is_default_url) return `${provider} has no ${model} (${status}): ${told}. Check llm_config.model`;
  const tried = is_fallback ? "tried /responses, then /chat/completions; the last answered" : "it answered";
  return `nothing fits at ${base_url}, ${tried} ${status}: ${told}. Check ${base_url_name}, and llm_config.model (${model})`;
}

const refusedKey = ({ provider, key_name }: Endpoint, told: string) =>
  new ModelError("model_auth_failed", `${provider} refused the key ${told}. Set ${key_name} to a key that it accepts`);

type Answered = { status: number; told: string; code: string; headers: Record<string, string> };

function byStatus({ status, told, code, headers }: Answered, endpoint: Endpoint, settings: LlmSettings): Fault {
  const { provider, key_name } = endpoint;
  if (isOverflow(status, told, code)) return final(overflow(told, settings));
  // Google answers 400 for a key it does not know.
  if (status === 401 || status === 403 || /API_KEY_INVALID|API key not valid/i.test(`${code} ${told}`))
    return final(refusedKey(endpoint, `(${status}): ${told}`));
  if (/insufficient_quota|billing/i.test(code) || status === 402)
    return final(new ModelError("quota_exceeded", `${provider}: ${told}; top up the account behind ${key_name}`));
  if (status === 404 || (status === 405 && !endpoint.is_default_url))
    return final(new ModelError("model_not_found", absent(`${status}`, told, endpoint, settings)));
  if (status === 408 || status === 409 || status === 429 || status >= 500)
    return passing(`${status} ${told}`, retryAfterMs(headers, Date.now()));
  return final(bad(endpoint, `${status} ${told}`));
}

/** Errors inside a stream are the provider's own objects; everything else is Node's. */
function thrown(error: unknown, endpoint: Endpoint, settings: LlmSettings): Fault {
  const body = error instanceof Error ? error : JSON.stringify(error);
  if (body instanceof Error) {
    // The client could not read what came: often half a line of a stream that was cut off.
    const cause = body.cause instanceof Error ? `: ${body.cause.message}` : "";
    return passing(`${body.message}${cause}`);
  }
  const told = typeof error === "string" ? error : wordsOf("", body ?? "");
  const code = codeIn(body ?? "");
  if (isOverflow(400, told, code)) return final(overflow(told, settings));
  if (/authentication|permission/i.test(code)) return final(refusedKey(endpoint, `inside its answer: ${told}`));
  if (/invalid_request|not_found/i.test(code)) return final(bad(endpoint, told));
  return passing(`the answer broke off: ${told}`);
}

const OVERFLOW =
  /context[_ ]length|context window|maximum context|prompt is too long|input is too long|exceed(s|ed)? (the )?(available )?(context|model token limit|maximum number of tokens)|too many tokens|input token count.*exceeds/i;

function isOverflow(status: number, told: string, code: string): boolean {
  if (code === "context_length_exceeded" || code === "exceed_context_size_error") return true;
  return (status === 400 || status === 413 || status === 422) && (code === "request_too_large" || OVERFLOW.test(told));
}

const overflow = (told: string, settings: LlmSettings) => windowed(new ModelError("context_overflow", told), settings);

/** Names the window. The step knows the cards and names the heaviest. */
function windowed(error: ModelError, settings: LlmSettings): ModelError {
  if (error.code !== "context_overflow") return error;
  const { provider, model } = settings;
  const window = windowOf(settings);
  const holds = window === null ? "" : ` of ${window.toLocaleString("en")} tokens`;
  return new ModelError(
    error.code,
    `the context does not fit into the window${holds} of ${provider}/${model}: ${error.message}`,
    error.usage,
    error.partial,
  );
}

const TOLD_MAX = 600;

/** The provider's own message; a gateway's HTML page is cut. */
function wordsOf(message: string, body: string): string {
  const said = message.trim() || fieldsIn(body, "message")[0] || body.trim() || "no reason was given";
  return said.length > TOLD_MAX ? `${said.slice(0, TOLD_MAX)}…` : said;
}

/** The most specific of the codes that providers give their errors, nested one, two or three levels deep. */
function codeIn(body: string): string {
  const codes = ["code", "type", "status", "reason"].flatMap((name) => fieldsIn(body, name));
  return codes.find((code) => code !== "error" && code !== "invalid_request_error") ?? codes[0] ?? "";
}

function fieldsIn(body: string, name: string): string[] {
  try {
    return textsOf(JSON.parse(body), name);
  } catch {
    return [];
  }
}

function textsOf(value: unknown, name: string): string[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === name && typeof inner === "string" ? [inner] : textsOf(inner, name),
  );
}
