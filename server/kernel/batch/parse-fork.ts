// Parses the arguments of fork_join as a model or a person wrote them, and applies the service's own limits.
import { ForkJoinInput } from "@/server/contract/batch";
import { INSTRUCTION_BYTES_MAX } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import { policyMisfit } from "@/server/contract/join-rules";
import { parseArgs } from "../delegation/parse-args";
import { tunables as defaults, type Tunables } from "../tunables";

/** bad_request with the path of the first fault; payload_too_large for an instruction over its limit. */
export function parseFork(tunables: Pick<Tunables, "forkTasksMax" | "batchDeadlineMs">, args: unknown): ForkJoinInput {
  const fork = parseArgs(ForkJoinInput, args);
  const forkTasksMax = tunables.forkTasksMax > 0 ? tunables.forkTasksMax : defaults.forkTasksMax;
  if (fork.tasks.length > forkTasksMax)
    throw new KernelError(
      "bad_request",
      `invalid args.tasks: too many tasks (got=${fork.tasks.length}, max=${forkTasksMax}); fork in several batches`,
      { path: "tasks" },
    );
  refuseTwins(fork);
  refuseMisfit(tunables, fork);
  for (const [i, task] of fork.tasks.entries())
    if (new TextEncoder().encode(task.instruction).length > INSTRUCTION_BYTES_MAX)
      throw new KernelError(
        "payload_too_large",
        `args.tasks.${i}.instruction is over ${INSTRUCTION_BYTES_MAX} bytes; hand the text over as a card instead`,
        { path: `tasks.${i}.instruction` },
      );
  return fork;
}

function refuseMisfit({ batchDeadlineMs }: Pick<Tunables, "batchDeadlineMs">, fork: ForkJoinInput): void {
  if (!fork.policy) return;
  const { deadline_seconds, fail_fast, tasks } = fork;
  const deadline_ms = deadline_seconds === undefined ? batchDeadlineMs || null : Math.round(deadline_seconds * 1000);
  const misfit = policyMisfit(fork.policy, { tasks: tasks.length, fail_fast, deadline_ms });
  if (misfit)
    throw new KernelError("bad_request", `invalid args.${misfit.path}: ${misfit.message}`, { path: misfit.path });
}

/** An agent has one turn at a time: two branches of the same agent would wait for each other. */
function refuseTwins({ tasks }: ForkJoinInput): void {
  const seen = new Set<string>();
  for (const [i, { target_strategy, target_ref }] of tasks.entries()) {
    if (target_strategy !== "reuse") continue;
    if (seen.has(target_ref))
      throw new KernelError(
        "bad_request",
        `invalid args.tasks.${i}.target_ref: duplicate reuse target agent_id ${target_ref}; clone it, or give it one task`,
        { path: `tasks.${i}.target_ref` },
      );
    seen.add(target_ref);
  }
}
