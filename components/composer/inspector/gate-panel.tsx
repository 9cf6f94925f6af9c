"use client";

// The gate of a fork: what ends the wait, and what comes of it if some tasks fail.
import { Fragment } from "react";
import { PolicyFields } from "@/components/domain/policy-fields";
import { gateWords } from "@/components/domain/policy-words";
import { Section } from "@/components/ui/section";
import type { JoinPolicy } from "@/server/contract/join-policy";
import { neededOf } from "@/server/contract/join-rules";
import { nameOf } from "@/server/contract/plan/plan-words";
import { useComposer, usePlan } from "../composer-context";
import { setting } from "../draft/edits";
import { NumberField } from "./fields";
import { PanelHead } from "./panel-head";
import { ProblemList } from "./problem-list";

export function GatePanel({ fork: id }: { fork: string }) {
  const plan = usePlan();
  const { store } = useComposer();
  const fork = plan.nodes.find((node) => node.id === id);
  if (fork?.kind !== "fork") return null;
  const { gate } = fork;
  return (
    <>
      <PanelHead place={id} title={`Gate of ${nameOf(fork)}`} sub={gateWords(gate, fork.tasks.length)} />
      <ProblemList place={id} />
      <Section>
        <label className="flex min-h-7 items-center gap-2">
          <input
            type="checkbox"
            checked={gate.fail_fast}
            onChange={({ target }) => store.change(setting(plan, id, "/gate/fail_fast", target.checked, "fail fast"))}
          />
          End with the first failure
        </label>
        <div className="mt-2">
          <PolicyFields
            policy={gate.policy}
            tasks={fork.tasks.length}
            onChange={(policy) => store.change(setting(plan, id, "/gate/policy", policy, "what it waits for"))}
          />
        </div>
        <div className="mt-2 grid grid-cols-2 gap-2">
          <NumberField
            place={id}
            path="/gate/deadline_seconds"
            label="Deadline, seconds"
            value={gate.deadline_seconds}
            min={0.001}
            max={31_536_000}
            isWhole={false}
            placeholder="the default"
          />
          <NumberField
            place={id}
            path="/gate/max_parallel"
            label="At once at most"
            value={gate.max_parallel}
            min={1}
            max={10_000}
            placeholder="all"
          />
        </div>
      </Section>
      <Section title="How it ends">
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
          {policyEnds(gate.policy, fork.tasks.length).map(([when, then]) => (
            <Fragment key={when}>
              <dt>{when}</dt>
              <dd className="text-ink-2">{then}</dd>
            </Fragment>
          ))}
          {gate.policy && gate.policy.kind !== "all" ? null : (
            <>
              <dt>All deliver</dt>
              <dd className="text-ink-2">success; what follows starts</dd>
              <dt>Some deliver</dt>
              <dd className="text-ink-2">
                {gate.fail_fast
                  ? "failed with the first failure; the others are stopped"
                  : "partial; what follows starts with what was delivered"}
              </dd>
              <dt>None delivers</dt>
              <dd className="text-ink-2">failed; what waits for its delivery is skipped</dd>
            </>
          )}
          <dt>Deadline passes</dt>
          <dd className="text-ink-2">what is still out ends as timeout; what arrived counts</dd>
        </dl>
      </Section>
    </>
  );
}

/** What a policy adds: when the gate closes, and as what. */
function policyEnds(policy: JoinPolicy | undefined, tasks: number): [string, string][] {
  if (!policy) return [];
  const rest = policy.late === "run" ? "the others go on" : "the others are stopped";
  const needed = neededOf(policy, tasks);
  const unit = policy.count === "ended" ? "end" : "deliver";
  const ends: [string, string][] = [];
  if (policy.kind !== "all") ends.push([`${needed} of ${tasks} ${unit}`, `success; ${rest}`]);
  if (policy.kind !== "all" && policy.count !== "ended") ends.push(["Too few still can", `failed at once; ${rest}`]);
  if (policy.timeout_ms !== undefined && policy.on_timeout !== "wait")
    ends.push([
      "Its time passes",
      policy.on_timeout === "fail" ? `failed; ${rest}` : `partial with what arrived, timeout with nothing; ${rest}`,
    ]);
  return ends;
}
