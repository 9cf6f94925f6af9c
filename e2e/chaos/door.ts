// How people and tools reach the product while it is being killed: half of it through the web server if there is one. A request
// without an answer is repeated, as clients do.
import { setTimeout as sleep } from "node:timers/promises";
import { KernelError } from "@/server/contract/errors";
import type { ErrorCode } from "@/server/contract/failure-codes";
import { isPassing } from "@/server/kernel/storage-error";
import type { Random } from "./random";

export type Door<T> = { path: string; body: object; verb: () => Promise<T> };
export type Doors = { web_url: string | null; doors: Random };

/** What is refused is refused the same at either door: a KernelError with the code. */
export async function throughAnyDoor<T>({ web_url, doors }: Doors, { path, body, verb }: Door<T>): Promise<T> {
  return again(async () => {
    if (web_url === null || doors.chance(0.5)) return verb();
    const { response, text } = await ask(`${web_url}/api/v1${path}`, body).catch((error: unknown) => {
      throw new KernelError("storage_error", `the web server is away: ${error}`);
    });
    if (response.status >= 500) throw new KernelError("storage_error", `the web server answered ${response.status}`);
    if (!response.ok) throw refusal(path, text);
    return JSON.parse(text) as T;
  });
}

function refusal(path: string, text: string): KernelError {
  const { detail } = JSON.parse(text) as { detail: { error_code: ErrorCode; error_message: string } };
  return new KernelError(detail.error_code, `POST ${path}: ${detail.error_message}`);
}

/** Killed between its head and its body, a server is as away as before its head. */
async function ask(url: string, body: object): Promise<{ response: Response; text: string }> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  });
  return { response, text: await response.text() };
}

const patienceMs = 120_000;

/** Waits until somebody answers; nothing is down for as long as this waits. */
export async function again<T>(call: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + patienceMs; ; ) {
    try {
      return await call();
    } catch (error) {
      if (!isPassing(error) || Date.now() > end) throw error;
    }
    await sleep(200);
  }
}
