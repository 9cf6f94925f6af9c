// Ends event streams before the process exits: cut off in the middle of a chunked answer, clients reported a broken transfer
// ("incomplete chunked read") at each ordinary restart.
import type { ServerResponse } from "node:http";

const open = new Set<ServerResponse>();
/** How long to wait for a reader that takes nothing. */
const FLUSH_MS = 500;

export function noteAnswer(response: ServerResponse): void {
  open.add(response);
  response.once("close", () => open.delete(response));
}

/** Resolves when the last bytes are handed to the system. Readers reconnect elsewhere, or a moment later. */
export async function endStreams(): Promise<void> {
  const streams = [...open].filter((one) => one.headersSent && isStream(one));
  const ended = streams.map((response) => new Promise<void>((done) => end(response, done)));
  await Promise.race([Promise.all(ended), new Promise((late) => setTimeout(late, FLUSH_MS))]);
}

function end(response: ServerResponse, done: () => void): void {
  response.once("close", done);
  response.end(done);
  // The source of the stream does not know yet: one more event would be an error in a process that is exiting.
  response.write = () => true;
}

// Node forgets headers that were given to writeHead alone; what was sent is all there is then.
const isStream = (response: ServerResponse): boolean => {
  const type = response.getHeader("content-type");
  return typeof type === "string" && type.startsWith("text/event-stream");
};
