import { describe, expect, test } from "vitest";
import { isCalledByTls, type Names, refuseForeign, urlsOf } from "./guard";

const alone: Names = { HOST: "127.0.0.1", PORT: 4600, SWITCHYARD_TOKEN: undefined, SWITCHYARD_ORIGINS: [] };
const open: Names = {
  HOST: "0.0.0.0",
  PORT: 4600,
  SWITCHYARD_TOKEN: "0123456789abcdef",
  SWITCHYARD_ORIGINS: ["https://yard.example.org", "http://10.0.0.4:4600"],
};
const refused = (headers: Record<string, string>, names = open) => refuseForeign(new Headers(headers), names);

describe("Host", () => {
  test.each(["127.0.0.1:4600", "localhost:4600", "LOCALHOST:4600", "[::1]:4600"])("%s is its own", (host) => {
    expect(refused({ host }, alone)).toBeNull();
    expect(refused({ host })).toBeNull();
  });
  test.each(["yard.example.org", "Yard.Example.Org", "yard.example.org:443", "10.0.0.4:4600", "0.0.0.0:4600"])(
    "%s is its own where it listens there or is named",
    (host) => {
      expect(refused({ host })).toBeNull();
      expect(refused({ host }, alone)).toMatchObject({ status: 403, error_code: "auth_failed" });
    },
  );
  test.each([
    "",
    "evil.example",
    "127.0.0.1",
    "127.0.0.1:4601",
    "127.0.0.1.evil.example:4600",
    "yard.example.org:4600",
    "yard.example.org.evil.example",
    "evil.example@yard.example.org",
    "yard.example.org/path",
    "10.0.0.4",
    "10.0.0.5:4600",
  ])("%s is foreign", (host) => {
    expect(refused({ host })).toMatchObject({
      status: 403,
      error_message: expect.stringContaining("SWITCHYARD_ORIGINS"),
    });
    const told = refused({ host }, alone)?.error_message;
    expect(told).toContain("use http://127.0.0.1:4600");
    expect(told).toContain("SWITCHYARD_ORIGINS, which needs SWITCHYARD_TOKEN");
  });
  test("the literal address it listens on is its own", () => {
    expect(refused({ host: "192.168.1.4:80" }, { ...open, HOST: "192.168.1.4", PORT: 80 })).toBeNull();
    expect(refused({ host: "192.168.1.4" }, { ...open, HOST: "192.168.1.4", PORT: 80 })).toBeNull();
    expect(refused({ host: "[fd00::4]:4600" }, { ...open, HOST: "fd00::4" })).toBeNull();
  });
});

describe("Origin", () => {
  const host = "127.0.0.1:4600";
  test.each(["https://yard.example.org", "http://10.0.0.4:4600", "http://127.0.0.1:4600"])("%s is its own", (origin) =>
    expect(refused({ host, origin })).toBeNull(),
  );
  test.each(["localhost", "[::1]"])("another name of loopback may be another server's: %s", (name) => {
    const origin = `http://${name}:4600`;
    expect(refused({ host: `${name}:4600`, origin }, alone)).toBeNull();
    expect(refused({ host, origin }, alone)?.status).toBe(403);
  });
  test.each([
    "null",
    "http://yard.example.org",
    "https://yard.example.org:8443",
    "https://yard.example.org.evil.example",
    "https://evil.example",
    "https://127.0.0.1:4600",
    "http://127.0.0.1:4601",
    "file://127.0.0.1:4600",
  ])("%s is foreign", (origin) => expect(refused({ host, origin })?.status).toBe(403));
  test("a page of another site is refused also without an Origin", () => {
    expect(refused({ host, "sec-fetch-site": "cross-site" })?.status).toBe(403);
    expect(refused({ host, "sec-fetch-site": "same-origin" })).toBeNull();
  });
});

test.each(["iframe", "frame", "fencedframe", "embed", "object", "IFRAME"])(
  "an answer to be put into an %s is refused",
  (dest) => {
    const host = "127.0.0.1:4600";
    expect(refused({ host, "sec-fetch-dest": dest }, alone)).toMatchObject({
      status: 403,
      error_message: expect.stringContaining("in its own tab"),
    });
    for (const own of ["document", "empty", "script", "style", "worker", "image"])
      expect(refused({ host, "sec-fetch-dest": own }, alone)).toBeNull();
  },
);

test("https is what an https origin's name was called by, if no plain origin has the same", () => {
  const called = (host: string, origins = open.SWITCHYARD_ORIGINS) =>
    isCalledByTls(new Headers({ host }), { ...open, SWITCHYARD_ORIGINS: origins });
  expect(called("yard.example.org")).toBe(true);
  expect(called("yard.example.org:443")).toBe(true);
  expect(called("10.0.0.4:4600")).toBe(false);
  expect(called("127.0.0.1:4600")).toBe(false);
  expect(called("127.0.0.1:4600", ["https://127.0.0.1:4600"])).toBe(false);
  expect(called("yard.example.org", ["https://yard.example.org", "http://yard.example.org"])).toBe(false);
});

test("what it can be opened at", () => {
  expect(urlsOf(alone)).toEqual(["http://127.0.0.1:4600"]);
  expect(urlsOf(open)).toEqual(["http://127.0.0.1:4600", "https://yard.example.org", "http://10.0.0.4:4600"]);
  expect(urlsOf({ ...alone, HOST: "::" })).toEqual(["http://[::1]:4600"]);
});
