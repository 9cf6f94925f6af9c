// Who is at the other end. Next gives a handler only X-Forwarded-For, which any caller can write. So the address of the
// socket is put into our own header, replacing whatever was sent under that name. What proxies say about their callers is
// trusted only for the proxies named in SWITCHYARD_TRUSTED_PROXIES: when an https origin alone was enough, anybody who
// reached the port could write a new address for every guess.
import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";
import type { Env } from "../env";
import { type Headers, isCalledByTls } from "../guard";

export type Trust = Pick<Env, "SWITCHYARD_TRUSTED_PROXIES">;

export const peerHeader = "x-switchyard-peer";

export function markPeer(request: IncomingMessage): void {
  request.headers[peerHeader] = request.socket.remoteAddress ?? "";
}

/** Failures are counted by this address: the caller of the farthest trusted proxy. */
export function addressOf(headers: Headers, { SWITCHYARD_TRUSTED_PROXIES: trusted }: Trust): string {
  const socket = headers.get(peerHeader) ?? "";
  const said = (headers.get("x-forwarded-for") ?? "").split(",").map(plain).reverse();
  let address = plain(socket);
  for (const [hop, caller] of said.entries()) {
    // A proxy that sends no address knows its caller no better than we do.
    if (!isTrusted(trusted, address, hop) || isIP(caller) === 0) break;
    address = caller;
  }
  return network(address || "unknown");
}

/** A connection of a trusted proxy carries many callers. */
export const isProxy = (socketAddress: string, { SWITCHYARD_TRUSTED_PROXIES: trusted }: Trust): boolean =>
  isTrusted(trusted, plain(socketAddress), 0);

/** Whether the browser used https: according to the host name it called, or to a trusted proxy. */
export function isHttps(
  headers: Headers,
  settings: Trust & Pick<Env, "HOST" | "PORT" | "SWITCHYARD_ORIGINS">,
): boolean {
  if (isCalledByTls(headers, settings)) return true;
  if (!isTrusted(settings.SWITCHYARD_TRUSTED_PROXIES, plain(headers.get(peerHeader) ?? ""), 0)) return false;
  return headers.get("x-forwarded-proto")?.split(",")[0]?.trim() === "https";
}

function isTrusted(trusted: Trust["SWITCHYARD_TRUSTED_PROXIES"], address: string, hop: number): boolean {
  if (typeof trusted === "number") return hop < trusted;
  if (isIP(address) === 0) return false;
  return listOf(trusted).check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

const lists = new WeakMap<object, BlockList>();

function listOf(networks: { net: string; bits: number }[]): BlockList {
  const list = lists.get(networks) ?? new BlockList();
  if (!lists.has(networks))
    for (const { net, bits } of networks) list.addSubnet(net, bits, isIPv6(net) ? "ipv6" : "ipv4");
  lists.set(networks, list);
  return list;
}

/** Without a port, brackets, a zone, or the IPv6 form of an IPv4 address. */
function plain(text: string): string {
  const bare = text
    .trim()
    .replace(/^\[(.*)\](?::\d+)?$/, "$1")
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1")
    .replace(/%.*$/, "");
  return bare.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i)?.[1] ?? bare;
}

/** One subscriber of IPv6 has 2^64 addresses: they count as one. */
function network(address: string): string {
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
