// How a NATS server is reached, out of the settings. Files are read at every connection, so that renewed certificates and
// credentials count without a restart.
import fs from "node:fs";
import { credsAuthenticator, type NodeConnectionOptions } from "@nats-io/transport-node";

export type NatsSettings = {
  /** nats:// or tls://, several joined by commas. Name and password, or a token, may stand before the @. */
  url: string;
  /** Paths. */
  ca?: string;
  cert?: string;
  key?: string;
  creds?: string;
};

export function natsOptions(settings: NatsSettings): NodeConnectionOptions {
  const { ca, cert, key, creds } = settings;
  const urls = settings.url.split(",").map((one) => new URL(one.trim()));
  const isSecure = Boolean(ca || cert) || urls.some((url) => url.protocol === "tls:");
  return {
    // Without what stands before the @: the client puts addresses into its messages.
    servers: urls.map((url) => `${url.hostname}:${url.port || 4222}`),
    ...credentialsOf(urls),
    ...(creds && { authenticator: credsAuthenticator(fs.readFileSync(creds)) }),
    ...(isSecure && { tls: { caFile: ca, certFile: cert, keyFile: key } }),
  };
}

// A cluster's servers share their users; the first address that names one speaks for all.
function credentialsOf(urls: URL[]): { user?: string; pass?: string; token?: string } {
  const named = urls.find((url) => url.username !== "");
  if (!named) return {};
  const name = decodeURIComponent(named.username);
  return named.password === "" ? { token: name } : { user: name, pass: decodeURIComponent(named.password) };
}
