"use client";

// What the parent gets: while the join waits, what it would be and what it depends on; afterwards the tool.result itself.
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { Aspect } from "@/components/ui/aspect";
import { BoxId } from "@/components/ui/box-id";
import { cn } from "@/components/ui/cn";
import { formatNumber } from "@/components/ui/format";
import { JsonView } from "@/components/ui/json-view";
import { Link } from "@/components/ui/link";
import { plainWords } from "@/components/ui/plain-words";
import { RoleTag } from "@/components/ui/role-tag";
import { Segmented } from "@/components/ui/segmented";
import { Clock } from "@/components/ui/time";
import type { BatchSheet, Branch } from "@/server/contract/batch-sheet";
import { boxPlate } from "@/server/contract/box";
import { isEnded } from "@/server/contract/turn";
import { isOut, laneAspect, laneOf, laneWord, saidBy } from "./batch-words";
import { nameOf, outcomesOf } from "./outcomes";

export type JoinPanelProps = { base: string; sheet: BatchSheet; chosen: number | null };

const views = ["list", "json"] as const;

export function JoinPanel({ base, sheet, chosen }: JoinPanelProps) {
  const [view, setView] = useQueryState("view", parseAsStringLiteral(views).withDefault("list"));
  const { join, parent } = sheet;
  const isOpen = sheet.status === "running";
  const who = parent?.headcode ?? "the parent";
  const isPerson = parent?.is_human === true;
  return (
    <section aria-label="What the parent receives" className="flex flex-col gap-3.5">
      <h2 className="flex items-baseline gap-2 text-title">
        {isOpen
          ? `What ${who} will receive`
          : join === undefined
            ? `What ${who} did not receive`
            : `What ${who} received`}
        <span className="flex-1" />
        <span className="font-[450] text-body text-ink-3">
          {isOpen ? "as it stands" : <Clock at={join?.created_at ?? sheet.ended_at ?? sheet.created_at} />}
        </span>
      </h2>
      {isOpen ? <Outcomes sheet={sheet} /> : null}
      {!isOpen && join === undefined ? (
        <NothingCame sheet={sheet} />
      ) : (
        <article className="waybill" aria-label="The result of the join">
          <header className="flex h-[38px] items-center gap-2 pr-5 pl-3">
            <RoleTag cardRole={isPerson ? "assistant" : "tool"} />
            <span className="mono font-semibold text-[12px]">{isPerson ? "task.deliverable" : "tool.result"}</span>
            <span className="text-ink-2">{sheet.tool_name}</span>
            <span className="flex-1" />
            {join === undefined ? (
              <span className="text-ink-3">draft</span>
            ) : (
              <Link
                href={`${base}/cards/${join.card_id}`}
                className="mono text-ink-3 hover:text-ink"
                title={`${join.card_id}: open the card`}
              >
                …{join.card_id.slice(-8)}
              </Link>
            )}
          </header>
          <dl className="board-fields">
            <div>
              <dt>Answers</dt>
              <dd className="mono" title={sheet.parent_tool_call_id}>
                {shortCall(sheet.parent_tool_call_id)}
              </dd>
            </div>
            <div>
              <dt>Size</dt>
              <dd>{join === undefined ? "not yet known" : `${formatNumber(join.token_count)} tok`}</dd>
            </div>
            <div>
              <dt>Then</dt>
              <dd>
                <Then sheet={sheet} />
              </dd>
            </div>
          </dl>
          {join === undefined ? null : (
            <div className="border-line border-t px-3 py-2">
              <Segmented
                label="Form of the result"
                value={view}
                choices={[
                  { value: "list", label: "Branches" },
                  { value: "json", label: "JSON" },
                ]}
                onChange={(next) => void setView(next === "list" ? null : next)}
              />
            </div>
          )}
          {join !== undefined && view === "json" ? (
            <div className="border-line border-t px-1 pb-1">
              <JsonView value={join.result} label="The result of the join" maxHeight="420px" />
            </div>
          ) : (
            <ol>
              {sheet.tasks.map((branch) => (
                <ResultLine
                  key={branch.batch_task_id}
                  base={base}
                  branch={branch}
                  isLate={sheet.late?.includes(branch.task_index) ?? false}
                  isChosen={branch.task_index === chosen}
                />
              ))}
            </ol>
          )}
        </article>
      )}
      <p className="text-ink-2 leading-[1.5]">
        Only these summaries go back to the parent. The output boxes stay where they are; open them here or hand them
        over by id.
      </p>
    </section>
  );
}

