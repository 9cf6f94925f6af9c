"use client";

// One turn as it stands on its track. How much of it is drawn depends on the zoom; where it stands never does.
import { memo, useMemo } from "react";
import { personName } from "@/components/domain/agent-names";
import type { Detail } from "@/components/ground/viewport";
import { AgentMark } from "@/components/ui/agent-mark";
import { Aspect } from "@/components/ui/aspect";
import { Consist } from "@/components/ui/consist";
import { formatCompact } from "@/components/ui/format";
import { HumanMark } from "@/components/ui/human-mark";
import { Icon } from "@/components/ui/icon";
import { KindMark } from "@/components/ui/kind-mark";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { lampTitle, lampWords, partWords } from "@/components/ui/sign-words";
import { Clock } from "@/components/ui/time";
import { parseConsist } from "@/server/contract/consist";
import type { TurnFrame } from "@/server/contract/frame";
import { gaugeOf } from "@/server/contract/tokens";
import { Fill } from "../fill";
import { foldMatches, matchWords, spokenFold } from "../fold-words";
import { alarmWords } from "../plan/alarms";
import { askedWords } from "../plan/asked";
import type { FoldView } from "../plan/fold-view";
import { LATE_WORDS } from "../plan/late-writes";
import { ALL_RUNS } from "../plan/yard-turns";
import { chipWords, consistOf, isFailure, noteOf, spokenTurn, turnLabel } from "../turn-words";
import { useRun } from "../use-run";
import {
  useAlarms,
  useAwaitedWords,
  useFold,
  useLateWrites,
  useMoreWords,
  useRequests,
  useTurn,
  useYard,
} from "../yard-context";
import { TurnTime } from "./turn-time";

export type TurnNodeProps = {
  id: string;
  detail: Detail;
  /** The first turn after the person: what the run was begun with stands under it. */
  isFirst: boolean;
};

export const TurnNode = memo(function TurnNode({ id, detail, isFirst }: TurnNodeProps) {
  const turn = useTurn(id);
  const { selectedId, matches } = useYard();
  const more = useMoreWords(turn);
  const late = useLateWrites(id);
  const alarms = alarmWords(useAlarms(id));
  const fold = useFold(id);
  if (turn === undefined) return null;
  const isSelected = selectedId === id;
  return (
    <div
      className="yard-turn relative size-full"
      data-detail={detail}
      role="img"
      aria-label={spokenTurn(turn, fold ? [...more, spokenFold(fold, matches)] : more)}
      aria-description={turn.is_human ? partWords.person : lampWords[turn.status]}
      data-filtered={matches !== null && !matches.has(id) ? "" : undefined}
      title={detail === "full" ? undefined : `${turnLabel(turn)}: ${noteOf(turn)}`}
    >
      {turn.is_human ? (
        <Human turn={turn} isSelected={isSelected} hasName={detail !== "chip"} />
      ) : (
        <Wagon turn={turn} detail={detail} isSelected={isSelected} />
      )}
      {turn.mark && detail !== "chip" ? (
        <span className="mistake-tag" title={turn.mark.reason || partWords.flag}>
          <Icon name="flag" size={12} />
          named as the mistake
        </span>
      ) : null}
      {late.length > 0 && detail !== "chip" ? (
        <span className="late-tag" title={`${late.length} refused. The inspector shows who and what`}>
          <Icon name="warn" size={12} />
          {LATE_WORDS}
        </span>
      ) : null}
      {alarms === null ? null : (
        <span className="alarm-mark" data-detail={detail} title={`Alarm: ${alarms}`}>
          <Icon name="warn" size={detail === "chip" ? 10 : 12} />
        </span>
      )}
      {fold === undefined ? null : <Below fold={fold} detail={detail} />}
      {isFirst ? detail === "chip" ? <RunTag turn={turn} /> : <LaunchNote turn={turn} detail={detail} /> : null}
    </div>
  );
});

const Wagon = memo(function Wagon({
  turn,
  detail,
  isSelected,
}: {
  turn: TurnFrame;
  detail: Detail;
  isSelected: boolean;
}) {
  const frame = isSelected ? "selected" : "";
  const isFlow = useYard().lens === "flow";
  const asked = askedWords(useRequests(turn.agent_turn_id));
  const awaited = useAwaitedWords(turn);
  const note = asked ?? awaited ?? noteOf(turn);
  const plate = (
    <Plate code={turn.headcode} tone={isSelected ? "ink" : "raised"} title={`Headcode: ${partWords.headcode}`} />
  );
  if (detail === "chip") {
    return (
      <div className={`wagon-chip ${frame}`} data-status={turn.status}>
        <span className="chip-who">
          <Aspect status={turn.status} size={13} label={null} />
          <AgentMark agentId={turn.agent_id} profile={turn.profile_name} size={13} />
          <span dir="auto" className="wagon-words wagon-name">
            {turnLabel(turn)}
          </span>
          {plate}
          {asked === null ? null : <Icon name="person" size={12} />}
          {turn.mark ? <Icon name="flag" size={12} className="text-st-failed" /> : null}
        </span>
        <span dir="auto" className="wagon-words chip-task">
          {chipWords(turn)}
        </span>
      </div>
    );
  }
  const isFull = detail === "full";
  return (
    <div className={`wagon ${frame}`} data-detail={detail} data-status={turn.status}>
      <span className="wagon-marks">
        <span title={lampTitle(turn.status)}>
          <Aspect status={turn.status} size={isFull ? 15 : 13} label={null} />
        </span>
        <span title={partWords.agent}>
          <AgentMark agentId={turn.agent_id} profile={turn.profile_name} size={isFull ? 16 : 13} />
        </span>
      </span>
      <span className="wagon-lines">
        <span className="flex min-w-0 items-center gap-1.5">
          <span
            dir="auto"
            className="wagon-words min-w-0 flex-1 truncate font-semibold"
            title={`${turnLabel(turn)}: ${partWords.name}`}
          >
            {turnLabel(turn)}
          </span>
          {plate}
          {isFlow ? (
            <span className="wagon-words wagon-spare flex-none text-ink-3 text-note" title={inOutTitle}>
              {formatCompact(turn.context_tokens)} → {formatCompact(turn.output_tokens)}
            </span>
          ) : (
            <TurnTime turn={turn} className="wagon-words wagon-spare text-ink-3 text-note" />
          )}
        </span>
        <span className="flex min-w-0 items-center gap-1.5">
          {asked === null ? null : (
            <span className="flex-none" title={partWords.asks}>
              <Icon name="person" size={13} />
            </span>
          )}
          <span
            dir="auto"
            className="wagon-words wagon-note min-w-0 flex-1 truncate"
            data-failed={isFailure(turn) ? "" : undefined}
            title={note}
          >
            {note}
          </span>
          <Fill turn={turn} className="wagon-words text-[11px]" calm="wagon-spare" />
        </span>
      </span>
      {isFlow ? <InOut turn={turn} /> : <WagonConsist turn={turn} />}
    </div>
  );
});

