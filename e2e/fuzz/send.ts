// Sends a request as it is and returns the answer; a stream is closed after its first moments.
import http from "node:http";
import type { FuzzRequest } from "./requests";

export type Answer = { status: number; text: string; ms: number; fault?: "hang" | "cut" };

/** Longer than any wait that a request here can ask for. */
const deadlineMs = 15_000;
const streamMs = 150;
const textMax = 4_000;

const isClosed = ({ code = "" }: NodeJS.ErrnoException): boolean => ["ECONNRESET", "EPIPE"].includes(code);

const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });

/**
 * If the server had just closed a kept-alive connection, that says nothing about the request, so it is sent again. Requests
 * that may write use their own connection and are sent once: a DELETE that succeeded and was sent again looked like a refusal
 * that had changed rows.
 */
export async function send(port: number, request: FuzzRequest): Promise<Answer> {
  const first = await sendOnce(port, request);
  return first.wasStale ? sendOnce(port, request) : first;
}

function sendOnce(port: number, request: FuzzRequest): Promise<Answer & { wasStale?: boolean }> {
  const started = Date.now();
  const { method, target: path, headers, body } = request;
  return new Promise((resolve) => {
    let status = 0;
    let text = "";
    let isOver = false;
    let wasStale = false;
    const done = (fault?: Answer["fault"]) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(deadline);
      resolve({ status, text, ms: Date.now() - started, ...(fault && { fault }), wasStale });
      if (fault || request.isStream) sent.destroy();
    };
    const deadline = setTimeout(() => done("hang"), deadlineMs);
    const sized = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const sent = http.request(
      {
        host: "127.0.0.1",
        port,
        method,
        path,
        agent: request.isMutation ? false : agent,
        headers: { ...headers, ...sized },
      },
      (response) => {
        status = response.statusCode ?? 0;
        const type = response.headers["content-type"] ?? "";
        if (type.startsWith("text/event-stream")) {
          request.isStream = true;
          setTimeout(() => done(), streamMs);
        }
        response.on("data", (chunk: Buffer) => {
          if (text.length < textMax) text += chunk.toString("utf8").slice(0, textMax);
        });
        response.on("end", () => done());
        response.on("error", () => done(request.isStream ? undefined : "cut"));
      },
    );
    // A refusal before the whole body was sent closes the connection; it counts as an answer if it has arrived.
    sent.on("error", (error: NodeJS.ErrnoException) => {
      if (status === 0 && sent.reusedSocket && isClosed(error)) wasStale = true;
      done(status > 0 ? undefined : "cut");
    });
    sent.end(body);
  });
}
