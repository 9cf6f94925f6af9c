// One reply onto one socket: headers, events at their pace, and every way in which a stream can go wrong.
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Dialect, WireError, WireReply } from "./reply";

export type Asked = { path: string; body: Record<string, unknown> };

export async function sendReply(out: ServerResponse, dialect: Dialect, reply: WireReply, asked: Asked): Promise<void> {
  const gone = new AbortController();
  out.on("close", () => gone.abort());
  if (reply.delayMs) await sleep(reply.delayMs, undefined, { signal: gone.signal });
  if (reply.diesAfter === 0) out.destroy();
  else if (reply.error && reply.error.after === undefined) sendError(out, dialect, reply.error);
  else if (dialect.isStreamed(asked.path, asked.body)) await stream(out, dialect, reply, asked, gone.signal);
  else sendJson(out, 200, dialect.whole(reply, asked.body, asked.path));
}

export function sendError(out: ServerResponse, dialect: Dialect, error: WireError): void {
  for (const [name, value] of Object.entries(error.headers ?? {})) out.setHeader(name, value);
  sendJson(out, error.status, dialect.error(error));
}

function sendJson(out: ServerResponse, status: number, body: unknown): void {
  out.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function stream(out: ServerResponse, dialect: Dialect, reply: WireReply, asked: Asked, gone: AbortSignal) {
  out.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  out.flushHeaders();
  let sent = 0;
  for (const event of dialect.events(reply, asked.body, asked.path)) {
    if (sent === reply.diesAfter) {
      // What was written must arrive before the socket is torn, or there is no middle to die in.
      await sleep(20);
      out.destroy();
      return;
    }
    if (sent === reply.stallsAfter) return;
    if (sent === reply.endsAfter) break;
    if (reply.error && sent === reply.error.after) {
      out.write(`${dialect.errorEvent(reply.error)}\n\n`);
      break;
    }
    if (reply.gapMs && sent > 0) await sleep(reply.gapMs, undefined, { signal: gone });
    out.write(`${event}\n\n`);
    sent++;
  }
  out.end();
}
