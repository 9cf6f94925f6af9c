// Next calls this once, before the first request.
export async function register(): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: Next writes the runtime in here when it builds; in the browser's there are no sockets.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { raiseWalls } = await import("@/server/access/walls");
  const { keepSessions } = await import("@/server/access/live-sessions");
  const { isSessionLive } = await import("@/server/kernel/sessions/is-session-live");
  const { webKernel } = await import("@/server/wire");
  keepSessions((session_id) => isSessionLive(webKernel(), { session_id }));
  const { removeLeftSpools } = await import("@/server/kernel/workspaces/sources/spool-names");
  const { isAlive } = await import("@/server/embedded/postmaster");
  await removeLeftSpools({ isAlive });
  // biome-ignore lint/style/noProcessEnv: written in at build time as well.
  raiseWalls({ isDev: process.env.NODE_ENV === "development" });
  // After the walls: what it answers by itself has them too.
  const { standBefore } = await import("@/server/front/stand-before");
  standBefore();
}
