"use client";

// From the person to this turn, and the few numbers that place it.
import { Fragment } from "react";
import { epochHint } from "@/components/domain/epoch-hint";
import { NoCost } from "@/components/domain/no-cost";
import { FactColumns } from "@/components/ui/facts";
import { formatCompact, formatCost } from "@/components/ui/format";
import { HumanMark } from "@/components/ui/human-mark";
import { KindMark } from "@/components/ui/kind-mark";
import { Link as NextLink } from "@/components/ui/link";
import { Plate } from "@/components/ui/plate";
import { Section } from "@/components/ui/section";
import type { DelegationKind } from "@/components/ui/sign-words";
import { Skeleton } from "@/components/ui/skeleton";
import { branchCode } from "@/server/contract/batch-code";
import type { EdgeFrame, TurnFrame } from "@/server/contract/frame";
import { noCostReasons } from "@/server/contract/tokens";
import { type ChainLink, isEnded } from "@/server/contract/turn";
import type { TurnDetail } from "@/server/contract/turn-detail";
import { turnTitle } from "./turn-view";

/** The batch it is a branch of, and which of its tasks. */
export type BranchName = { batch_id: string; name: string; task: number };

export type CallChainProps = {
  projectId: string;
  branch: BranchName | null;
  turn: TurnFrame;
  detail: TurnDetail | undefined;
  edge: EdgeFrame | undefined;
  onSelect: (agentTurnId: string) => void;
};

/** More would not fit side by side; the middle is said as a number. */
const LINKS_MAX = 5;

export function CallChain({ projectId, turn, detail, edge, branch, onSelect }: CallChainProps) {
  const chain = detail?.chain ?? [];
  const { head, hidden, tail } = folded(chain);
  const reported = known(turn.tokens_in + turn.tokens_out);
  const below = detail && known(detail.subtree.tokens_in + detail.subtree.tokens_out);
  return (
    <Section>
      <nav aria-label="Chain from the person" className="flex min-h-[22px] items-center">
        {head.map((link) => (
          <Fragment key={link.agent_turn_id}>
            <Link link={link} onSelect={onSelect} />
            <Line />
          </Fragment>
        ))}
        {hidden > 0 ? (
          <>
            <span className="px-1.5 text-ink-3">{hidden} more</span>
            <Line />
          </>
        ) : null}
        {tail.map((link) => (
          <Fragment key={link.agent_turn_id}>
            <Link link={link} onSelect={onSelect} />
            <Line />
          </Fragment>
        ))}
        {edge && kindOf(edge) ? (
          <>
            <KindLabel kind={kindOf(edge)} projectId={projectId} branch={branch} />
            <Line />
          </>
        ) : null}
        <Plate code={turn.headcode} tone="ink" />
      </nav>
      {edge?.is_inferred ? (
        <p className="mt-2 text-ink-3">
          The caller is inferred from the order of the log.{" "}
          <button type="button" className="link" onClick={() => onSelect(edge.source_turn_id)}>
            Speaker before
          </button>
        </p>
      ) : null}
      {turn.forked_from === undefined ? null : (
        <p className="mt-2 text-ink-2">
          Forked from{" "}
          <NextLink
            className="link"
            href={`/p/${encodeURIComponent(projectId)}/turns/${encodeURIComponent(turn.forked_from.agent_turn_id)}?step=${turn.forked_from.ordinal}`}
          >
            {turn.forked_from.headcode} at step {turn.forked_from.ordinal}
          </NextLink>
        </p>
      )}
      <div className="mt-3">
        <FactColumns
          facts={[
            { name: "Depth", value: turn.depth },
            { name: "Epoch", value: turn.turn_epoch, hint: epochHint },
            ...(turn.status === "queued" ? [{ name: "Queue", value: <Queue detail={detail} />, hint: queueHint }] : []),
            {
              name: "Tokens",
              hint: tokensHint,
              value:
                reported === undefined && detail === undefined ? (
                  <FigureSkeleton />
                ) : reported === undefined && below === undefined ? (
                  <span className="font-[450] text-ink-3">{isEnded(turn.status) ? "not reported" : "none yet"}</span>
                ) : (
                  <WithBelow self={reported} all={below} why="" format={formatCompact} />
                ),
            },
            {
              name: "Cost",
              value:
                detail === undefined && turn.cost === undefined ? (
                  <FigureSkeleton />
                ) : (
                  <WithBelow
                    self={turn.cost}
                    all={detail?.subtree.cost}
                    why={noCostReasons(detail?.steps ?? [])}
                    format={formatCost}
                  />
                ),
            },
          ]}
        />
      </div>
    </Section>
  );
}

