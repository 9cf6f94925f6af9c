// tRPC's door: foreign hosts, foreign origins and strangers are refused before anything is parsed.
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { refuse } from "@/server/access/refuse";
import { refusedCall } from "@/server/api/refused-call";
import { appRouter } from "@/server/api/root";
import { webKernel } from "@/server/wire";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

async function handler(request: Request): Promise<Response> {
  const refused = await refuse(request.headers);
  if (refused) return refusedCall(refused);
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    req: request,
    router: appRouter,
    createContext: () => ({ kernel: webKernel(), user: "local" }),
  });
}

export { handler as GET, handler as POST };
