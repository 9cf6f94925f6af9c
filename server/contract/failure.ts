// What the list of failure codes says of each.

/** A request to the API, a turn that ends, a tool call that fails, a row that the watchdog could not handle. */
export type FailurePlace = "request" | "turn" | "call" | "watchdog";

export type Failure = {
  /** HTTP status; null for codes that no request gets. */
  status: number | null;
  where: readonly FailurePlace[];
  cause: string;
  remedy: string;
};
