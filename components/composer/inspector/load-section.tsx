"use client";

// What a wagon is given, in the order its model reads it. Rows move by the handle or with Alt and the arrows; those of the fork stand
// first and are changed there.
import { type KeyboardEvent, useMemo, useRef } from "react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { IconButton } from "@/components/ui/icon-button";
import { KindMark } from "@/components/ui/kind-mark";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import type { Load } from "@/server/contract/plan/plan";
import { nameOf, nodeIdOf } from "@/server/contract/plan/plan-words";
import { instructionTokens, loadWeights, weightKey } from "../check/load-weights";
import { useComposer, usePart, usePlaceCheck, usePlan } from "../composer-context";
import { named } from "../draft/edits";
import { trackId, wireId } from "../drawing/links";
import { type LoadRow, loadRowsOf } from "../drawing/loads";
import { InstructionLine } from "./instruction-line";
import { LoadLine } from "./load-row";

export function LoadSection({ place }: { place: string }) {
  const plan = usePlan();
  const { store, adding, openOrder, edit } = useComposer();
  const part = usePart(place);
  const check = usePlaceCheck(place);
  const weights = useMemo(() => loadWeights(check), [check]);
  const list = useRef<HTMLUListElement>(null);
  const { fork, rows } = loadRowsOf(plan, place);
  const own = rows.filter(({ owner }) => owner === place);
  const shared = rows.filter(({ owner }) => owner !== place);

  function move(row: LoadRow, by: number) {
    const at = row.index + by;
    if (at < 0 || at >= own.length) return;
    const refused = store.change({
      label: `${row.words} is number ${at + 1}`,
      ops: [{ op: "move_load", to: row.owner, load: row.load, at, index: row.index }],
    });
    if (!refused) requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>("li")[at]?.focus());
  }

  function onKeyDown(event: KeyboardEvent<HTMLLIElement>, row: LoadRow) {
    if (event.target !== event.currentTarget) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      event.stopPropagation();
      if (event.altKey) move(row, step);
      else list.current?.querySelectorAll<HTMLElement>("li")[row.index + step]?.focus();
    } else if (event.key === "Enter") {
      event.preventDefault();
      event.stopPropagation();
      store.select([linkIdOf(row, place)]);
    } else if ((event.key === "Backspace" || event.key === "Delete") && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      event.stopPropagation();
      remove(row);
    }
  }

  const remove = (row: LoadRow) =>
    store.change({
      label: `${named(plan, place)} no longer loads ${row.words}`,
      ops: [{ op: "remove_load", to: row.owner, load: row.load, index: row.index }],
    });

  return (
    <Section title="Load, in the order it reads" note={rows.length === 0 ? undefined : `${rows.length}`}>
      {fork && shared.length > 0 ? (
        <>
          <p className="flex items-center gap-1.5 text-ink-3 text-note">
            <KindMark kind="fork" size={12} label={null} /> Every task of {nameOf(fork)}
          </p>
          <ul>
            {shared.map((row, at) => (
              <li key={`${row.index}`} className="flex min-h-7 items-center gap-2 text-ink-2">
                <LoadLine
                  row={row}
                  rank={at + 1}
                  weight={weights.get(weightKey(row.owner, row.index))}
                  mark={<Icon name="lock" size={13} className="text-ink-3" />}
                />
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {fork ? <p className="mt-1 text-ink-3 text-note">This task</p> : null}
      <ul ref={list} aria-label="Load">
        {own.map((row) => (
          <li
            key={`${row.index} ${row.words}`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a row takes keys: Alt and the arrows move it
            tabIndex={0}
            data-field={`load ${row.index}`}
            aria-label={`${row.index + 1}, ${row.words}. Enter opens it, Alt and the arrows move it`}
            className="load-row"
            onKeyDown={(event) => onKeyDown(event, row)}
          >
            <LoadLine
              row={row}
              rank={shared.length + row.index + 1}
              weight={weights.get(weightKey(row.owner, row.index))}
              mark={<span aria-hidden="true" className="w-[13px] flex-none" />}
            >
              {"from" in row.load ? <Take place={place} row={row} load={row.load} /> : null}
              <span className="flex flex-none">
                <IconButton
                  icon="up"
                  label={`Load ${row.words} earlier`}
                  size="sm"
                  iconSize={13}
                  aria-disabled={row.index === 0}
                  onClick={() => move(row, -1)}
                />
                <IconButton
                  icon="x"
                  label={`Do not load ${row.words}`}
                  size="sm"
                  iconSize={13}
                  onClick={() => remove(row)}
                />
              </span>
            </LoadLine>
          </li>
        ))}
      </ul>
      {part && "instruction" in part && part.recipe === undefined && part.handover === undefined ? (
        <InstructionLine rank={rows.length + 1} tokens={instructionTokens(check)} onOpen={() => edit("instruction")} />
      ) : null}
      <Button size="sm" variant="ghost" icon="plus" keys="w" onClick={() => adding.set({ as: "load", place })}>
        Load something
      </Button>
      {part && "instruction" in part ? (
        <Button size="sm" variant="ghost" icon="layout" keys="h" onClick={() => openOrder(place)}>
          Hand-over
        </Button>
      ) : null}
    </Section>
  );
}

/** The wire or the track that the entry is drawn as. */
const linkIdOf = ({ crate, load }: LoadRow, place: string): string =>
  crate !== null
    ? wireId(crate, place)
    : trackId("from" in load ? (load.take === "summary" ? nodeIdOf(load.from) : load.from) : "", nodeIdOf(place));

function Take({ place, row, load }: { place: string; row: LoadRow; load: Extract<Load, { from: string }> }) {
  const plan = usePlan();
  const { store } = useComposer();
  return (
    <Select
      label={`What of ${row.words}`}
      className="w-28 flex-none"
      value={load.take}
      options={takes}
      onChange={(take) =>
        store.change({
          label: `${named(plan, place)} takes the ${take} of ${named(plan, load.from)}`,
          ops: [{ op: "set", node: row.owner, path: `/load/${row.index}/take`, value: take }],
        })
      }
    />
  );
}

const takes = [
  { value: "deliverable", label: "deliverable" },
  { value: "output", label: "output box" },
  { value: "summary", label: "summary" },
] as const;
