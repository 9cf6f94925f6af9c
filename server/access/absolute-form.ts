// A request may name the whole address, as `curl -x` and other clients of a proxy send it: GET http://host/path. RFC 9112, 3.2.2:
// it must be accepted, and its host is the one that counts. Everything after this sees a path and a Host as usual.
import type { IncomingMessage } from "node:http";

type FirstLines = Pick<IncomingMessage, "url" | "rawHeaders" | "headers">;

/** Without a user or a fragment: such a target is left as it is, and refused as one that names no path. */
const FORM = /^https?:\/\/([\w.:[\]-]+)((?:\/[^#]*)?(?:\?[^#]*)?)$/i;

/** The Host that was sent is replaced everywhere: if one place went by it, a foreign name would pass where another one was checked. */
export function takeAbsoluteForm(request: FirstLines): void {
  const [, host, rest = ""] = FORM.exec(request.url ?? "") ?? [];
  if (host === undefined) return;
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
  request.headers.host = host;
  const { rawHeaders } = request;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === "host") rawHeaders[i + 1] = host;
}
