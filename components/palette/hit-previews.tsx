"use client";

// A found thing before one goes there, in the same drawings as everywhere else.
import { figureWords, gaugeShort } from "@/components/domain/gauge-words";
import { MarkedWords } from "@/components/domain/marked-words";
import { Remedy } from "@/components/domain/remedy";
import { AgentMark } from "@/components/ui/agent-mark";
import { Aspect } from "@/components/ui/aspect";
import { Consist } from "@/components/ui/consist";
import { FactLines } from "@/components/ui/facts";
import { formatCount, formatNumber } from "@/components/ui/format";
import { HumanMark } from "@/components/ui/human-mark";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { RoleTag } from "@/components/ui/role-tag";
import { Clock } from "@/components/ui/time";
import { boxPlate } from "@/server/contract/box";
import { parseConsist } from "@/server/contract/consist";
import { userOf } from "@/server/contract/ids";
import type { BoxHit, CardHit, TurnHit } from "@/server/contract/search";
import { gaugeOf } from "@/server/contract/tokens";

export function TurnPreview({ hit }: { hit: TurnHit }) {
  const gauge = gaugeOf(hit);
  return (
    <>
      <div className="flex min-w-0 items-center gap-2">
        <div className="min-w-0">
          <b dir="auto" className="block truncate text-row">
            {plainWords(hit.title)}
          </b>
          <span className="flex items-center gap-1.5 text-ink-3">
            {hit.is_human ? (
              <HumanMark name={userOf(hit.agent_id)} size={14} />
            ) : (
              <AgentMark agentId={hit.agent_id} profile={hit.profile_name} size={14} />
            )}
            <span className="truncate">{hit.is_human ? "you" : hit.profile_name}</span>
            <Plate code={hit.headcode} />
          </span>
        </div>
      </div>
      <p className="flex items-center gap-2">
        <Aspect status={hit.status} size={15} label={null} />
        <b className="first-letter:uppercase">{hit.status}</b>
        {hit.ended_at === undefined ? null : (
          <span className="text-ink-2">
            at <Clock at={hit.ended_at} />
          </span>
        )}
      </p>
      {hit.error_code === undefined ? null : (
        <p className="mono break-words text-st-failed">
          {hit.error_code}
          {hit.error === undefined ? "" : `: ${hit.error}`}
        </p>
      )}
      <Remedy code={hit.error_code} />
      <Consist cards={parseConsist(hit.context_consist)} window={hit.window_tokens} mark={gauge?.tokens} height={8} />
      <FactLines
        facts={[
          { name: "Run", value: String(hit.run_number) },
          {
            name: "Given",
            value: `${formatCount(hit.context_cards, "card")}, ${formatNumber(hit.context_tokens)} tokens`,
          },
          ...(gauge === null ? [] : [{ name: figureWords[gauge.figure], value: gaugeShort(gauge) }]),
          ...(hit.note === undefined ? [] : [{ name: "Note", value: plainWords(hit.note) }]),
        ]}
      />
    </>
  );
}

export function BoxPreview({ hit }: { hit: BoxHit }) {
  return (
    <>
      <div className="flex items-center gap-2">
        <Plate code={boxPlate(hit.box_id)} size="lg" tone="ink" />
        <b className="text-row first-letter:uppercase">{hit.kind}</b>
      </div>
      <Consist cards={parseConsist(hit.consist)} height={8} />
      <FactLines
        facts={[
          { name: "Load", value: `${formatCount(hit.length, "card")}, ${formatNumber(hit.token_sum)}` },
          ...(hit.owner_headcode === undefined
            ? []
            : [{ name: "Turn", value: `${hit.owner_profile_name ?? ""} ${hit.owner_headcode}`.trim() }]),
          ...(hit.run_number === undefined ? [] : [{ name: "Run", value: String(hit.run_number) }]),
        ]}
      />
    </>
  );
}

export function CardPreview({ hit, query }: { hit: CardHit; query: string }) {
  return (
    <>
      <div className="flex items-center gap-2">
        <RoleTag cardRole={hit.role} />
        <b className="mono text-[12px]">{hit.type}</b>
      </div>
      <p className="whitespace-pre-wrap break-words text-ink-2" dir="auto">
        <MarkedWords text={hit.excerpt} query={query} />
      </p>
      <FactLines
        facts={[
          { name: "Size", value: `${formatNumber(hit.token_count)} tokens` },
          ...(hit.author_id === "" ? [] : [{ name: "From", value: hit.author_id }]),
        ]}
      />
    </>
  );
}
