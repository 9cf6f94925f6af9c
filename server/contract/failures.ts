// Every failure code that Switchyard itself writes: its HTTP status, where it can occur, its cause and its remedy. Kernel,
// worker, REST, tRPC, OpenAPI, the interface and docs/errors.md read this list. One code means one thing: `auth_failed` once
// meant a missing model key too, and people were told to change their delegation policy.

import { batchFailures } from "./batch-failures";
import { packFailures } from "./context-pack/pack-failures";
import type { Failure } from "./failure";
import { planFailures } from "./plan/plan-failures";
import { workspaceFailures } from "./workspace-failures";

export type { Failure, FailurePlace } from "./failure";

const fixed = (what: string) => ({
  status: 409 as const,
  where: ["request", "call"] as const,
  cause: `The agent exists with another value of its ${what}, which never changes.`,
  remedy: "Provision another `agent_id`.",
});

const ofEndingCall = (cause: string, remedy: string) => ({ status: null, where: ["turn"] as const, cause, remedy });

export const failures = {
  // What a caller sent.
  bad_request: {
    status: 400,
    where: ["request", "call", "turn"],
    cause: "A field has a value that is not accepted.",
    remedy: "Change the field that the message names, and send it again.",
  },
  invalid_shape: {
    status: 422,
    where: ["request", "call"],
    cause: "The input does not have the expected shape.",
    remedy: "Change the field at the path in the message. The OpenAPI document lists what each route accepts.",
  },
  payload_too_large: {
    status: 413,
    where: ["request", "call"],
    cause: "The body, the value or the result is larger than the limit.",
    remedy: "Send or ask for less. The message names the limit.",
  },
  not_found: {
    status: 404,
    where: ["request", "call", "turn"],
    cause: "The id, name or address does not exist in this project.",
    remedy: "Check the id and the project, or create what is missing.",
  },
  method_not_allowed: {
    status: 405,
    where: ["request"],
    cause: "This address exists, but does not take this method.",
    remedy: "Use one of the methods in the answer's `Allow` header.",
  },
  unsupported_coding: {
    status: 415,
    where: ["request"],
    cause: "The body is compressed (`Content-Encoding`), and bodies are read as they are sent.",
    remedy: "Send the body without a `Content-Encoding`.",
  },
  request_timeout: {
    status: 408,
    where: ["request"],
    cause: "The rest of the request body did not arrive in time.",
    remedy: "Send the request again.",
  },
  auth_failed: {
    status: 403,
    where: ["request", "call"],
    cause: "The caller may not do this.",
    remedy:
      "For a request, send the server's token and use its own address. For a tool call, allow the tool or the target in the caller's profile (`allowed_tools`, `delegation_policy`).",
  },
  too_many_connections: {
    status: 429,
    where: ["request"],
    cause: "This address has more open connections than its share.",
    remedy: "Close pages or streams you don't need, or raise `SWITCHYARD_CONNECTIONS_PER_ADDRESS`.",
  },

  ...planFailures,
  ...packFailures,
  ...workspaceFailures,

  // What prevents a change.
  conflict: {
    status: 409,
    where: ["request", "call", "turn"],
    cause: "The current state does not allow this change.",
    remedy: "Read the current state, then decide whether to try again.",
  },
  fenced: {
    status: 409,
    where: ["request"],
    cause: "Another worker has taken over the turn, or the turn has ended.",
    remedy: "Stop working on this turn. Nothing was written.",
  },
  existing_agent_profile_mutation_forbidden: fixed("profile"),
  existing_agent_owner_mutation_forbidden: fixed("owner"),
  existing_agent_worker_target_mutation_forbidden: fixed("worker target"),
  existing_agent_tags_mutation_forbidden: fixed("tags"),
  derived_agent_conflict: {
    status: 409,
    where: ["request", "call"],
    cause: "The agent exists and was derived from another agent.",
    remedy: "Derive it under another `agent_id`.",
  },
  recursion_depth_exceeded: {
    status: 422,
    where: ["request", "call", "turn"],
    cause: "The turn is at the deepest level of delegation.",
    remedy: "Let an agent further up delegate this work.",
  },
  fork_cycle: {
    status: 422,
    where: ["request", "call"],
    cause: "The fork would start an agent that is already above it.",
    remedy: "Choose a target that is not among the caller's own callers.",
  },
  queue_full: {
    status: 429,
    where: ["request", "call"],
    cause: "The agent already has as many waiting turns as it may have.",
    remedy: "Wait until some have ended, or use another agent.",
  },

  // What the server could not do.
  busy: {
    status: 503,
    where: ["request"],
    cause: "The server is busy with other large requests or documents.",
    remedy: "Try again in a few seconds.",
  },
  storage_error: {
    status: 503,
    where: ["request", "call", "turn"],
    cause: "The database is away, read-only, full or too slow. Nothing was written.",
    remedy: "Try again. If it goes on, look at the database and at the health page.",
  },
  outcome_unknown: {
    status: 503,
    where: ["request", "call"],
    cause: "The connection to the database broke while a change was being saved.",
    remedy: "Read the state, or send the same request with the same `Idempotency-Key`.",
  },
  upstream_unavailable: {
    status: 503,
    where: ["request", "call", "turn"],
    cause: "A tool's service or an MCP server cannot be reached, or broke.",
    remedy: "Check that the service runs and that its address is right, then try again.",
  },
  read_timeout: {
    status: 504,
    where: ["request"],
    cause: "A read took longer than five seconds and was canceled.",
    remedy: "Ask for less: a narrower search or a shorter list.",
  },
  internal_error: {
    status: 500,
    where: ["request", "call", "turn", "watchdog"],
    cause: "Something broke inside Switchyard.",
    remedy: "Look at the log of the server or the worker, and report the problem with the log lines.",
  },

  // What a model could not do.
  model_config_invalid: {
    status: null,
    where: ["turn"],
    cause: "`llm_config` in the profile, or the model's address in the environment, cannot be used.",
    remedy: "Change the setting that the message names, upload the profile, and launch again with a new agent.",
  },
  model_auth_failed: {
    status: null,
    where: ["turn"],
    cause: "The model provider's key is missing, or the provider refused it.",
    remedy: "Set the key that the message names in the worker's environment, restart the worker, and launch again.",
  },
  model_not_found: {
    status: null,
    where: ["turn"],
    cause: "The provider does not serve this model, or nothing answers at this path.",
    remedy: "Check `llm_config.model` and the provider's base URL.",
  },
  model_request_refused: {
    status: null,
    where: ["turn"],
    cause: "The provider refused the request as invalid.",
    remedy: "Read the provider's words in the message, and change `llm_config` or the tools that it names.",
  },
  model_unavailable: {
    status: null,
    where: ["turn"],
    cause: "The provider could not be reached, was overloaded, or broke off its answer, several times in a row.",
    remedy: "Try again later. If it goes on, check the provider's status page and the base URL.",
  },
  model_timeout: {
    status: null,
    where: ["turn"],
    cause: "The model did not finish its answer in time.",
    remedy: "Ask for less at once, or use a faster model.",
  },
  quota_exceeded: {
    status: null,
    where: ["turn"],
    cause: "The account at the model provider has no credit left.",
    remedy: "Add credit to the account behind the key, then launch again.",
  },
  context_overflow: {
    status: null,
    where: ["turn"],
    cause: "The request does not fit into the model's context window.",
    remedy: "Hand over fewer or shorter cards, or use a model with a larger window.",
  },
  output_truncated: {
    status: null,
    where: ["turn"],
    cause: "The model's answer reached the limit of output tokens and was cut off.",
    remedy: "Raise `llm_config.max_tokens`, or ask for less at once. The text so far is in the output box.",
  },
  content_filtered: {
    status: null,
    where: ["turn"],
    cause: "The provider or the model refused to answer, or withheld the rest of the answer.",
    remedy: "Change the instruction or the context. The text so far is in the output box.",
  },
  prompt_blocked: {
    status: null,
    where: ["turn"],
    cause: "The provider blocked the request before the model read it.",
    remedy:
      "Find what the message's reason means at the provider, and take it out of the prompt, the instruction or the context.",
  },
  answer_incomplete: {
    status: null,
    where: ["turn"],
    cause: "The provider ended the answer before it was complete.",
    remedy: "Launch again. The text so far is in the output box, and the message names the provider's reason.",
  },
  empty_answer: {
    status: null,
    where: ["turn"],
    cause: "The model answered with no text and no tool call.",
    remedy: "Launch again, or say in the prompt what the agent should deliver.",
  },
  max_steps_reached: {
    status: null,
    where: ["turn"],
    cause: "The agent used all its steps without delivering a result.",
    remedy: "Raise `max_steps` in its profile, or ask for less at once.",
  },
  script_failed: {
    status: null,
    where: ["turn"],
    cause: "The script of a scripted model told the turn to fail, or it has no next entry.",
    remedy: "Change `llm_config.script` in the profile if this was not meant.",
  },

  // How something outside ended a turn.
  stopped: {
    status: null,
    where: ["turn"],
    cause: "Someone stopped the turn.",
    remedy: "Launch it again if you didn't mean to stop it.",
  },
  timeout_reaped_by_watchdog: {
    status: null,
    where: ["turn"],
    cause: "The turn's workers stopped responding, and its attempts are used up.",
    remedy: "Look at the log of the worker, then launch the turn again.",
  },
  resume_retry_exhausted: {
    status: null,
    where: ["turn"],
    cause: "A message to the turn could not be applied, and its attempts are used up.",
    remedy: "Look at the log of the worker for the reason in the message, then launch the turn again.",
  },
  ...batchFailures,

  no_termination: {
    status: null,
    where: ["turn"],
    cause: "The imported log ends without a closing message.",
    remedy: "Nothing to do. The log holds no more; import a complete log if there is one.",
  },
  no_reply: {
    status: null,
    where: ["turn"],
    cause: "The imported log has no reply of this agent to the task it was given.",
    remedy: "Nothing to do. The log holds no more; import a complete log if there is one.",
  },

  // How a call ended.
  not_available: {
    status: null,
    where: ["call"],
    cause: "The tool exists, but cannot be called here.",
    remedy: "Go on without it, or call `list_capabilities` to see what you may call.",
  },
  inbox_not_empty: {
    status: null,
    where: ["call"],
    cause: "A message for the agent is still unread.",
    remedy: "Go on, and submit the result once you have seen the message.",
  },
  denied_by_human: {
    status: null,
    where: ["call", "turn"],
    cause: "A person denied the tool call.",
    remedy: "Read the reason, and do the work another way or ask again.",
  },
  origin_not_allowed: {
    status: null,
    where: ["call", "turn"],
    cause: "Tools may not call this address.",
    remedy: "Add the address to the allowed origins in the server's environment, or change the tool's address.",
  },
  missing_secret: {
    status: null,
    where: ["call", "turn"],
    cause: "A secret that the tool's headers name is not set for this address.",
    remedy: "Set the secret that the message names in the environment of the server and the worker.",
  },
  "http_<status>": {
    status: null,
    where: ["call", "turn"],
    cause: "The tool's service answered with this HTTP status.",
    remedy: "Read the service's words in the message, and check the tool's address, headers and arguments.",
  },
  http_bad_answer: {
    status: null,
    where: ["call", "turn"],
    cause: "The tool's service answered with something other than JSON or text.",
    remedy: "Change the service so that it answers JSON or text, with the right content type.",
  },
  result_not_serializable: {
    status: null,
    where: ["call", "turn"],
    cause: "The tool's result cannot be written as JSON, or is nested too deeply.",
    remedy: "Change the tool so that it returns a simpler result, or ask it for less.",
  },
  mcp_error: {
    status: null,
    where: ["call", "turn"],
    cause: "The MCP server answered with an error.",
    remedy: "Read the server's words in the message, and check the arguments.",
  },
  tool_error: {
    status: null,
    where: ["call", "turn"],
    cause: "The tool says that it failed.",
    remedy: "Read the tool's words in the message, and change the arguments or the tool.",
  },
  tool_timeout: {
    status: null,
    where: ["call", "turn"],
    cause: "The tool did not answer within its time.",
    remedy: "Raise `options.timeout_seconds` of the tool, or ask it for less.",
  },
  imported_while_live: ofEndingCall(
    "The run was exported while this turn was still going on. A copy of a run does not go on.",
    "Export the run again when it has ended, or run the turn again in the project it came from.",
  ),
  tool_failed: ofEndingCall(
    "A tool call that ends the turn failed, without a code of its own.",
    "Look at the result of the last tool call.",
  ),
  tool_canceled: ofEndingCall(
    "A tool call that ends the turn was canceled.",
    "Look at the result of the last tool call, and launch the turn again.",
  ),
  tool_partial: ofEndingCall(
    "A tool call that ends the turn gave only part of its result.",
    "Look at the result of the last tool call.",
  ),

  // What the watchdog ran into at a row.
  locked: {
    status: null,
    where: ["watchdog"],
    cause: "Another transaction holds the row.",
    remedy: "End that transaction in the database (`pg_stat_activity` shows it). The next try then succeeds.",
  },
  too_slow: {
    status: null,
    where: ["watchdog"],
    cause: "The database took longer than a statement may.",
    remedy: "Find out what slows the database down. Switchyard tries again by itself.",
  },
} as const satisfies Record<string, Failure>;
