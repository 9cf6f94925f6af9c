// tRPC's entry point: foreign hosts, foreign origins and strangers are refused before anything is parsed.
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { endWithSession, refuse } from "@/server/access/refuse";
import { refusedCall } from "@/server/api/refused-call";
import { appRouter } from "@/server/api/root";
import { answerMeta } from "@/server/api/trpc";
import { batchMax } from "@/server/contract/batch-max";
import { KernelError } from "@/server/contract/errors";
import { readBytes } from "@/server/front/read-bytes";
import { refuseHeavy } from "@/server/front/refuse-heavy";
import { webKernel } from "@/server/wire";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

async function handler(request: Request): Promise<Response> {
  const refused = await refuse(request.headers);
  if (refused) return refusedCall(refused);
  const kernel = webKernel();
  const whole = await wholeRequest(request, kernel.tunables);
  if (whole instanceof Response) return whole;
  const response = await fetchRequestHandler({
    endpoint: "/api/trpc",
    // One request is one piece of work: without a limit, a thousand reads fit into one URL.
    maxBatchSize: batchMax,
    req: whole,
    router: appRouter,
    responseMeta: answerMeta,
    createContext: () => ({ kernel, user: "local", key: request.headers.get("idempotency-key") }),
  });
  return endWithSession(response, request.headers);
}

/** tRPC reads a whole body, however long and deep, so it gets one that is limited in both. */
async function wholeRequest(
  request: Request,
  limits: { jsonBytesMax: number; jsonValuesMax: number },
): Promise<Request | Response> {
  try {
    const { url, method, headers, signal } = request;
    // Without a body; Next asks its GET handler for HEAD too.
    if (method === "GET" || method === "HEAD") {
      const input = new URL(url).searchParams.get("input") ?? "";
      refuseHeavy(new TextEncoder().encode(input), { valuesMax: limits.jsonValuesMax });
      return request;
    }
    const body = new Uint8Array(await readBytes(request, limits.jsonBytesMax));
    refuseHeavy(body, { valuesMax: limits.jsonValuesMax });
    return new Request(url, { method, headers, signal, body });
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    return refusedCall({ status: error.status, error_code: error.code, error_message: error.message });
  }
}

// The other methods too: tRPC refuses them with a message, while Next would answer with an empty page.
export { handler as DELETE, handler as GET, handler as PATCH, handler as POST, handler as PUT };
