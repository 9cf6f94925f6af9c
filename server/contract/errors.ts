// One list of refusals and the HTTP status of each (docs/design/kernel.md 13). Tools, REST and tRPC map a KernelError once.

export const errorStatus = {
  bad_request: 400,
  auth_failed: 403,
  delegation_denied: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  fenced: 409,
  agent_busy: 409,
  existing_agent_profile_mutation_forbidden: 409,
  existing_agent_owner_mutation_forbidden: 409,
  existing_agent_worker_target_mutation_forbidden: 409,
  existing_agent_tags_mutation_forbidden: 409,
  derived_agent_conflict: 409,
  payload_too_large: 413,
  invalid_shape: 422,
  recursion_depth_exceeded: 422,
  fork_cycle: 422,
  queue_full: 429,
  internal_error: 500,
  busy: 503,
  storage_error: 503,
  /** A commit was sent and nobody could say what became of it. */
  outcome_unknown: 503,
  upstream_unavailable: 503,
  read_timeout: 504,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Seconds after which the same may be asked again; said in Retry-After. */
export const retryAfterS = (status: number): number | undefined => ({ 429: 5, 503: 1 })[status];

/** Refused input: the message names the field and the remedy. Never thrown for a lost race, which is a value. */
export class KernelError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly detail?: Record<string, unknown>,
  ) {
    super(message);
    this.name = "KernelError";
  }
  get status(): number {
    return errorStatus[this.code];
  }
}
