// A provider of models on loopback: real HTTP, real server-sent events, the provider's own format on the wire, and answers
// that a test has written down. It keeps every request, byte for byte.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { anthropic } from "./anthropic";
import { google } from "./google";
import { openaiChat } from "./openai-chat";
import { openaiResponses } from "./openai-responses";
import type { Dialect, WireReply } from "./reply";
import { sendError, sendReply } from "./send-reply";

export type WireProvider = "openai" | "anthropic" | "google" | "openai-compatible";

export type WireRequest = {
  path: string;
  headers: http.IncomingHttpHeaders;
  bytes: Buffer;
  /** The same as JSON. */
  body: Record<string, unknown>;
};

/** A list is said in its order; a function is asked each time, for runs of which nobody knows who comes first. */
export type WireReplies = WireReply[] | ((request: WireRequest, n: number) => WireReply);

export type WireServer = {
  /** The base URL that a client of this provider is given. */
  url: string;
  requests: WireRequest[];
  /** Requests whose client hung up before the reply was over. */
  readonly hangUps: number;
  close: () => Promise<void>;
};

// `openai` speaks both of its formats.
const dialects: Record<WireProvider, [Dialect, ...Dialect[]]> = {
  openai: [openaiResponses, openaiChat],
  anthropic: [anthropic],
  google: [google],
  "openai-compatible": [openaiChat],
};

export async function startWireServer(input: { provider: WireProvider; replies: WireReplies }): Promise<WireServer> {
  const { provider, replies } = input;
  const requests: WireRequest[] = [];
  let hangUps = 0;
  const server = http.createServer((incoming, out) => {
    out.on("close", () => {
      if (!out.writableFinished && incoming.socket.destroyed) hangUps++;
    });
    answer(incoming, out).catch((error) => out.destroy(error));
  });

  async function answer(incoming: http.IncomingMessage, out: http.ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    const n = requests.push(request) - 1;
    const dialect = dialects[provider].find((one) => one.speaks(request.path));
    if (!dialect) {
      const message = `${incoming.method} ${request.path} is not spoken by ${provider}`;
      sendError(out, dialects[provider][0], { status: 404, message });
      return;
    }
    const reply = typeof replies === "function" ? replies(request, n) : replies[n];
    if (reply) await sendReply(out, dialect, reply, request);
    // 400, since everything else is tried again and hides that the list is too short.
    else sendError(out, dialect, { status: 400, message: `no reply is written down for request ${n + 1}` });
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${dialects[provider][0].root}`,
    requests,
    get hangUps() {
      return hangUps;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(incoming: http.IncomingMessage): Promise<WireRequest> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const bytes = Buffer.concat(parts);
  const { pathname } = new URL(incoming.url ?? "/", "http://localhost");
  const body = bytes.length > 0 ? JSON.parse(bytes.toString("utf8")) : {};
  return { path: decodeURIComponent(pathname), headers: incoming.headers, bytes, body };
}
