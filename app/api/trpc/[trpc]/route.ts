// tRPC's door: foreign hosts and origins are refused before anything is parsed.
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { appRouter } from "@/server/api/root";
import { refuseForeign } from "@/server/guard";
import { webKernel } from "@/server/wire";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

function handler(request: Request): Response | Promise<Response> {
  const refused = refuseForeign(request.headers);
  if (refused) return Response.json({ detail: refused }, { status: refused.status });
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    req: request,
    router: appRouter,
    createContext: () => ({ kernel: webKernel(), user: "local" }),
  });
}

export { handler as GET, handler as POST };
