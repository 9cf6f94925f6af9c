// REST's entry point for Next: everything under /api/v1 goes to one handler, which does its own matching.
import { serveRest } from "@/server/interop/rest/serve";
import { webKernel } from "@/server/wire";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

const handler = (request: Request): Promise<Response> =>
  serveRest(webKernel(), request, new URL(request.url).pathname.replace(/^\/api\/v1/, "") || "/");

export {
  handler as DELETE,
  handler as GET,
  handler as HEAD,
  handler as OPTIONS,
  handler as PATCH,
  handler as POST,
  handler as PUT,
};
