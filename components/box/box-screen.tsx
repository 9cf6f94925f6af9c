"use client";

// The box page: head, tabs, the list with its ruler, and beside it whatever the page draws of the chosen card.
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { type ReactNode, useCallback, useMemo, useRef, useState } from "react";
import { AlarmNote, useAreAlarmsKnown } from "@/components/domain/alarm-note";
import { Failure } from "@/components/domain/failure";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { OriginMark } from "@/components/ui/origin-mark";
import { useShortcut } from "@/components/ui/shortcuts";
import { useTabTitle } from "@/components/ui/tab-title";
import { Tabs } from "@/components/ui/tabs";
import { boxPlate } from "@/server/contract/box";
import type { BoxLine, BoxSheet, BoxWeights } from "@/server/contract/line";
import { BoxHead } from "./box-head";
import { BoxSkeleton } from "./box-skeleton";
import { CardList } from "./card-list";
import { DiffTab } from "./diff/diff-tab";
import { ForkBoxDialog } from "./fork-box-dialog";
import { LeftOut } from "./left-out";
import { LineageTab } from "./lineage/lineage-tab";
import { legendOf } from "./origin-text";
import { PickedBar } from "./picked-bar";
import { SentTab } from "./sent/sent-tab";
import { byWeight, runningSums } from "./stack";
import { Treemap } from "./tokens/treemap";
import { useBox } from "./use-box";
import { useChoice } from "./use-choice";
import { useLineStore, useLines } from "./use-lines";
import { usePicked } from "./use-picked";
import "./box.css";
import { boxTitle } from "./box-words";

export type ChosenCard = {
  projectId: string;
  box: BoxSheet;
  line: BoxLine;
  /** Cards in the box now. */
  length: number;
  onBack: () => void;
};

export type BoxScreenProps = {
  projectId: string;
  boxId: string;
  /** The chosen card, drawn by another feature; the two meet in the page. */
  renderCard: (chosen: ChosenCard) => ReactNode;
};

const tabs = ["cards", "sent", "tokens", "lineage", "diff"] as const;

export function BoxScreen({ projectId, boxId, renderCard }: BoxScreenProps) {
  const { sheet, weights, isLive, deletions } = useBox(projectId, boxId);
  const areAlarmsKnown = useAreAlarmsKnown(projectId, boxId);
  useTabTitle(sheet.data === undefined ? "Box" : `${boxPlate(boxId)} ${boxTitle(sheet.data)}`);
  const failed = [sheet, weights].find((query) => query.error && !query.data);
  if (failed?.error)
    return (
      <Failure
        error={failed.error}
        what="box"
        name={boxId}
        onRetry={failed.refetch}
        way={
          <Link className="btn" href={`/p/${encodeURIComponent(projectId)}/boxes`}>
            All boxes
          </Link>
        }
      />
    );
  if (!sheet.data || !weights.data || !areAlarmsKnown) return <BoxSkeleton />;
  return (
    <LoadedBox
      key={`${boxId} ${deletions}`}
      sheet={sheet.data}
      weights={weights.data}
      isLive={isLive}
      renderCard={renderCard}
    />
  );
}

type LoadedBoxProps = { sheet: BoxSheet; weights: BoxWeights; isLive: boolean } & Pick<BoxScreenProps, "renderCard">;

