import { expect, test } from "vitest";
import { natsOptions } from "./nats-options";

test.each([
  ["nats://127.0.0.1", { servers: ["127.0.0.1:4222"] }],
  ["nats://[::1]:4333", { servers: ["[::1]:4333"] }],
  ["nats://ann:p%40ss@a:1,nats://b:2", { servers: ["a:1", "b:2"], user: "ann", pass: "p@ss" }],
  ["nats://a:1, nats://t0ken@b:2", { servers: ["a:1", "b:2"], token: "t0ken" }],
])("%s", (url, options) => {
  expect(natsOptions({ url })).toEqual(options);
});

test("tls:// or an authority of one's own ask for a secure connection", () => {
  expect(natsOptions({ url: "tls://a:1" }).tls).toEqual({});
  expect(natsOptions({ url: "nats://a:1", ca: "/ca.pem" }).tls).toEqual({ caFile: "/ca.pem" });
  expect(natsOptions({ url: "tls://a:1", cert: "/c.pem", key: "/k.pem" }).tls).toEqual({
    certFile: "/c.pem",
    keyFile: "/k.pem",
  });
});
