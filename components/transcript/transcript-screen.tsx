"use client";

// A run as one conversation, beside it who did what and where it went wrong. The chosen line and its turn are in the address, and the
// yard shows the same turn.
import { useRouter, useSearchParams } from "next/navigation";
import { parseAsString, useQueryStates } from "nuqs";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { profileLabel } from "@/components/domain/agent-names";
import { Failure } from "@/components/domain/failure";
import { RunViews } from "@/components/domain/run-views";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount, formatNumber } from "@/components/ui/format";
import { plainWords } from "@/components/ui/plain-words";
import { useShortcut } from "@/components/ui/shortcuts";
import { useTabTitle } from "@/components/ui/tab-title";
import { SearchInput } from "@/components/ui/text-input";
import { useRested } from "@/components/ui/use-rested";
import type { TranscriptHead, TranscriptLine } from "@/server/contract/answers/transcript";
import { chosenIndex, turnOf } from "./lines";
import { TranscriptList } from "./transcript-list";
import { type TranscriptStart, WORDS_CHARS_MAX } from "./transcript-query";
import { HeadSkeleton, LinesSkeleton } from "./transcript-skeleton";
import { useTranscript } from "./use-transcript";
import { WhoDidWhat } from "./who-did-what";
import "./transcript.css";

const params = { turn: parseAsString, card: parseAsString, agent: parseAsString, q: parseAsString.withDefault("") };
const group = "Transcript";

export function TranscriptScreen({ projectId, rootTurnId }: { projectId: string; rootTurnId: string }) {
  const [{ turn, card, agent, q }, setParams] = useQueryStates(params);
  const words = useRested(q);
  const router = useRouter();
  const [start, setStart] = useState<TranscriptStart>();
  const [isAsideOpen, setIsAsideOpen] = useState(false);
  const { list, head, lines, isLive } = useTranscript(projectId, rootTurnId, { agent, q: words, start });
  const run = head.data;
  useTabTitle("Transcript", run && `Run ${formatNumber(run.number)}: ${plainWords(run.title)}`);

  const chosen = useMemo(() => chosenIndex(lines ?? [], { turn, card }), [lines, turn, card]);
  // What is far down a long run is not among the first lines: the list then begins there.
  const wanted = `${turn} ${card} ${agent} ${words}`;
  const sought = useRef<string | null>(null);
  const isMissing = lines !== undefined && chosen < 0 && (turn !== null || card !== null) && list.hasNextPage;
  useEffect(() => {
    if (!isMissing || sought.current === wanted) return;
    sought.current = wanted;
    setStart({ ...(card !== null && { from_card: card }), ...(turn !== null && { from_turn: turn }) });
  }, [isMissing, wanted, card, turn]);

  const choose = useCallback(
    (line: TranscriptLine) => void setParams({ turn: turnOf(line), card: line.card_id }),
    [setParams],
  );
  const go = useCallback(
    (to: { agent_turn_id: string; card_id?: string }) => {
      setIsAsideOpen(false);
      void setParams({ turn: to.agent_turn_id, card: to.card_id ?? null, agent: null, q: null });
    },
    [setParams],
  );
  const wrongs = useMemo(() => (run ? [...run.mistakes, ...run.failures] : []), [run]);
  useShortcut("m", "Go to the mistake, or to what failed", () => go(nextWrong(wrongs, turn, card)), {
    group,
    isEnabled: wrongs.length > 0,
  });
  useShortcut("enter", "Open the turn", () => router.push(`/p/${encodeURIComponent(projectId)}/turns/${turn}`), {
    group,
    isEnabled: turn !== null,
  });
  useShortcut("esc", "Clear selection", () => void setParams({ turn: null, card: null }), {
    group,
    isEnabled: turn !== null || card !== null,
  });

  const profiles = useMemo(() => new Map(run?.agents.map((one) => [one.agent_id, one.profile_name])), [run]);
  const profileOf = useCallback((id: string) => profiles.get(id), [profiles]);
  const first = list.data?.pages[0];
  const last = list.data?.pages.at(-1);
  const error = list.error ?? head.error;
  if (error !== null && lines === undefined)
    return (
      <Failure
        error={error}
        what="run"
        name={rootTurnId}
        onRetry={() => Promise.all([list.refetch(), head.refetch()])}
      />
    );
  return (
    <div className="transcript-desk">
      <div className="flex min-h-0 min-w-0 flex-col">
        <h1 className="sr-only">{run ? `Transcript of run ${run.number}: ${run.title}` : "Transcript"}</h1>
        <div className="transcript-bar">
          <Views projectId={projectId} rootTurnId={rootTurnId} turn={turn} />
          {run === undefined ? null : (
            <span className="flex min-w-0 items-baseline gap-1.5 max-sm:hidden">
              <b className="flex-none">Run {formatNumber(run.number)}</b>
              <span dir="auto" className="truncate text-ink-2" title={run.title}>
                {plainWords(run.title)}
              </span>
            </span>
          )}
          {agent === null || run === undefined ? null : (
            <Chip
              name="agent"
              removeLabel="Show the lines of all agents"
              onRemove={() => void setParams({ agent: null })}
            >
              {nameOf(run, agent)}
            </Chip>
          )}
          <span className="flex-1" />
          <SearchInput
            label="Search in lines"
            className="transcript-search"
            value={q}
            maxLength={WORDS_CHARS_MAX}
            onChange={(text) => {
              setStart(undefined);
              void setParams({ q: text === "" ? null : text });
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter") focusLine();
            }}
          />
          {last === undefined ? null : (
            <span className="flex-none text-ink-3" role="status">
              {last.total === last.of ? "" : `${formatNumber(last.total)} of `}
              {formatCount(last.of, "line")}
              {isLive && run?.is_live ? ", live" : ""}
            </span>
          )}
          <Button
            size="sm"
            className="sm:hidden"
            aria-expanded={isAsideOpen}
            aria-controls="who-did-what"
            onClick={() => setIsAsideOpen(!isAsideOpen)}
          >
            {isAsideOpen ? "Close" : "Who did what"}
          </Button>
        </div>
        {lines === undefined || first === undefined || last === undefined ? (
          <LinesSkeleton />
        ) : lines.length === 0 ? (
          <EmptyState
            title={words.trim() === "" ? "No lines yet" : "No matching lines"}
            cause={
              words.trim() !== ""
                ? `No line ${agent === null ? "of this run" : "of this agent"} has these words in its text, its names or its tool.`
                : agent === null
                  ? "Nothing has been said in this run so far. Lines appear here as agents write them."
                  : "This agent has said nothing in this run, and was told nothing."
            }
            remedy={
              agent === null && q === "" ? undefined : (
                <Button onClick={() => void setParams({ agent: null, q: null })}>Show all lines</Button>
              )
            }
          />
        ) : (
          <TranscriptList
            projectId={projectId}
            lines={lines}
            total={last.total}
            before={first.before}
            chosen={chosen}
            turn={turn}
            words={words}
            profileOf={profileOf}
            hasTimes={run?.has_times ?? false}
            onChoose={choose}
            head={first.before === 0 ? null : <Before count={first.before} onStart={() => setStart(undefined)} />}
            foot={<Foot list={list} isPartial={last.is_partial} isLive={run?.is_live === true} />}
            hasMore={list.hasNextPage}
            isStale={list.isPlaceholderData}
            onEnd={() => {
              if (!list.isFetchingNextPage && !list.isFetchNextPageError) void list.fetchNextPage();
            }}
          />
        )}
      </div>
      <aside
        id="who-did-what"
        aria-label="Who did what, where did it go wrong"
        className="transcript-aside"
        data-open={isAsideOpen || undefined}
      >
        {run === undefined ? (
          <HeadSkeleton />
        ) : (
          <WhoDidWhat
            head={run}
            agent={agent}
            onAgent={(id) => {
              setStart(undefined);
              setIsAsideOpen(false);
              void setParams({ agent: id });
            }}
            onGo={go}
          />
        )}
      </aside>
    </div>
  );
}

