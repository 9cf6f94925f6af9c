// Event streams end before the process does: cut off in the middle of a chunked answer, clients told their people of a broken
// transfer ("incomplete chunked read") at each ordinary restart.
import type { ServerResponse } from "node:http";

const open = new Set<ServerResponse>();
/** What a reader that takes nothing is waited for. */
const FLUSH_MS = 500;

export function noteAnswer(response: ServerResponse): void {
  open.add(response);
  response.once("close", () => open.delete(response));
}

/** Resolves when their last bytes are with the system. Readers connect again by themselves, elsewhere or a moment later. */
export async function endStreams(): Promise<void> {
  const streams = [...open].filter((one) => one.headersSent && isStream(one));
  const ended = streams.map((response) => new Promise<void>((done) => end(response, done)));
  await Promise.race([Promise.all(ended), new Promise((late) => setTimeout(late, FLUSH_MS))]);
}

function end(response: ServerResponse, done: () => void): void {
  response.once("close", done);
  response.end(done);
  // Whoever makes the stream has not heard of it yet: an event more would be an error of a process that is leaving.
  response.write = () => true;
}

// Node forgets headers that were given to writeHead alone; what was sent is all there is then.
const isStream = (response: ServerResponse): boolean => {
  const type = response.getHeader("content-type");
  return typeof type === "string" && type.startsWith("text/event-stream");
};
