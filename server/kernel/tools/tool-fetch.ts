// `fetch` for what tools and profiles name. A name is looked up once and that address is connected to: a name that meant a
// service when it was allowed may mean this machine when it is called (DNS rebinding). And each request says what it is, so
// that no web server of Switchyard's takes it, whatever its address: see TOOL_MARK.
import dns from "node:dns";
import { BlockList, isIPv6, type LookupFunction } from "node:net";
import { Agent, fetch as dial } from "undici";
import { TOOL_MARK } from "@/server/contract/outbound";

/** Stands as the `cause` of what `fetch` throws. */
export class ForbiddenAddress extends Error {}

export type LookUp = (host: string) => Promise<{ address: string; family: number }[]>;

const agent = new Agent({ connect: { lookup: onlyElsewhere((host) => dns.promises.lookup(host, { all: true })) } });

/** The global one's shape, which the MCP package asks for. */
export async function toolFetch(to: string | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set(TOOL_MARK, "1");
  const request = { ...init, headers: Object.fromEntries(headers), dispatcher: agent };
  // Two packages' types of one web standard.
  return (await dial(to, request as Parameters<typeof dial>[1])) as unknown as Response;
}

/** For names alone: an address that is written down needs no look-up, and is allowed as it stands or not at all. */
export function onlyElsewhere(lookUp: LookUp): LookupFunction {
  return (host, options, done) => {
    lookUp(host).then(
      (found) => {
        const own = host === "localhost" ? undefined : found.find(isOwn);
        const [first] = found;
        if (own !== undefined) return done(forbidden(host, own.address), "", 0);
        if (first === undefined) return done(new Error(`${host} has no IP address`), "", 0);
        return options.all ? done(null, found) : done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, "", 0),
    );
  };
}

// This machine, and the addresses at which clouds hand out keys.
const own = new BlockList();
own.addSubnet("127.0.0.0", 8);
own.addSubnet("0.0.0.0", 8);
own.addSubnet("169.254.0.0", 16);
own.addAddress("::1", "ipv6");
own.addAddress("::", "ipv6");
own.addSubnet("fe80::", 10, "ipv6");
// Of Alibaba, Oracle, Amazon and Google: not of the link, and the same everywhere.
own.addAddress("100.100.100.200");
own.addAddress("192.0.0.192");
own.addAddress("fd00:ec2::254", "ipv6");
own.addAddress("fd20:ce::254", "ipv6");

const isOwn = ({ address }: { address: string }): boolean => own.check(address, isIPv6(address) ? "ipv6" : "ipv4");

const forbidden = (host: string, address: string): ForbiddenAddress =>
  new ForbiddenAddress(
    `${host} leads to ${address}, an address of this machine, its link or its cloud; to allow it, list that IP address itself in SWITCHYARD_TOOL_ORIGINS and use it in the tool`,
  );
