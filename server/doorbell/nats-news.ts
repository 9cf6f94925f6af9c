// Logs once that NATS is away, and why, and once that it is back. It is tried ten times a minute and more; a line each time
// would bury everything else.
import { errors } from "@nats-io/transport-node";
import { log } from "@/server/log";

export type NatsNews = { isAway: (reason: unknown) => void; isBack: () => void };

export function createNatsNews(): NatsNews {
  let said: string | undefined;
  return {
    isAway: (reason) => {
      const line = lineOf(reason);
      if (line === said) return;
      said = line;
      log().warn({ error: reason === undefined ? undefined : String(reason) }, line);
    },
    isBack: () => {
      if (said === undefined) log().debug("connected to NATS");
      else log().info("connected to NATS again");
      said = undefined;
    },
  };
}

function lineOf(reason: unknown): string {
  const chain = withCauses(reason);
  if (chain.some((e) => e instanceof errors.AuthorizationError || e instanceof errors.UserAuthenticationExpiredError))
    return "NATS refused the credentials: check NATS_URL or NATS_CREDS; polling in the meantime, and trying again";
  if (chain.some((e) => /certificate|altname|\b(SSL|TLS)\b/i.test(`${codeOf(e)} ${String(e)}`)))
    return "no secure connection to NATS: check NATS_CA, NATS_CERT and NATS_KEY; polling in the meantime, and trying again";
  return "NATS is not reachable; polling until it is back";
}

function withCauses(reason: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let at = reason; at !== undefined && chain.length < 5; at = at instanceof Error ? at.cause : undefined)
    chain.push(at);
  return chain;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code).replaceAll("_", " ") : "";