function Outcomes({ sheet }: { sheet: BatchSheet }) {
  const outcomes = outcomesOf(sheet, sheet.tasks);
  if (outcomes.length === 0) return null;
  return (
    <ul className="board-outcomes" aria-label="Possible outcomes">
      {outcomes.map((outcome) => (
        <li key={`${outcome.when} ${outcome.at ?? ""}`}>
          <span className="min-w-0 flex-1 text-ink-2">
            {outcome.at === undefined ? null : <Clock at={outcome.at} />} {outcome.when}
          </span>
          <svg width="34" height="12" viewBox="0 0 34 12" fill="none" aria-hidden="true" className="text-rail">
            <path d="M0 6H30" stroke="currentColor" strokeWidth="2" />
            <path
              d="m27 2.5 4 3.5-4 3.5"
              stroke="currentColor"
              strokeWidth="1.6"
              strokeLinecap="round"
              strokeLinejoin="round"
            />
          </svg>
          <span className="flex w-[150px] items-center gap-2">
            <Aspect status={outcome.status} size={15} label={null} />
            <b>
              {outcome.status}, {outcome.what}
            </b>
          </span>
        </li>
      ))}
    </ul>
  );
}

type ResultLineProps = { base: string; branch: Branch; isLate: boolean; isChosen: boolean };

function ResultLine({ base, branch, isLate, isChosen }: ResultLineProps) {
  const lane = laneOf(branch);
  const box = branch.result?.output_box_id ?? branch.turn?.output_box_id;
  // A branch that failed says the same in both, and its error says it shorter.
  const error = branch.result?.error ?? branch.error ?? branch.turn?.error;
  const said = saidBy(branch);
  const summary = error === undefined && said !== undefined ? plainWords(said) : undefined;
  return (
    <li className="board-result" data-chosen={isChosen || undefined}>
      <span className="narrow font-bold text-ink-3">{branch.task_index + 1}</span>
      <Aspect status={laneAspect(lane)} size={14} label={laneWord(lane)} className="mt-px" />
      <span className="min-w-0 break-words text-ink-2">
        {isLate ? (
          <span className="text-ink-3">late: not part of the result</span>
        ) : isOut(lane) ? (
          <span className="text-ink-3">waiting for {nameOf(branch)}</span>
        ) : (
          <>
            {summary === undefined ? null : (
              <span dir="auto" className="line-clamp-4">
                {summary}
              </span>
            )}
            {error === undefined ? null : (
              <span
                className={cn(
                  "line-clamp-4",
                  lane === "failed" && "text-st-failed",
                  lane === "timeout" && "text-st-timeout",
                )}
              >
                {error}
              </span>
            )}
            {summary === undefined && error === undefined ? <span className="text-ink-3">no summary</span> : null}
          </>
        )}
      </span>
      {box === undefined ? null : (
        <Link href={`${base}/boxes/${box}`} title={box} className="hover:underline">
          <BoxId code={boxPlate(box)} />
        </Link>
      )}
    </li>
  );
}

/** What the parent does with it. */
function Then({ sheet: { join, parent, status } }: { sheet: BatchSheet }) {
  if (parent === undefined) return <>no turn resumes</>;
  if (status === "running")
    return parent.is_human ? (
      <>ends {parent.headcode}</>
    ) : (
      <>
        resume {parent.headcode}, step {parent.step_count + 1}
      </>
    );
  if (join?.applied_at !== undefined)
    return (
      <>
        {parent.is_human ? "ended" : "taken up"} <Clock at={join.applied_at} />
      </>
    );
  return isEnded(parent.status) ? (
    <>
      {parent.headcode} has ended, {parent.status}
    </>
  ) : (
    <>{parent.headcode} takes it up next</>
  );
}

function NothingCame({ sheet }: { sheet: BatchSheet }) {
  const { parent, status } = sheet;
  const hasEnded = parent === undefined || isEnded(parent.status);
  return (
    <p className="flex items-start gap-2 text-ink-2 leading-[1.5]">
      <Aspect status={status} size={15} label={null} className="mt-0.5" />
      <span>
        {hasEnded
          ? `${parent?.headcode ?? "The parent"} had ended before the join, so the branches were stopped and no turn resumed. Their output is kept.`
          : `The batch has ended as ${status}; its result will appear here as soon as it is in ${parent?.headcode}'s box.`}
      </span>
    </p>
  );
}

const shortCall = (id: string): string => (id.length > 14 ? `${id.slice(0, 3)}…${id.slice(-6)}` : id);
