"use client";

// How far each request of an agent begins like the one before it, or the first one of each branch like that of the branch that began
// first: one lane a request, its common part solid.
import { useQuery } from "@tanstack/react-query";
import { ContentChange } from "@/components/domain/content-change";
import { Failure } from "@/components/domain/failure";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCompact, formatCount, formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Plate } from "@/components/ui/plate";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { PrefixRequest } from "@/server/contract/prefix";
import { isStable, totalsText, uncachedWords, whyWords } from "./prefix-words";
import "./prefix.css";

export type PrefixLanesProps = { projectId: string; of: { agent_id: string } | { batch_id: string } };

export function PrefixLanes({ projectId, of }: PrefixLanesProps) {
  const trpc = useTRPC();
  const isAgent = "agent_id" in of;
  const ofAgent = useQuery(
    trpc.debugger.agent_prefix.queryOptions(
      { project_id: projectId, agent_id: isAgent ? of.agent_id : "" },
      { enabled: isAgent },
    ),
  );
  const ofBatch = useQuery(
    trpc.debugger.batch_prefix.queryOptions(
      { project_id: projectId, batch_id: isAgent ? "" : of.batch_id },
      { enabled: !isAgent },
    ),
  );
  const read = isAgent ? ofAgent : ofBatch;
  if (read.data === undefined)
    return read.error ? (
      <Failure
        size="panel"
        error={read.error}
        what={isAgent ? "requests of this agent" : "requests of this batch"}
        onRetry={read.refetch}
      />
    ) : (
      <SkeletonRows count={8} rowHeight={34} label="Loading the requests" />
    );
  const { requests, total, totals, shared, rules_date } = read.data;
  if (requests.length === 0)
    return (
      <EmptyState
        title="Empty list of requests"
        cause={`${isAgent ? "This agent has" : "The branches have"} sent nothing to a model yet, or ${isAgent ? "its worker does" : "their workers do"} not store what is sent.`}
      />
    );
  const widest = Math.max(...requests.map(({ sent }) => sent.tokens), 1);
  return (
    <section aria-label="Requests and what they have in common" className="prefix">
      <p className="prefix-totals">{totalsText(totals)}</p>
      {shared === undefined ? null : (
        <p className="px-4 pb-2 text-ink-2">
          All of them begin with the same {formatCount(shared.cards, "item")}, {formatNumber(shared.tokens)} tokens.
        </p>
      )}
      {requests.length < total ? (
        <p className="px-4 pb-2 text-ink-3">
          The newest {formatNumber(requests.length)} of {formatNumber(total)} requests.
        </p>
      ) : null}
      <ol>
        {requests.map((request) => (
          <Lane
            key={request.step_id}
            projectId={projectId}
            request={request}
            against={requests.find(({ step_id }) => step_id === request.against)}
            widest={widest}
          />
        ))}
      </ol>
      <p className="px-4 py-3 text-ink-3 text-note">
        Solid: what the {isAgent ? "request before" : "branch that began first"} began with too. Predictions follow the
        rules that providers publish, as of {rules_date}.
      </p>
    </section>
  );
}

type LaneProps = { projectId: string; request: PrefixRequest; against: PrefixRequest | undefined; widest: number };

function Lane({ projectId, request, against, widest }: LaneProps) {
  const { agent_turn_id, ordinal, headcode, sent, common, common_part, why, differs, not_cached } = request;
  const shared = common.tokens + common_part;
  const width = (tokens: number) => `${((100 * tokens) / widest).toFixed(2)}%`;
  return (
    <li className="prefix-lane">
      <Link
        className="prefix-row"
        prefetch={false}
        href={`/p/${encodeURIComponent(projectId)}/turns/${encodeURIComponent(agent_turn_id)}?step=${ordinal}`}
      >
        <span className="flex items-center gap-2">
          <Plate code={headcode} tone="bare" />
          <span className="text-ink-2">step {formatNumber(ordinal)}</span>
        </span>
        <span
          role="img"
          aria-label={`${formatNumber(shared)} of ${formatNumber(sent.tokens)} tokens as before`}
          className="prefix-bar"
        >
          <i data-common style={{ width: width(shared) }} />
          <i style={{ width: width(Math.max(0, sent.tokens - shared)) }} />
        </span>
        <span className="text-right">
          {formatCompact(shared)} <span className="text-ink-3">of {formatCompact(sent.tokens)}</span>
        </span>
        <span className={isStable(why) ? "text-ink-3" : "text-st-partial"}>{whyWords[why]}</span>
        <span className="text-right text-ink-2">{cachedText(request)}</span>
      </Link>
      {differs?.change === undefined ? null : (
        <details className="prefix-change">
          <summary>
            What differs at item {formatNumber(differs.at + 1)}, {(differs.b ?? differs.a)?.type}
          </summary>
          <ContentChange change={differs.change} />
        </details>
      )}
      {against === undefined || isStable(why) ? null : (
        <Link
          className="prefix-compare"
          prefetch={false}
          href={`/p/${encodeURIComponent(projectId)}/boxes/${encodeURIComponent(request.request_box_id)}?tab=diff&with=${encodeURIComponent(against.request_box_id)}`}
        >
          Compare with {against.headcode}, step {formatNumber(against.ordinal)}
        </Link>
      )}
      {not_cached === undefined || not_cached === "first" ? null : (
        <span className="sr-only">Not predicted to be cached: {uncachedWords[not_cached]}.</span>
      )}
    </li>
  );
}

/** Reported, beside what was predicted. */
function cachedText({ predicted_cached, cached_tokens }: PrefixRequest): string {
  const reported = cached_tokens === undefined ? "not reported" : `${formatCompact(cached_tokens)} cached`;
  return predicted_cached === null ? reported : `${reported}, ${formatCompact(predicted_cached)} predicted`;
}
