// For supervisors: the event loop runs and the framework answers. Checks nothing else, and needs no token.
export const runtime = "nodejs";
export const dynamic = "force-dynamic";

export const GET = (): Response => new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
