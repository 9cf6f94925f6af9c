// Asks a sample read as a browser or a program does, without a network between. Throws what it is refused with.
import { createCaller } from "@/server/api/root";
import { env } from "@/server/env";
import { serveRest } from "@/server/interop/rest/serve";
import type { Kernel } from "@/server/kernel/kernel";
import type { SampleRead } from "./sample-reads";

export async function ask(kernel: Kernel, project_id: string, { ask: asked }: SampleRead): Promise<unknown> {
  if ("path" in asked) {
    const host = `127.0.0.1:${env().PORT}`;
    const path = `/projects/${project_id}${asked.path}`;
    const request = new Request(`http://${host}/api/v1${path}`, { headers: { host } });
    const response = await serveRest(kernel, request, path.replace(/\?.*/, ""));
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    return text;
  }
  let found: unknown = createCaller({ kernel, user: "local" });
  for (const part of asked.procedure.split(".")) found = (found as Record<string, unknown>)[part];
  return (found as (input?: unknown) => Promise<unknown>)(
    Object.keys(asked.input).length === 0 ? undefined : asked.input,
  );
}