/** All that hangs on it, folded into it: how many turns, and the worst of them. */
function Below({ fold, detail }: { fold: FoldView; detail: Detail }) {
  const { setFold, matches } = useYard();
  const found = foldMatches(fold, matches);
  return (
    <button
      type="button"
      tabIndex={-1}
      className="below-tag nopan nodrag"
      data-detail={detail}
      aria-label={`Unfold ${spokenFold(fold, matches)}`}
      title={spokenFold(fold, matches)}
      onClick={(event) => {
        event.stopPropagation();
        setFold(fold.id, false);
      }}
    >
      <Aspect status={fold.worst} size={12} label={null} />
      {found === null ? `+${fold.turns.length}` : matchWords(found, fold)}
    </button>
  );
}

const inOutTitle = "Tokens it was given, and tokens it wrote";

/** What came in and what went out, to one scale, with a gap between. */
function InOut({ turn }: { turn: TurnFrame }) {
  const { context_consist, output_consist, context_tokens, output_tokens } = turn;
  const given = useMemo(() => parseConsist(context_consist), [context_consist]);
  const wrote = useMemo(() => parseConsist(output_consist), [output_consist]);
  return (
    <span className="in-out" title={inOutTitle}>
      <span style={{ flexGrow: Math.max(1, context_tokens) }}>
        <Consist cards={given} label={`${context_tokens} tokens given`} />
      </span>
      <span style={{ flexGrow: Math.max(1, output_tokens) }}>
        <Consist cards={wrote} label={`${output_tokens} tokens written`} />
      </span>
    </span>
  );
}

function WagonConsist({ turn }: { turn: TurnFrame }) {
  const text = consistOf(turn);
  const cards = useMemo(() => parseConsist(text), [text]);
  return <Consist cards={cards} window={turn.window_tokens} mark={gaugeOf(turn)?.tokens} title={partWords.bar} />;
}

function Human({ turn, isSelected, hasName }: { turn: TurnFrame; isSelected: boolean; hasName: boolean }) {
  const name = personName(turn.agent_id);
  return (
    <div className="human-turn relative size-full" title={partWords.person} data-selected={isSelected ? "" : undefined}>
      <HumanMark name={name} size={44} />
      {hasName ? (
        <span className="human-name">
          <span>{name}</span>
        </span>
      ) : null}
    </div>
  );
}

/** How the first turn after the person came to be. The API's own word is in the title. */
const startedWords: Record<TurnFrame["primitive"], string> = {
  launch_principal: "launched",
  delegate_async: "launched",
  fork_join: "forked",
  ask_expert: "asked",
  ui_action: "by a person",
  import: "imported",
};

/** What the run was started with. */
function LaunchNote({ turn, detail }: { turn: TurnFrame; detail: Detail }) {
  const run = useRun(turn.root_turn_id);
  const { model } = useYard();
  // Where its words do not shrink with the yard, the next run's first wagon is nearer than three lines.
  const isTight = detail !== "full" && model.getTopology().scope === ALL_RUNS;
  const isImport = run?.source === "import";
  const text = plainWords(isImport ? run.title : turn.title);
  const how = isImport ? "imported" : startedWords[turn.primitive];
  return (
    <div className="launch-note">
      <span className="mb-[3px] flex items-center gap-[5px] overflow-hidden whitespace-nowrap text-ink-3">
        {isImport ? <Icon name="upload" size={12} /> : <KindMark kind="launch" size={11} label={null} />}
        <span>
          <span title={turn.primitive}>{how}</span>
          {detail === "full" ? (
            <>
              , <Clock at={turn.created_at} />
            </>
          ) : null}
        </span>
      </span>
      <span dir="auto" className={isTight ? "line-clamp-1" : isImport ? "line-clamp-2" : "line-clamp-3"} title={text}>
        {text}
      </span>
    </div>
  );
}

/** From further away only which run it is, at a size that can be read. */
function RunTag({ turn }: { turn: TurnFrame }) {
  const run = useRun(turn.root_turn_id);
  const { model } = useYard();
  if (!run || model.getTopology().scope !== ALL_RUNS) return null;
  return (
    <span className="run-tag">
      Run {run.number}{" "}
      <span dir="auto" className="text-ink-3">
        {run.title}
      </span>
    </span>
  );
}
