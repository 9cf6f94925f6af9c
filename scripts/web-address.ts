// The web server's address: free before the start, answering after it.
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const readyMs = 120_000;

export function urlOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

export async function refuseTakenPort(host: string, port: number): Promise<void> {
  const code = await tryListen(host, port);
  if (code === "EADDRINUSE") {
    throw new Error(
      `Port ${port} on ${host} is in use, perhaps by another Switchyard (${urlOf(host, port)}). Stop that program, or choose another port: PORT=${port + 1} npm start`,
    );
  }
  if (code === "EADDRNOTAVAIL")
    throw new Error(`This machine has no address ${host}. Set HOST to 127.0.0.1, or to 0.0.0.0 for all addresses.`);
  if (code === "EACCES")
    throw new Error(
      `This user may not listen on port ${port} of ${host}: ports below 1024 are reserved. Set PORT to a higher one.`,
    );
  if (code !== null)
    throw new Error(`Switchyard cannot listen on ${host}:${port} (${code}). Set HOST or PORT to another value.`);
}

/** Until the server gives any answer. */
export async function waitForWeb(url: string): Promise<void> {
  for (const end = Date.now() + readyMs; Date.now() < end; await sleep(100)) {
    if (await answers(url)) return;
  }
  throw new Error(`The web server did not answer at ${url} in ${readyMs / 1000} s. Its output is above.`);
}

function tryListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(30_000) });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
}
