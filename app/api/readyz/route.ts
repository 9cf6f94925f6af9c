// Ready for requests: the database answers. Short and without a token, for load balancers.
import { webKernel } from "@/server/wire";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** For a caller that asks every few seconds and prefers a "no" to no answer. */
const patienceMs = 3_000;

export async function GET(): Promise<Response> {
  return new Response(null, { status: (await isReady()) ? 204 : 503, headers: { "cache-control": "no-store" } });
}

async function isReady(): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs);
  });
  // The health page says why it is unavailable.
  const asked = webKernel()
    .db.pool.query("SELECT 1")
    .then(
      () => true,
      () => false,
    );
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
