import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { addressOf, markPeers } from "./peer";

const direct = { SWITCHYARD_ORIGINS: ["http://10.0.0.4:4600"] };
const proxied = { SWITCHYARD_ORIGINS: ["https://yard.example.org"] };
const address = (headers: Record<string, string>, settings = direct) => addressOf(new Headers(headers), settings);

test("a caller cannot write his own address", () => {
  const headers = { "x-forwarded-for": "1.1.1.1, 2.2.2.2", "x-switchyard-peer": "10.0.0.9" };
  expect(address(headers)).toBe("10.0.0.9");
  expect(address(headers, proxied)).toBe("2.2.2.2");
  expect(address({})).toBe("unknown");
});

test("a network of IPv6 is one address, a mapped IPv4 is itself", () => {
  const of = (peer: string) => address({ "x-switchyard-peer": peer });
  expect(of("::ffff:10.0.0.9")).toBe("10.0.0.9");
  expect(of("2001:db8:0:7:1::1")).toBe("2001:db8:0:7::/64");
  expect(of("2001:0db8::7")).toBe("2001:db8:0:0::/64");
  expect(of("::1")).toBe("0:0:0:0::/64");
});

test("the socket's address replaces what was sent under its name", async () => {
  markPeers();
  const server = http.createServer((request, response) => response.end(String(request.headers["x-switchyard-peer"])));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}`, { headers: { "x-switchyard-peer": "1.1.1.1" } });
  expect(await answer.text()).toBe("127.0.0.1");
  await new Promise((resolve) => server.close(resolve));
});