function LoadedBox({ sheet, weights, isLive, renderCard }: LoadedBoxProps) {
  const { project_id: projectId, box_id: boxId } = sheet;
  const [tab, setTab] = useQueryState("tab", parseAsStringLiteral(tabs).withDefault("cards"));
  const count = weights.tokens.length;
  const choice = useChoice(projectId, boxId, count);
  const store = useLineStore(projectId, boxId);
  const sums = useMemo(() => runningSums(weights.tokens), [weights.tokens]);
  const order = useMemo(() => (tab === "tokens" ? byWeight(weights.tokens) : null), [tab, weights.tokens]);
  const cards = useMemo(() => toConsist(weights), [weights]);
  const mistakes = useMemo(() => new Set(sheet.marks.map((mark) => mark.card_id)), [sheet.marks]);
  // On a desk something is always open; on a phone the list comes first, so only a choice opens a card.
  const isNoneShown = count === 0 || choice.missing !== null || choice.isLooking;
  const shown = choice.position ?? (isNoneShown ? null : (order?.[0] ?? 0));
  // The other tabs show no card, whatever the address names.
  const isCardOpen = choice.position !== null && (tab === "cards" || tab === "tokens");
  const reader = useRef<HTMLDivElement>(null);
  const picked = usePicked();
  const { toggle } = picked;
  const [isForking, setIsForking] = useState(false);
  const pick = useCallback(
    (position: number) => {
      const line = store.get(position);
      if (line !== undefined) toggle(position, line.card_id);
    },
    [store, toggle],
  );
  const openReader = useCallback(() => reader.current?.focus(), []);

  function step(by: 1 | -1) {
    if (count === 0) return;
    const index = shown === null ? -1 : order === null ? shown : order.indexOf(shown);
    const next = Math.min(count - 1, Math.max(0, index + by));
    choice.choose(order?.[next] ?? next);
  }
  // The other tabs have rows of their own.
  const inList = { group: "Box", isEnabled: tab === "cards" || tab === "tokens" };
  useShortcut(["j", "down"], "Next card", () => step(1), inList);
  useShortcut(["k", "up"], "Previous card", () => step(-1), inList);
  useShortcut("enter", "Read the card", openReader, inList);
  useShortcut("x", "Choose the card", () => (shown === null ? undefined : pick(shown)), inList);
  useShortcut("esc", "Back to the list", choice.clear, { group: "Box", isEnabled: choice.position !== null });

  return (
    <div className="box-screen" data-chosen={isCardOpen || undefined}>
      <BoxHead
        sheet={sheet}
        cards={cards}
        isLive={isLive}
        onFork={() => setIsForking(true)}
        onPick={picked.cards === null ? picked.start : picked.stop}
        isPicking={picked.cards !== null}
      />
      <AlarmNote projectId={projectId} subjectId={boxId} />
      {isForking ? (
        <ForkBoxDialog
          projectId={projectId}
          boxId={boxId}
          length={count}
          upto={choice.position === null ? count : choice.position + 1}
          onClose={() => setIsForking(false)}
        />
      ) : null}
      <Tabs
        label="Views of the box"
        value={tab}
        onChange={(next) => void setTab(next)}
        tabs={[
          { value: "cards", label: "Cards", count: formatNumber(count) },
          { value: "sent", label: "As the model sees it" },
          { value: "tokens", label: "Tokens" },
          { value: "lineage", label: "Lineage" },
          { value: "diff", label: "Compare" },
        ]}
        aside={<Legend origins={sheet.origins} />}
      >
        {tab === "diff" ? (
          <DiffTab projectId={projectId} boxId={boxId} />
        ) : tab === "sent" ? (
          <SentTab projectId={projectId} boxId={boxId} length={sheet.length} />
        ) : tab === "lineage" ? (
          <LineageTab sheet={sheet} />
        ) : count === 0 ? (
          <EmptyBox sheet={sheet} isLive={isLive} />
        ) : (
          <div className="box-body" data-tab={tab} data-chosen={isCardOpen || undefined}>
            {tab === "tokens" ? <Treemap weights={weights} selected={shown} onPick={choice.choose} /> : null}
            <CardList
              boxId={boxId}
              weights={weights}
              sums={sums}
              order={order}
              store={store}
              origins={sheet.origins}
              mistakes={mistakes}
              selected={shown}
              onSelect={choice.choose}
              onOpen={openReader}
              picked={picked.cards}
              onToggle={pick}
              foot={
                <>
                  {picked.cards === null ? null : (
                    <PickedBar projectId={projectId} cards={picked.cards} onStop={picked.stop} />
                  )}
                  {sheet.receipt === undefined ? null : <LeftOut receipt={sheet.receipt} projectId={projectId} />}
                </>
              }
            />
            <div ref={reader} tabIndex={-1} className="box-side min-h-0 min-w-0 outline-none">
              {choice.missing === null ? (
                <Chosen
                  sheet={sheet}
                  length={count}
                  position={shown}
                  store={store}
                  onBack={choice.clear}
                  renderCard={renderCard}
                />
              ) : (
                <EmptyState
                  title="That card is not in this box"
                  cause={
                    <>
                      The address names <span className="mono">{choice.missing}</span>; {boxPlate(boxId)} holds{" "}
                      {formatNumber(count)} cards and not that one. Choose a card from the list.
                    </>
                  }
                />
              )}
            </div>
          </div>
        )}
      </Tabs>
    </div>
  );
}

type ChosenProps = {
  sheet: BoxSheet;
  length: number;
  position: number | null;
  store: ReturnType<typeof useLineStore>;
  onBack: () => void;
} & Pick<BoxScreenProps, "renderCard">;

function Chosen({ sheet, length, position, store, onBack, renderCard }: ChosenProps) {
  // The chosen card may be far from what the list shows, so its line is asked for on its own.
  const positions = useMemo(() => (position === null ? [] : [position]), [position]);
  useLines(store, positions);
  const line = position === null ? undefined : store.get(position);
  if (line === undefined) return null;
  return renderCard({ projectId: sheet.project_id, box: sheet, line, length, onBack });
}

function Legend({ origins }: { origins: BoxSheet["origins"] }) {
  return (
    <span className="flex items-center gap-3.5 text-ink-3 text-note max-sm:hidden">
      {legendOf(origins).map(({ kind, word }) => (
        <span key={kind} className="flex items-center gap-[5px]">
          <OriginMark origin={kind} size={12} label={null} />
          {word}
        </span>
      ))}
    </span>
  );
}

function EmptyBox({ sheet, isLive }: { sheet: BoxSheet; isLive: boolean }) {
  return (
    <EmptyState
      title="No cards yet"
      cause={
        sheet.kind === "output"
          ? `It is empty${isLive ? "; cards appear here as they are" : ", because its turn ended before its first card"}.`
          : "It was created without cards."
      }
    />
  );
}

function toConsist(weights: BoxWeights) {
  return weights.tokens.map(
    (tokens, i) => ({ role: roleByLetter[weights.roles.charAt(i)] ?? "user", tokens }) as const,
  );
}

const roleByLetter: Record<string, "system" | "user" | "assistant" | "tool"> = {
  S: "system",
  U: "user",
  A: "assistant",
  T: "tool",
};