/** A request has tokens: none at all is that nobody reported any, as of a log that has no figures. */
const known = (tokens: number): number | undefined => (tokens === 0 ? undefined : tokens);

/** Its own, and where it set others going, what that came to with them. */
function WithBelow({
  self,
  all,
  why,
  format,
}: {
  self: number | undefined;
  all: number | undefined;
  /** Why there is none. */
  why: string;
  format: (value: number) => string;
}) {
  if (self === undefined && all === undefined) return <NoCost why={why} />;
  return (
    <>
      {self === undefined ? "-" : format(self)}
      {all === undefined || all === self ? null : (
        <span className="font-[450] text-ink-3" title="with everything below it">
          {" "}
          of {format(all)}
        </span>
      )}
    </>
  );
}

function folded(chain: readonly ChainLink[]): { head: ChainLink[]; hidden: number; tail: ChainLink[] } {
  const callers = chain.slice(0, -1);
  if (callers.length <= LINKS_MAX - 1) return { head: callers, hidden: 0, tail: [] };
  return { head: callers.slice(0, 2), hidden: callers.length - 3, tail: callers.slice(-1) };
}

function Link({ link, onSelect }: { link: ChainLink; onSelect: (agentTurnId: string) => void }) {
  const name = link.display_name ?? turnTitle(link);
  return (
    <button
      type="button"
      title={`${name} ${link.headcode}`}
      aria-label={`Select ${link.headcode}, ${name}`}
      className="flex-none rounded-1"
      onClick={() => onSelect(link.agent_turn_id)}
    >
      {link.is_human ? <HumanMark name={name} size={20} /> : <Plate code={link.headcode} />}
    </button>
  );
}

function Line() {
  return <i aria-hidden className="h-0.5 min-w-2 flex-1 bg-rail" />;
}

function KindLabel({
  kind,
  projectId,
  branch,
}: {
  kind: DelegationKind | null;
  projectId: string;
  branch: BranchName | null;
}) {
  if (kind === null) return null;
  const words = (
    <>
      <KindMark kind={kind} size={13} />
      <span aria-hidden={branch === null ? true : undefined}>
        {branch === null || kind === "ask" ? kind : branchCode(branch.name, branch.task)}
      </span>
    </>
  );
  const looks = "flex flex-none items-center gap-1 px-1.5 text-[12px] text-ink-2";
  if (branch === null) return <span className={looks}>{words}</span>;
  return (
    <NextLink
      className={`${looks} rounded-1 hover:text-ink hover:underline`}
      href={`/p/${encodeURIComponent(projectId)}/batches/${encodeURIComponent(branch.batch_id)}`}
    >
      {words}
    </NextLink>
  );
}

/** How this one was called; a speaker of a conversation was not called at all. */
function kindOf(edge: EdgeFrame): DelegationKind | null {
  if (edge.is_inferred) return null;
  if (edge.primitive === "launch_principal" || edge.primitive === "ui_action") return "launch";
  if (edge.primitive === "ask_expert") return "ask";
  if (edge.primitive === "fork_join") return "fork";
  return edge.target_strategy ?? null;
}

const queueHint = "Messages that its agent takes before this one";
const tokensHint = "Input and output, as the provider reported them";

function Queue({ detail }: { detail: TurnDetail | undefined }) {
  return detail === undefined ? <FigureSkeleton /> : `${detail.queue_ahead} ahead`;
}

/** As high as the figure that comes. */
function FigureSkeleton() {
  return (
    <span className="flex h-[1lh] items-center">
      <Skeleton className="h-2.5 w-7" />
    </span>
  );
}
