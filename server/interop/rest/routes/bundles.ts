// A run as a file to take along: whole, to be imported elsewhere, or as a page to read.
import * as z from "zod";
import { exportBundle } from "@/server/interop/bundle/export-bundle";
import { nameFile } from "@/server/interop/bundle/name-file";
import { exportReport } from "@/server/interop/report/export-report";
import { streamOf } from "../foreign-bytes";
import { id, route } from "../route";

/** It must be said: nobody should send secrets along because a default let them. */
const Redact = z.strictObject({
  redact: z.enum(["0", "1"], {
    error: "write redact=1 to leave secrets out, or redact=0 for the run as it is, secrets included",
  }),
});

export const bundleRoutes = [
  route({
    operationId: "exportRunBundle",
    method: "GET",
    path: "/projects/{project_id}/runs/{root_turn_id}/bundle",
    summary: "Download a run as a bundle (`.tar.gz`), to be imported here or elsewhere with its ids",
    query: Redact,
    isBytes: true,
    answerType: "application/gzip",
    call: async ({ kernel, params, query }) => {
      const run = keyOf(params);
      const redact = query.redact === "1";
      const bytes = await exportBundle(kernel, { ...run, redact });
      return new Response(streamOf(bytes), { headers: headersOf(`${await nameFile(kernel, run, redact)}.tar.gz`) });
    },
  }),
  route({
    operationId: "exportRunReport",
    method: "GET",
    path: "/projects/{project_id}/runs/{root_turn_id}/report.html",
    summary: "Download a run as one page to read: no server, no network and no script needed",
    query: Redact,
    isBytes: true,
    answerType: "text/html",
    call: async ({ kernel, params, query }) => {
      const run = keyOf(params);
      const redact = query.redact === "1";
      const page = await exportReport(kernel, { ...run, redact });
      const filename = `${await nameFile(kernel, run, redact)}.html`;
      return new Response(streamOf(page), {
        headers: { ...headersOf(filename), "content-type": "text/html; charset=utf-8" },
      });
    },
  }),
];

const keyOf = (params: Record<string, string>) => ({
  project_id: id(params, "project_id"),
  root_turn_id: id(params, "root_turn_id"),
});

const headersOf = (filename: string) => ({
  "content-type": "application/gzip",
  "content-disposition": `attachment; filename="${filename}"`,
  "content-security-policy": "sandbox",
  "x-content-type-options": "nosniff",
  "cache-control": "private, no-store",
});
