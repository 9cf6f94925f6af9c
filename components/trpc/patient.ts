// A page whose server or database is away says so and tries again until it answers; nobody has to reload.
import { TRPCClientError } from "@trpc/client";

const askAgainMs = 4000;

export const patient = {
  // What does not exist will not exist at a second try either; trying again only delays the message.
  retry: (count: number, error: unknown) => count < 1 && failureKind(error) !== "missing",
  refetchInterval: (query: { state: { error: unknown } }) => (isAway(query.state.error) ? askAgainMs : false),
} as const;

/** For what changes only over the stream, or never. */
export const patientForEver = { ...patient, staleTime: Number.POSITIVE_INFINITY } as const;

export type FailureKind = "missing" | "away" | "unreachable" | "broken";

export function failureKind(error: unknown): FailureKind {
  const status = statusOf(error);
  if (status === 404 || status === 400) return "missing";
  if (status === 503) return "away";
  return status === undefined ? "unreachable" : "broken";
}

function isAway(error: unknown): boolean {
  if (error === null) return false;
  const kind = failureKind(error);
  return kind === "away" || kind === "unreachable";
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof TRPCClientError)) return undefined;
  const data: unknown = error.data;
  return typeof data === "object" && data !== null && "httpStatus" in data && typeof data.httpStatus === "number"
    ? data.httpStatus
    : undefined;
}
