// Whether a large artifact passes through in constant memory: `npx tsx bench/artifacts.ts [megabytes ...]`. Up and down over a
// socket, with the peak of the process beside its size at rest.
import { createHash } from "node:crypto";
import http from "node:http";
import { createProject } from "@/server/kernel/roster/create-project";
import { serveRestOnPort } from "@/server/testing/rest-server";
import { withBenchKernel } from "./bench-kernel";

const MIB = 1_048_576;
const sizes = process.argv.slice(2).map(Number);
const piece = Buffer.alloc(64 * 1024);

await withBenchKernel(async ({ kernel }) => {
  await createProject(kernel, { project_id: "bench", title: "bench" });
  const server = await serveRestOnPort({ ...kernel, tunables: { ...kernel.tunables, uploadBytesMax: 1_024 * MIB } });
  for (const [i, mib] of [4, ...(sizes.length > 0 ? sizes : [16, 64, 256])].entries()) {
    const url = `${server.url}/api/v1/projects/bench/artifacts/bench/${i}.bin`;
    global.gc?.();
    const rest = process.memoryUsage().rss;
    let peak = rest;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 5);
    const begun = performance.now();
    const sent = await upload(url, mib * MIB, i);
    const middle = performance.now();
    const got = await download(url);
    const ended = performance.now();
    clearInterval(watch);
    if (sent !== got) throw new Error(`${url}: ${got} came back for ${sent}`);
    console.log(
      `${mib} MiB  up ${((middle - begun) / 1_000).toFixed(1)} s  down ${((ended - middle) / 1_000).toFixed(1)} s  rss at rest ${Math.round(rest / MIB)} MiB, at most +${Math.round((peak - rest) / MIB)} MiB`,
    );
  }
  await server.close();
});

/** The digest of what was sent. */
function upload(url: string, size: number, seed: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const digest = createHash("sha256");
    const request = http.request(url, { method: "PUT", headers: { "content-length": size } }, (response) => {
      response.resume();
      if (response.statusCode === 201) resolve(digest.digest("hex"));
      else reject(new Error(`PUT answered ${response.statusCode}`));
    });
    request.on("error", reject);
    let left = size;
    const send = () => {
      for (; left > 0; left -= piece.length) {
        const part = Buffer.from(piece.fill((left + seed) % 251));
        digest.update(part);
        if (request.write(part)) continue;
        left -= piece.length;
        return void request.once("drain", send);
      }
      request.end();
    };
    send();
  });
}

function download(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const digest = createHash("sha256");
    http
      .get(url, (response) => {
        response.on("data", (part) => digest.update(part));
        response.on("end", () => resolve(digest.digest("hex")));
        response.on("error", reject);
      })
      .on("error", reject);
  });
}
