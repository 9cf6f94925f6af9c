// The security headers of every answer of the web process, set in the one place that all of them pass: Node's own event for
// the start of a request. A page of another site once framed the inbox and got an approval with one click. A rule that each
// route handler or page has to remember is soon forgotten, and Next answers by itself too (files, redirects, 404, errors).
import { randomBytes } from "node:crypto";
import diagnostics from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Env, env } from "../env";
import { takeAbsoluteForm } from "./absolute-form";
import { isHttps, markPeer } from "./peer";

export type Wall = {
  path: string;
  nonce: string;
  isHttps: boolean;
  /** Hot reloading evaluates code and talks over a web socket. */
  isDev: boolean;
};

const store = globalThis as typeof globalThis & { switchyardHasWalls?: boolean };

/** Once, when the web server starts; scripts/closed-without-walls.mjs closes connections that arrive earlier. */
export function raiseWalls({ isDev, settings }: { isDev: boolean; settings?: Env }): void {
  if (store.switchyardHasWalls) return;
  store.switchyardHasWalls = true;
  diagnostics.subscribe("http.server.request.start", (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    markPeer(request);
    // Read as it was sent, http://host/api/v1 had the headers of a page.
    takeAbsoluteForm(request);
    const path = request.url?.split("?")[0] ?? "/";
    const nonce = randomBytes(18).toString("base64");
    const { headers } = request;
    const read = { get: (name: string) => headers[name]?.toString() ?? null };
    const walls = wallsOf({ path, nonce, isDev, isHttps: isHttps(read, settings ?? env()) });
    for (const [name, value] of Object.entries(walls)) response.setHeader(name, value);
    // Next reads the nonce for its scripts from here, app/layout.tsx the one for the theme's. The caller's values are lost.
    headers["content-security-policy"] = walls["Content-Security-Policy"];
    headers["x-nonce"] = nonce;
  });
}

/** Next only adds missing headers: what is set here is what is sent. */
export function wallsOf({ path, nonce, isHttps, isDev }: Wall): Record<string, string> {
  return {
    "Content-Security-Policy": path.startsWith("/api/") ? forPrograms : forPages(nonce, isDev),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    // Names of built files contain their digest, and the files are not private, so Next may allow caching.
    ...(!path.startsWith("/_next/static/") && { "Cache-Control": "no-store" }),
    // Not for subdomains: they may belong to others, and not all use TLS.
    ...(isHttps && { "Strict-Transport-Security": "max-age=31536000" }),
  };
}

const forPrograms = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

// The server's markup and React Flow's nodes have styles in attributes, where a nonce has no effect.
const forPages = (nonce: string, isDev: boolean): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDev ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${isDev ? " ws: wss:" : ""}`,
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
