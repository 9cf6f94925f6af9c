// Says once that the bus is away, and why, and once that it is back. It is tried ten times a minute and more; a line each
// time would bury everything else.
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
      if (said === undefined) log().debug("the NATS bus is there");
      else log().info("the NATS bus is back");
      said = undefined;
    },
  };
}

function lineOf(reason: unknown): string {
  const chain = withCauses(reason);
  if (chain.some((e) => e instanceof errors.AuthorizationError || e instanceof errors.UserAuthenticationExpiredError))
    return "the NATS bus refuses these credentials: check NATS_URL (or NATS_CREDS); polling goes on, it is tried again";
  if (chain.some((e) => /certificate|altname|\b(SSL|TLS)\b/i.test(`${codeOf(e)} ${String(e)}`)))
    return "no secure connection to the NATS bus: check NATS_CA, NATS_CERT and NATS_KEY; polling goes on, it is tried again";
  return "the NATS bus is away; polling goes on until it is back";
}

function withCauses(reason: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let at = reason; at !== undefined && chain.length < 5; at = at instanceof Error ? at.cause : undefined)
    chain.push(at);
  return chain;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code).replaceAll("_", " ") : "";
