"use client";

// The chosen task: what it was asked, where its boxes are, who carried it out, and the way to its turn.
import { Remedy } from "@/components/domain/remedy";
import { Aspect } from "@/components/ui/aspect";
import { BoxId } from "@/components/ui/box-id";
import { type Fact, FactLines } from "@/components/ui/facts";
import { formatCount, formatNumber } from "@/components/ui/format";
import { IconButton } from "@/components/ui/icon-button";
import { Kbd } from "@/components/ui/kbd";
import { Link } from "@/components/ui/link";
import { MarkdownView } from "@/components/ui/markdown-view";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { Clock } from "@/components/ui/time";
import { BY_ATTEMPTS, type EarlierAttempt as Earlier } from "@/server/contract/batch";
import type { Branch } from "@/server/contract/batch-sheet";
import { boxPlate } from "@/server/contract/box";
import { userOf } from "@/server/contract/ids";
import { attemptWords, laneAspect, laneOf, laneWord } from "./batch-words";

export type BranchDetailProps = { base: string; branch: Branch; attemptsMax: number; onClose: () => void };

export function BranchDetail({ base, branch, attemptsMax, onClose }: BranchDetailProps) {
  const { turn, deliverable } = branch;
  const lane = laneOf(branch);
  const contextBox = turn?.context_box_id ?? branch.context_box_id;
  const outputBox = turn?.output_box_id ?? branch.output_box_id;
  const facts: (Fact | false)[] = [
    { name: "Asked", value: <Asked base={base} branch={branch} /> },
    {
      name: "Agent",
      value: (
        <Link className="link" href={`${base}/agents/${branch.agent_id}`} title={branch.agent_id}>
          {branch.profile_name}
        </Link>
      ),
    },
    contextBox !== undefined && {
      name: "Given",
      value: (
        <BoxLink
          base={base}
          boxId={contextBox}
          note={
            turn === undefined
              ? ""
              : `${formatCount(turn.context_cards, "card")}, ${formatNumber(turn.context_tokens)} tokens`
          }
        />
      ),
    },
    outputBox !== undefined && {
      name: "Wrote",
      value: (
        <BoxLink
          base={base}
          boxId={outputBox}
          note={
            turn === undefined
              ? ""
              : `${formatCount(turn.output_cards, "card")}, ${formatNumber(turn.output_tokens)} tokens`
          }
        />
      ),
    },
    deliverable !== undefined && {
      name: "Delivered",
      value: (
        <Link dir="auto" className="link line-clamp-3" href={`${base}/cards/${deliverable.card_id}`}>
          {plainWords(deliverable.title) || "its card"}
        </Link>
      ),
    },
    turn?.error_code !== undefined && {
      name: "Failed",
      value: (
        <>
          <span className="mono break-all">{turn.error_code}.</span> <Remedy code={turn.error_code} />
        </>
      ),
    },
    {
      name: "Tries",
      value: `${attemptWords(branch)}${branch.turn === undefined ? `, at most ${attemptsMax + (branch.tries_before ?? 0)}` : ""}`,
    },
    branch.earlier !== undefined && {
      name: "Before",
      value: branch.earlier.map((one, i) => <EarlierAttempt key={one.agent_turn_id ?? i} base={base} {...one} />),
    },
    turn?.lease_holder !== undefined && {
      name: "Held by",
      value: <span className="mono break-all">{turn.lease_holder}</span>,
    },
    turn?.started_at !== undefined && { name: "Started", value: <Clock at={turn.started_at} /> },
    turn?.ended_at !== undefined && { name: "Ended", value: <Clock at={turn.ended_at} /> },
  ];
  return (
    <section className="border-line border-b pb-4" aria-label={`Task ${branch.task_index + 1}`}>
      <header className="mb-2.5 flex items-center gap-2">
        <Aspect status={laneAspect(lane)} size={16} label={null} />
        <h2 className="flex min-w-0 items-center gap-2 text-title">
          Task {branch.task_index + 1}
          {turn === undefined ? null : <Plate code={turn.headcode} />}
        </h2>
        <span className="text-ink-2">{laneWord(lane)}</span>
        <span className="flex-1" />
        <IconButton icon="x" label="Clear the task selection" keys="esc" onClick={onClose} />
      </header>
      <FactLines labelWidth={64} facts={facts.filter((fact): fact is Fact => fact !== false)} />
      {branch.result?.summary === undefined ? null : (
        <>
          <h3 className="mt-3.5 mb-1.5 font-semibold">Result</h3>
          <MarkdownView text={branch.result.summary} className="text-ink-2" />
        </>
      )}
      {turn === undefined ? null : (
        <p className="mt-3 flex flex-wrap gap-1.5">
          <Link className="btn" href={`${base}?run=${turn.root_turn_id}&turn=${turn.agent_turn_id}`}>
            Open {turn.headcode} in the yard <Kbd keys="enter" />
          </Link>
          {/* Where it is run again, on its own, once the batch has ended. */}
          <Link className="btn" href={`${base}/turns/${turn.agent_turn_id}`}>
            Its page
          </Link>
        </p>
      )}
    </section>
  );
}

function EarlierAttempt({ base, agent_turn_id, status, retried_by }: Earlier & { base: string }) {
  const words = retried_by === BY_ATTEMPTS ? `${status}, tried again` : `${status}, retried by ${userOf(retried_by)}`;
  if (agent_turn_id === undefined) return <span className="block">{words}</span>;
  return (
    <Link className="link block" href={`${base}/turns/${agent_turn_id}`} title={agent_turn_id}>
      {words}
    </Link>
  );
}

function Asked({ base, branch }: { base: string; branch: Branch }) {
  const card = branch.turn?.instruction_card_id;
  if (card === undefined) return plainWords(branch.title);
  return (
    <Link dir="auto" className="link" href={`${base}/cards/${card}`}>
      {plainWords(branch.title)}
    </Link>
  );
}

function BoxLink({ base, boxId, note }: { base: string; boxId: string; note: string }) {
  return (
    <span className="flex items-center gap-2">
      <Link href={`${base}/boxes/${boxId}`} title={boxId} className="inline-flex min-h-6 items-center hover:underline">
        <BoxId code={boxPlate(boxId)} className="text-ink" />
      </Link>
      <span className="text-ink-3">{note}</span>
    </span>
  );
}
