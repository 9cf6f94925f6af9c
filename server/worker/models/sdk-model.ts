// Real models, all of them: one seam, any provider. What is thrown from here holds no key and names a remedy.
import { setTimeout as sleep } from "node:timers/promises";
import type { Env } from "@/server/env";
import { attempt } from "./attempt";
import { dryRun } from "./dry-run";
import { type Endpoint, endpointOf } from "./endpoint";
import { type Fault, faultOf } from "./faults";
import { type LlmSettings, parseLlmConfig } from "./llm-settings";
import { type Model, ModelError, type ModelEvent, type ModelRequest } from "./model";
import { scrubberOf } from "./scrub";
import type { ModelTiming } from "./timing";

export type SdkModelInput = { env: () => Env; timing: ModelTiming };

export function createSdkModel({ env, timing }: SdkModelInput): Model {
  // What was stored is what is sent, also if the client would build it differently the second time.
  const stored = new WeakMap<ModelRequest, string>();

  async function serialise(request: ModelRequest): Promise<string> {
    const { settings, endpoint } = prepare(request, env());
    const bytes = await dryRun(request, settings, endpoint);
    stored.set(request, bytes);
    return bytes;
  }

  async function* call(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { settings, endpoint } = prepare(request, env());
    const scrub = scrubberOf(env());
    const bytes = stored.get(request) ?? (await dryRun(request, settings, endpoint));
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
        const fault = faultOf(error, endpoint, settings);
        const ms = pauseOf(fault, n, timing);
        if (ms === null) throw clean(failure(fault, endpoint, n), scrub);
        if (isBegun) yield { kind: "restart" };
        yield { kind: "note", note: scrub(`asks ${endpoint.provider} again in ${secondsOf(ms)}: ${told(fault)}`) };
        await pause(ms, signal);
      }
    }
  }

  return { serialise, call };
}

function prepare({ llm_config }: ModelRequest, env: Env): { settings: LlmSettings; endpoint: Endpoint } {
  const settings = parseLlmConfig(llm_config);
  return { settings, endpoint: endpointOf(settings, env) };
}

/** null = it is not asked again. */
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
  const later =
    fault.after_ms === null ? "try again later" : `it asks to be left alone for ${secondsOf(fault.after_ms)}`;
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
