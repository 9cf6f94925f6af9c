// Worth sending requests to: the database answers. Bare and without a token, for whatever spreads requests over web servers.
import { webKernel } from "@/server/wire";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** Of whoever asks every few seconds, and would rather hear no than nothing. */
const patienceMs = 3_000;

export async function GET(): Promise<Response> {
  return new Response(null, { status: (await isReady()) ? 204 : 503, headers: { "cache-control": "no-store" } });
}

async function isReady(): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs);
  });
  // Why it is away stands on the health page.
  const asked = webKernel()
    .db.pool.query("SELECT 1")
    .then(
      () => true,
      () => false,
    );
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
