// A name is worth its address only at the moment of the connection.
import type { LookupAddress } from "node:dns";
import { expect, test } from "vitest";
import { ForbiddenAddress, onlyElsewhere } from "./tool-fetch";

const lookUp = (host: string, ...addresses: string[]): Promise<LookupAddress[]> =>
  new Promise((resolve, reject) => {
    const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    onlyElsewhere(async () => found)(host, { all: true }, (error, all) =>
      error ? reject(error) : resolve(all as LookupAddress[]),
    );
  });

test.each([
  ["127.0.0.1"],
  ["127.8.8.8"],
  ["0.0.0.0"],
  ["::1"],
  ["::"],
  ["::ffff:127.0.0.1"],
  ["169.254.169.254"],
  ["fe80::1"],
  ["fd00:ec2::254"],
  ["fd20:ce::254"],
  ["100.100.100.200"],
  ["192.0.0.192"],
  ["::ffff:a9fe:a9fe"],
])("a name that resolves to %s is not connected to, even if its other address is harmless", async (address) => {
  for (const all of [[address], ["10.0.0.4", address]]) {
    const refused = await lookUp("tools.example.org", ...all).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ForbiddenAddress);
    expect(String(refused)).toContain(`tools.example.org leads to ${address}`);
  }
});

test("a service on the same network is connected to, and localhost means this machine", async () => {
  expect(await lookUp("tools", "10.0.0.4")).toEqual([{ address: "10.0.0.4", family: 4 }]);
  expect(await lookUp("localhost", "::1", "127.0.0.1")).toHaveLength(2);
  await expect(lookUp("nobody")).rejects.toThrow("no IP address");
});
