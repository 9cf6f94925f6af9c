// Who is at the other end. Next tells a handler only X-Forwarded-For, which any caller may have written himself: the
// address of the socket is put into a header of our own, over whatever was sent under that name.
import diagnostics from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import type { Env } from "../env";
import { type Headers, isBehindTls } from "../guard";

const peerHeader = "x-switchyard-peer";

/** Once, when the web server starts. */
export function markPeers(): void {
  diagnostics.subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    request.headers[peerHeader] = request.socket.remoteAddress ?? "";
  });
}

/** What failures are counted by. Behind TLS the proxy's own entry, the last, is the caller; else the socket is. */
export function addressOf(headers: Headers, settings: Pick<Env, "SWITCHYARD_ORIGINS">): string {
  const forwarded = isBehindTls(settings) ? headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() : undefined;
  return network(forwarded || headers.get(peerHeader) || "unknown");
}

/** One subscriber of IPv6 has 2^64 addresses: they count as one. */
function network(address: string): string {
  const mapped = address.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i);
  if (mapped?.[1]) return mapped[1];
  if (!isIPv6(address)) return address.slice(0, 100);
  const [head = "", tail = ""] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const zeros = address.includes("::") ? 8 - groups(head).length - groups(tail).length : 0;
  const all = [...groups(head), ...Array<string>(Math.max(0, zeros)).fill("0"), ...groups(tail)];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
