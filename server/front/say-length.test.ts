// The length of an answer, as Next writes headers: one by one, each as a list.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { LENGTH_HEADER } from "../contract/length-header";
import { sayLength } from "./say-length";

test("the length is sent, with HEAD too, under its usual name", async () => {
  const server = http.createServer((request, response) => {
    sayLength(response);
    response.setHeader(LENGTH_HEADER, ["4"]);
    response.end(request.method === "HEAD" ? undefined : "four");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  for (const method of ["GET", "HEAD"]) {
    const { headers } = await fetch(`http://127.0.0.1:${port}/`, { method });
    expect([method, headers.get("content-length"), headers.get(LENGTH_HEADER)]).toEqual([method, "4", null]);
  }
});