function Views({ projectId, rootTurnId, turn }: { projectId: string; rootTurnId: string; turn: string | null }) {
  const search = new URLSearchParams(useSearchParams());
  for (const own of ["card", "agent", "q", "turn", "run", "view"]) search.delete(own);
  search.set("run", rootTurnId);
  if (turn !== null) search.set("turn", turn);
  return <RunViews projectId={projectId} rootTurnId={rootTurnId} view="transcript" search={search} />;
}

/** From the search to what it found: the line that the keys go on from. */
const focusLine = () => document.querySelector<HTMLElement>(".transcript-line[tabindex='0']")?.focus();

const nameOf = ({ agents }: TranscriptHead, id: string): string => {
  const actor = agents.find((one) => one.agent_id === id);
  return actor === undefined ? id : actor.name || profileLabel(actor.profile_name);
};

/** The next one after what is chosen, and after the last the first again. */
function nextWrong(wrongs: TranscriptHead["mistakes"], turn: string | null, card: string | null) {
  const at = wrongs.findIndex(
    (one) => one.agent_turn_id === turn && (one.card_id === undefined || one.card_id === card),
  );
  const next = wrongs[(at + 1) % wrongs.length];
  if (next === undefined) throw new Error("the key is registered only where something went wrong");
  return next;
}

function Before({ count, onStart }: { count: number; onStart: () => void }) {
  return (
    <p className="transcript-note">
      {formatCount(count, "line")} before this one.
      <Button size="sm" onClick={onStart}>
        Show from the beginning
      </Button>
    </p>
  );
}

type FootProps = {
  list: {
    hasNextPage: boolean;
    isFetchNextPageError: boolean;
    error: { message: string } | null;
    fetchNextPage: () => unknown;
  };
  isPartial: boolean;
  isLive: boolean;
};

function Foot({ list, isPartial, isLive }: FootProps) {
  if (list.isFetchNextPageError)
    return (
      <p className="transcript-note">
        <span className="text-st-failed">{list.error?.message}</span>
        <Button size="sm" onClick={() => void list.fetchNextPage()}>
          Try again
        </Button>
      </p>
    );
  if (list.hasNextPage) return <p className="transcript-note">Loading more lines</p>;
  return (
    <p className="transcript-note">
      {isPartial
        ? "The run has more than 10,000 turns. These are the lines of its first 10,000."
        : isLive
          ? "The run goes on. New lines appear here."
          : "End of the run."}
    </p>
  );
}
