import { describe, expect, test } from "vitest";
import { parseEnv } from "../env";
import { addressOf, isHttps } from "./peer";

const token = { SWITCHYARD_TOKEN: "0123456789abcdef" };
const trusting = (proxies: string, origins = "https://yard.example.org") =>
  parseEnv({ ...token, SWITCHYARD_ORIGINS: origins, SWITCHYARD_TRUSTED_PROXIES: proxies });
const address = (proxies: string, forwarded: string, peer = "10.0.0.9") =>
  addressOf(new Headers({ "x-forwarded-for": forwarded, "x-switchyard-peer": peer }), trusting(proxies));

describe("the address that failures are counted by", () => {
  test("without a trusted proxy it is the socket's, whatever the caller sent and whatever the origin", () => {
    expect(address("", "1.1.1.1, 2.2.2.2")).toBe("10.0.0.9");
    expect(address("0", "1.1.1.1")).toBe("10.0.0.9");
    expect(addressOf(new Headers(), trusting(""))).toBe("unknown");
  });

  test("with a number of proxies: the caller of the farthest trusted one", () => {
    expect(address("1", "1.1.1.1, 2.2.2.2")).toBe("2.2.2.2");
    expect(address("2", "6.6.6.6, 1.1.1.1, 2.2.2.2")).toBe("1.1.1.1");
    expect(address("2", "2.2.2.2")).toBe("2.2.2.2");
    expect(address("1", "")).toBe("10.0.0.9");
  });

  test("with networks of proxies: as far back as one of them wrote the header", () => {
    const inner = "10.0.0.0/8, 192.168.1.7,fd00::/8";
    expect(address(inner, "6.6.6.6, 1.1.1.1, 10.0.0.3")).toBe("1.1.1.1");
    expect(address(inner, "6.6.6.6, 192.168.1.7")).toBe("6.6.6.6");
    expect(address(inner, "6.6.6.6, 192.168.1.8")).toBe("192.168.1.8");
    expect(address(inner, "6.6.6.6", "8.8.8.8")).toBe("8.8.8.8");
    expect(address(inner, "6.6.6.6", "::ffff:10.0.0.9")).toBe("6.6.6.6");
    expect(address(inner, "6.6.6.6", "fd00::5")).toBe("6.6.6.6");
    expect(address(inner, "10.0.0.1, 10.0.0.2")).toBe("10.0.0.1");
  });

  test("for a value that is no address, the proxy that wrote it counts", () => {
    expect(address("1", "unknown")).toBe("10.0.0.9");
    expect(address("2", "nonsense, 2.2.2.2")).toBe("2.2.2.2");
    expect(address("10.0.0.0/8", "<script>")).toBe("10.0.0.9");
  });

  test("ports and brackets are no part of it", () => {
    expect(address("1", "1.1.1.1:5555")).toBe("1.1.1.1");
    expect(address("1", "[2001:db8:0:7::1]:443")).toBe("2001:db8:0:7::/64");
  });

  test("a network of IPv6 is one address, a mapped IPv4 is itself", () => {
    const of = (peer: string) => address("", "", peer);
    expect(of("::ffff:10.0.0.9")).toBe("10.0.0.9");
    expect(of("2001:db8:0:7:1::1")).toBe("2001:db8:0:7::/64");
    expect(of("2001:0db8::7")).toBe("2001:db8:0:0::/64");
    expect(of("::1")).toBe("0:0:0:0::/64");
    expect(of("fe80::1%eth0")).toBe("fe80:0:0:0::/64");
  });
});

describe("whether it came over https", () => {
  const ask = (proxies: string, headers: Record<string, string>) =>
    isHttps(new Headers({ "x-switchyard-peer": "10.0.0.9", ...headers }), trusting(proxies));

  test("the name says so, or a trusted proxy; a caller does not", () => {
    expect(ask("", { host: "yard.example.org" })).toBe(true);
    expect(ask("", { host: "127.0.0.1:4600", "x-forwarded-proto": "https" })).toBe(false);
    expect(ask("1", { host: "127.0.0.1:4600", "x-forwarded-proto": "https" })).toBe(true);
    expect(ask("1", { host: "127.0.0.1:4600", "x-forwarded-proto": "http, https" })).toBe(false);
    expect(ask("10.0.0.0/8", { host: "127.0.0.1:4600", "x-forwarded-proto": "https" })).toBe(true);
    expect(ask("10.9.0.0/16", { host: "127.0.0.1:4600", "x-forwarded-proto": "https" })).toBe(false);
  });
});
