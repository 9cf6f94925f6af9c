"use client";

// A wagon as it is drawn: the yard's own, with what it would be in the place of how it stands.
import { memo } from "react";
import type { Detail } from "@/components/ground/viewport";
import { AgentMark } from "@/components/ui/agent-mark";
import { Aspect } from "@/components/ui/aspect";
import { Consist } from "@/components/ui/consist";
import { Icon } from "@/components/ui/icon";
import { KindMark } from "@/components/ui/kind-mark";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import type { DelegationKind } from "@/components/ui/sign-words";
import { Elapsed } from "@/components/ui/time";
import { VerdictMark } from "@/components/ui/verdict-mark";
import type { Rider } from "@/server/contract/plan/plan";
import { nameOf, nodeIdOf } from "@/server/contract/plan/plan-words";
import { useDragLook } from "../canvas/use-drag-look";
import { isPacked, segmentsOf, shortTokens, tokensOf } from "../check/figures";
import {
  useComposer,
  useDrawn,
  useIsLive,
  useIsSelected,
  useLivePlace,
  useMark,
  usePart,
  usePlaceCheck,
  useProblemsAt,
  useWouldBeAt,
} from "../composer-context";
import { targetWords } from "../drawing/loads";
import { shortProblem } from "../drawing/short-problem";
import { spokenPlace } from "../drawing/spoken";
import { comparedMarks, comparedWords } from "../live/compare-words";
import { aspectOf, ranOf } from "../live/live-words";
import { markOf } from "../versions/version-marks";
import { blockWords } from "./block-words";

export const DrawnWagon = memo(function DrawnWagon({ place, detail }: { place: string; detail: Detail }) {
  const part = usePart(place);
  const node = usePart(nodeIdOf(place));
  const isSelected = useIsSelected(place);
  const known = usePlaceCheck(place);
  const wouldBe = useWouldBeAt(place);
  const check = wouldBe ?? known;
  const problems = useProblemsAt(place);
  const look = useDragLook(place);
  const live = useLivePlace(place);
  const isLive = useIsLive();
  const mark = useMark(place);
  const { store } = useComposer();
  const target = useDrawn(({ plan }) => (part && "instruction" in part ? targetWords(plan, part) : ""));
  if (!part || !node || !("instruction" in part)) return null;
  const isOff = "disabled" in node && node.disabled;
  // What is packed was checked when it started.
  const shown = live && !live.isOpen ? [] : problems.filter(({ severity }) => !live || severity === "error");
  const worst = shown.find(({ severity }) => severity === "error") ?? shown[0];
  const tokens = check && isPacked(check) ? tokensOf(check) : null;
  const title = plainWords(nameOf(part));
  const isHeld = live?.status === "held" && !live.turn;
  const note = worst
    ? shortProblem(worst, title)
    : isHeld
      ? "waits for a person"
      : live
        ? plainWords(live.words)
        : target;
  const kind = kindOf(part, "kind" in part && part.kind === "ask");
  const marks = (
    <>
      {live && !worst ? (
        <Aspect status={aspectOf(live)} size={detail === "full" ? 15 : 13} label={null} />
      ) : worst ? (
        <Icon
          name={worst.severity === "error" ? "x" : "warn"}
          size={detail === "full" ? 15 : 13}
          className={worst.severity === "error" ? "text-st-failed" : "text-st-partial"}
        />
      ) : (
        <KindMark kind={kind} size={detail === "full" ? 15 : 13} label={null} />
      )}
    </>
  );
  const plate = live?.turn ? (
    <Plate code={live.turn.headcode} tone={isSelected ? "ink" : "raised"} />
  ) : check ? (
    <Plate
      code={isLive && !live ? `${check.headcode.slice(0, 2)}··` : check.headcode}
      tone="bare"
      className="ghost-plate"
    />
  ) : null;
  return (
    <div
      role="img"
      aria-label={
        live ? `${title}, ${aspectOf(live)}, ${live.words}` : spokenPlace(store.get().plan, place, { check, problems })
      }
      className="yard-turn relative size-full"
      data-detail={detail}
      data-place={place}
      data-off={isOff ? "" : undefined}
      data-dim={look?.kind === "refused" ? "" : undefined}
      data-lit={look?.kind === "lit" ? "" : undefined}
      title={worst?.message ?? live?.words ?? (detail === "full" ? undefined : `${title}: ${target}`)}
    >
      {detail === "block" ? (
        <div
          className={`wagon-block ${isSelected ? "selected" : ""}`}
          data-status={live ? aspectOf(live) : worst?.severity === "error" ? "failed" : undefined}
        >
          <span dir="auto">{blockWords(title)}</span>
        </div>
      ) : detail === "chip" ? (
        <div className={`wagon-chip ${isSelected ? "selected" : ""}`}>
          {marks}
          <span dir="auto" className="wagon-words wagon-name">
            {title}
          </span>
          {plate}
        </div>
      ) : (
        <div
          className={`wagon drawn-wagon ${isSelected ? "selected" : ""}`}
          data-detail={detail}
          data-status={live?.turn?.status}
          data-ghost={live && !live.turn ? "" : undefined}
          data-error={worst?.severity === "error" ? "" : undefined}
          data-compared={live?.compared ?? mark}
          data-would-be={wouldBe ? "" : undefined}
        >
          <span className="wagon-marks">
            {marks}
            {part.target ? (
              <AgentMark
                agentId={part.target.ref}
                profile={check?.profile_name ?? part.target.ref}
                size={detail === "full" ? 16 : 13}
              />
            ) : null}
          </span>
          <span className="wagon-lines">
            <span className="flex min-w-0 items-center gap-1.5">
              <b dir="auto" className="wagon-words min-w-0 flex-1 truncate">
                {title}
              </b>
              {mark ? <VerdictMark verdict={markOf[mark]} label={mark} /> : null}
              {live?.compared ? (
                <VerdictMark verdict={comparedMarks[live.compared]} label={comparedWords[live.compared]} />
              ) : null}
              {plate}
            </span>
            <span className="flex min-w-0 items-center gap-1.5">
              <span
                dir="auto"
                className="wagon-words wagon-note min-w-0 flex-1 truncate"
                data-failed={worst?.severity === "error" || (live && aspectOf(live) === "failed") ? "" : undefined}
              >
                {note}
              </span>
              {live?.turn?.started_at && live.turn.as_in_run === undefined ? (
                <span className="wagon-words wagon-tokens flex-none text-ink-3">
                  <Elapsed since={live.turn.started_at} until={live.turn.ended_at} />
                </span>
              ) : null}
              {tokens && !live?.turn ? (
                <span
                  className={`wagon-words wagon-tokens flex-none ${wouldBe ? "font-semibold text-ink" : "text-ink-3"}`}
                >
                  {shortTokens(tokens)}
                </span>
              ) : null}
            </span>
          </span>
          {live?.turn ? (
            <Consist
              cards={ranOf(live.turn)}
              window={live.turn.window_tokens ?? null}
              height={detail === "full" ? 6 : 4}
            />
          ) : check && isPacked(check) ? (
            <Consist cards={segmentsOf(check)} window={check.window_tokens} height={detail === "full" ? 6 : 4} />
          ) : (
            <span className="consist" style={{ height: detail === "full" ? 6 : 4 }} />
          )}
        </div>
      )}
      {look?.kind === "refused" ? <span className="drawn-refusal">{look.words}</span> : null}
    </div>
  );
});

function kindOf({ target }: Pick<Rider, "target">, isAsk: boolean): DelegationKind {
  if (isAsk) return "ask";
  return target?.strategy ?? "new";
}
