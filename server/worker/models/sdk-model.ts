// All real models behind one interface. Errors thrown here contain no key and name a remedy.
import { setTimeout as sleep } from "node:timers/promises";
import { APICallError } from "ai";
import type { Env } from "@/server/env";
import { attempt } from "./attempt";
import { dryRun } from "./dry-run";
import { type Endpoint, endpointOf } from "./endpoint";
import { type Fault, faultOf } from "./faults";
import { type LlmSettings, parseLlmConfig } from "./llm-settings";
import { AskedOtherwise, type Model, ModelError, type ModelEvent, type ModelRequest } from "./model";
import { scrubberOf } from "./scrub";
import type { ModelTiming } from "./timing";

export type SdkModelInput = { env: () => Env; timing: ModelTiming };

export function createSdkModel({ env, timing }: SdkModelInput): Model {
  // The stored bytes are sent, even if the client would build them differently the second time.
  const stored = new WeakMap<ModelRequest, { endpoint: Endpoint; bytes: string }>();
  /** Base URLs that have answered 404 or 405 to /responses, for as long as this process lives. */
  const chatOnly = new Set<string>();

  async function build(request: ModelRequest, { settings, endpoint }: Prepared) {
    return { endpoint, bytes: await dryRun(request, settings, endpoint) };
  }

  async function serialise(request: ModelRequest): Promise<string> {
    const built = await build(request, prepare(request, env(), chatOnly));
    stored.set(request, built);
    return built.bytes;
  }

  async function* call(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const prepared = prepare(request, env(), chatOnly);
    const { settings } = prepared;
    const scrub = scrubberOf(env());
    const { endpoint, bytes } = stored.get(request) ?? (await build(request, prepared));
    for (let n = 1; ; n++) {
      let isBegun = false;
      try {
        for await (const event of attempt({ request, settings, endpoint, bytes, timing, signal })) {
          isBegun = true;
          yield event;
        }
        return;
      } catch (error) {
        signal.throwIfAborted();
        const isAbsent = APICallError.isInstance(error) && (error.statusCode === 404 || error.statusCode === 405);
        // Neither path exists: the model itself may be missing, and the next request starts with the default path.
        if (isAbsent && endpoint.is_fallback) chatOnly.delete(endpoint.base_url);
        if (isAbsent && mayFallBack(settings, endpoint) && !/model_not_found/.test(error.responseBody ?? "")) {
          chatOnly.add(endpoint.base_url);
          const origin = new URL(endpoint.base_url).origin;
          throw new AskedOtherwise(
            `${origin} has no /responses (${error.statusCode}), so /chat/completions is used. Set llm_config.api: chat to use it at once`,
          );
        }
        const fault = faultOf(error, endpoint, settings);
        const ms = pauseOf(fault, n, timing);
        if (ms === null) throw clean(failure(fault, endpoint, n), scrub);
        if (isBegun) yield { kind: "restart" };
        yield { kind: "note", note: scrub(`trying ${endpoint.provider} again in ${secondsOf(ms)}: ${told(fault)}`) };
        await pause(ms, signal);
      }
    }
  }

  return { serialise, call };
}

type Prepared = { settings: LlmSettings; endpoint: Endpoint };

function prepare({ llm_config }: ModelRequest, env: Env, chatOnly: Set<string>): Prepared {
  const settings = parseLlmConfig(llm_config);
  const endpoint = endpointOf(settings, env);
  if (!mayFallBack(settings, endpoint) || !chatOnly.has(endpoint.base_url)) return { settings, endpoint };
  return { settings, endpoint: { ...endpoint, api: "chat", is_fallback: true } };
}

/** Only if the profile does not set the API, and the server is not OpenAI itself. */
const mayFallBack = ({ api }: LlmSettings, endpoint: Endpoint): boolean =>
  api === undefined && endpoint.api === "responses" && !endpoint.is_default_url;

/** null = it is not tried again. */
function pauseOf(fault: Fault, n: number, { attemptsMax, retryMs, retryMsMax, retryAfterMsMax }: ModelTiming) {
  if (!fault.passes || n >= attemptsMax) return null;
  if (fault.after_ms !== null) return fault.after_ms > retryAfterMsMax ? null : fault.after_ms + jitter(retryMs / 4);
  const backOff = Math.min(retryMs * 2 ** (n - 1), retryMsMax);
  return backOff / 2 + jitter(backOff);
}

const jitter = (ms: number): number => Math.random() * ms;

const told = (fault: Fault): string => (fault.passes ? fault.message : fault.error.message);

function failure(fault: Fault, { provider, base_url }: Endpoint, n: number): ModelError {
  if (!fault.passes) return fault.error;
  const later = fault.after_ms === null ? "try again later" : `it asks to wait ${secondsOf(fault.after_ms)}`;
  const where = fault.message.includes("Cannot connect") ? ` at ${new URL(base_url).origin}` : "";
  const tried = n === 1 ? "" : ` after ${n} attempts`;
  return new ModelError("model_unavailable", `${provider}${where}: ${fault.message}${tried}; ${later}`);
}

const secondsOf = (ms: number): string => `${Math.max(0.1, Math.round(ms / 100) / 10)} s`;

const clean = ({ code, message, usage, partial }: ModelError, scrub: (text: string) => string): ModelError =>
  new ModelError(code, scrub(message), usage, partial);

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    // The timer's own error does not say why it was cut short.
    throw signal.reason;
  }
}
