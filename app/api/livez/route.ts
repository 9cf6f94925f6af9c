// The event loop turns and the framework answers: what a supervisor wants to know. Asks nobody else, and needs no token.
export const runtime = "nodejs";
export const dynamic = "force-dynamic";

export const GET = (): Response => new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
