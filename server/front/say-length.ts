// Next takes Content-Length out of every answer, so a client could not tell half an artifact from a whole one, and HEAD said no
// size. An answer that knows its length says so in a header of its own, which is renamed on Node's response.
import type { ServerResponse } from "node:http";
import { LENGTH_HEADER } from "../contract/length-header";

/** Before Next sees the request. */
export function sayLength(response: ServerResponse): void {
  const { setHeader } = response;
  response.setHeader = (name, value) => {
    if (name.toLowerCase() !== LENGTH_HEADER) return setHeader.call(response, name, value);
    // Next writes a list of one.
    return setHeader.call(response, "Content-Length", String(value));
  };
}
