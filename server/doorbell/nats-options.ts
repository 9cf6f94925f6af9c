// Connection options for NATS from the settings. Files are read at every connection, so that renewed certificates and
// credentials work without a restart.
import fs from "node:fs";
import { credsAuthenticator, type NodeConnectionOptions } from "@nats-io/transport-node";

export type NatsSettings = {
  /** nats:// or tls://, several separated by commas. Name and password, or a token, before the @. */
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
    // Without the part before the @, because the client puts addresses into its messages.
    servers: urls.map((url) => `${url.hostname}:${url.port || 4222}`),
    ...credentialsOf(urls),
    ...(creds && { authenticator: credsAuthenticator(fs.readFileSync(creds)) }),
    ...(isSecure && { tls: { caFile: ca, certFile: cert, keyFile: key } }),
  };
}

// The servers of a cluster share their users; the first address with a user applies to all.
function credentialsOf(urls: URL[]): { user?: string; pass?: string; token?: string } {
  const named = urls.find((url) => url.username !== "");
  if (!named) return {};
  const name = decodeURIComponent(named.username);
  return named.password === "" ? { token: name } : { user: name, pass: decodeURIComponent(named.password) };
}
