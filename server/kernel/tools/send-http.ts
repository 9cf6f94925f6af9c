// One request to the service of a tool. Its address and headers are data of a project, so it goes only where the server's
// configuration allows, carries secrets only by reference, follows no redirect elsewhere and reads no answer without end.
import { asText } from "@/server/contract/as-text";
import type { CallCode } from "@/server/contract/failure-codes";
import { fillReferences, type Outbound, refusalOf, strikeOut, strikeOutJson } from "@/server/contract/outbound";
import { type Decoded, decodeAnswer } from "./decode-answer";
import { ForbiddenAddress, toolFetch } from "./tool-fetch";

export type HttpSend = {
  url: string;
  headers: Record<string, string>;
  /** Of a header's value, out of the tool's definition: may refer to `${env:NAME}`. */
  given: Record<string, unknown>;
  body: string;
  timeoutMs: number;
  bytesMax: number;
  outbound: Outbound;
  signal: AbortSignal | undefined;
};

export type HttpReply = ({ status: number; type: string } & Decoded) | { refusal: { code: CallCode; message: string } };

const redirectsMax = 3;
/** A timer that is set for longer rings at once. */
const TIMER_MS_MAX = 2_147_483_647;

/** Rejects only with the signal's reason. */
export async function sendHttp(send: HttpSend): Promise<HttpReply> {
  const { outbound, signal, timeoutMs } = send;
  const url = new URL(send.url);
  const forbidden = refusalOf(outbound, url);
  if (forbidden !== null) return refuse("origin_not_allowed", forbidden);
  const filled = fillHeaders(send.given, (name) => outbound.secret(name, url.origin));
  if ("fault" in filled) return refuse("missing_secret", filled.fault);
  const patience = AbortSignal.timeout(Math.min(timeoutMs, TIMER_MS_MAX));
  const ends = signal ? AbortSignal.any([signal, patience]) : patience;
  try {
    const reply = await post(send, url, { ...filled.headers, ...send.headers }, ends);
    return "text" in reply ? struckOut(reply, filled.values) : reply;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Error && error.cause instanceof ForbiddenAddress)
      return refuse("origin_not_allowed", error.cause.message);
    if (patience.aborted)
      return refuse(
        "tool_timeout",
        `${shown(url)} did not answer within ${timeoutMs / 1000} s; raise options.timeout_seconds, or let the service answer 202 and report later`,
      );
    return refuse("upstream_unavailable", `${shown(url)} cannot be reached: ${causeOf(error)}; try again later`);
  }
}

/** JSON may spell a letter in many ways, and whoever reads it finds the secret again: it is spelled in one first. */
function struckOut<T extends { type: string; text: string }>(reply: T, values: string[]): T {
  if (values.length === 0) return reply;
  const json = /^application\/(.+\+)?json$/.test(reply.type) ? plainly(reply.text) : null;
  if (json !== null) return { ...reply, text: strikeOutJson(json, values) };
  const inJson = values.map((value) => JSON.stringify(value).slice(1, -1));
  return { ...reply, text: strikeOut(reply.text, [...values, ...inJson]) };
}

function plainly(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return null;
  }
}

const refuse = (code: CallCode, message: string): HttpReply => ({ refusal: { code, message } });

/** Without what may be a key. */
const shown = (url: URL): string => `${url.origin}${url.pathname}`;

async function post(send: HttpSend, first: URL, headers: Record<string, string>, signal: AbortSignal) {
  let url = first;
  for (let hops = 0; ; hops++) {
    const answer = await toolFetch(url, { method: "POST", headers, body: send.body, redirect: "manual", signal });
    const { status } = answer;
    if (status < 300 || status > 399) return readAnswer(answer, url, send.bytesMax);
    await answer.body?.cancel();
    const location = answer.headers.get("location") ?? "";
    const next = URL.canParse(location, url) ? new URL(location, url) : null;
    // Only these two repeat the request as it is; and a secret is for one origin.
    const isFollowed = (status === 307 || status === 308) && next?.origin === first.origin && hops < redirectsMax;
    if (!isFollowed || next === null)
      return refuse(
        `http_${status}`,
        `${shown(url)} redirects to ${next ? shown(next) : "nowhere"}, which is not followed; write the final URL in target_subject`,
      );
    url = next;
  }
}

async function readAnswer(answer: Response, url: URL, bytesMax: number): Promise<HttpReply> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = answer.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    bytes += part.value.byteLength;
    if (bytes > bytesMax) {
      await reader?.cancel();
      return refuse(
        "payload_too_large",
        `${shown(url)} answered more than ${bytesMax} bytes; ask for less, or let the service answer with a link to the rest`,
      );
    }
    chunks.push(part.value);
  }
  const contentType = answer.headers.get("content-type") ?? "";
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  return { status: answer.status, type, ...decodeAnswer(contentType, Buffer.concat(chunks)) };
}

/** Values never reach a message: fetch repeats a header that it refuses. */
function fillHeaders(
  given: Record<string, unknown>,
  lookUp: (name: string) => string | undefined,
): { headers: Record<string, string>; values: string[] } | { fault: string } {
  const headers: Record<string, string> = {};
  const values: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const filled = fillReferences(asText(value), lookUp);
    if (filled.missing.length > 0)
      return {
        fault: `options.headers.${name}: variable ${filled.missing.join(", ")} may not be sent there or has no value; set NAME in the server's environment and add NAME@origin to SWITCHYARD_TOOL_ENV`,
      };
    if (!/^[\x20-\x7e]*$/.test(filled.text))
      return { fault: `options.headers.${name}: the variable's value must be one line of plain ASCII` };
    headers[name] = filled.text;
    values.push(...filled.values);
  }
  return { headers, values };
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return code !== "" ? code : cause instanceof Error ? cause.name : "it does not answer";
}
