// Next calls this once, before the first request.
export async function register(): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: Next writes the runtime in here when it builds; in the browser's there are no sockets.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { markPeers } = await import("@/server/access/peer");
  markPeers();
  const { standBefore } = await import("@/server/front/stand-before");
  standBefore();
}
