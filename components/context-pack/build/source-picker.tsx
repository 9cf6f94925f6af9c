"use client";

// Boxes and cards that a pack is built from: those chosen, and what a search by number, headcode or words finds.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { BoxId } from "@/components/ui/box-id";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Plate } from "@/components/ui/plate";
import { RoleTag } from "@/components/ui/role-tag";
import { SkeletonRows } from "@/components/ui/skeleton";
import { SearchInput } from "@/components/ui/text-input";
import { boxPlate } from "@/server/contract/box";
import type { BoxHit, CardHit } from "@/server/contract/search";
import type { SourceItem } from "./pack-form";

export type SourcePickerProps = {
  projectId: string;
  chosen: readonly SourceItem[];
  error?: string;
  onChange: (chosen: readonly SourceItem[]) => void;
};

const FOUND_MAX = 8;

export function SourcePicker({ projectId, chosen, error, onChange }: SourcePickerProps) {
  const trpc = useTRPC();
  const [typed, setTyped] = useState("");
  const query = useDeferredValue(typed.trim());
  const found = useQuery(
    trpc.palette.search.queryOptions(
      { project_id: projectId, query, kinds: query === "" ? ["box"] : ["box", "card"], limit: FOUND_MAX },
      { ...patient, placeholderData: keepPreviousData },
    ),
  );
  const has = ({ kind, id }: SourceItem) => chosen.some((one) => one.kind === kind && one.id === id);
  const toggle = (item: SourceItem) =>
    onChange(has(item) ? chosen.filter((one) => one.kind !== item.kind || one.id !== item.id) : [...chosen, item]);
  const hits = found.data;
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1 font-semibold">Boxes and cards</legend>
      {chosen.length === 0 ? (
        <p className="text-ink-3">
          None chosen. The pack can also be built from the files of a workspace, and from what you write below.
        </p>
      ) : (
        <ul aria-label="Chosen" className="flex flex-wrap gap-1.5">
          {chosen.map((item) => (
            <li key={`${item.kind}:${item.id}`} className="chip">
              <span className="text-ink-3">{item.kind}:</span>
              <span className="mono" title={item.id}>
                {item.kind === "box" ? boxPlate(item.id) : `…${item.id.slice(-8)}`}
              </span>
              <button type="button" aria-label={`Remove ${nameOf(item)}`} onClick={() => toggle(item)}>
                <Icon name="x" size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {error === undefined ? null : (
        <p role="alert" className="text-note text-st-failed">
          {error}
        </p>
      )}
      <SearchInput label="Find a box or card" value={typed} maxLength={200} onChange={setTyped} />
      <div className="cpack-found" aria-busy={found.isFetching}>
        {hits === undefined ? (
          found.error ? (
            <p className="px-2 py-1 text-st-failed">{found.error.message}</p>
          ) : (
            <SkeletonRows count={6} rowHeight={28} label="Looking for boxes" />
          )
        ) : hits.boxes.length + hits.cards.length === 0 ? (
          <p className="px-2 py-1 text-ink-3">
            {query === "" ? "No boxes yet. The first turn or import creates them." : "No matching boxes or cards."}
          </p>
        ) : (
          <ul>
            {hits.boxes.map((hit) => (
              <Choice
                key={hit.box_id}
                isOn={has({ kind: "box", id: hit.box_id })}
                onToggle={() => toggle({ kind: "box", id: hit.box_id })}
              >
                <BoxWords hit={hit} />
              </Choice>
            ))}
            {query === ""
              ? null
              : hits.cards.map((hit) => (
                  <Choice
                    key={hit.card_id}
                    isOn={has({ kind: "card", id: hit.card_id })}
                    onToggle={() => toggle({ kind: "card", id: hit.card_id })}
                  >
                    <CardWords hit={hit} />
                  </Choice>
                ))}
          </ul>
        )}
      </div>
      <p className="text-ink-3 text-note">
        Cards that you choose stay, whatever the budget. Cards of a box are dropped when they do not fit.
      </p>
    </fieldset>
  );
}

const nameOf = ({ kind, id }: SourceItem): string => (kind === "box" ? `box ${boxPlate(id)}` : `card ${id.slice(-8)}`);

function Choice({ isOn, onToggle, children }: { isOn: boolean; onToggle: () => void; children: ReactNode }) {
  return (
    <li>
      <button type="button" className="cpack-choice" aria-pressed={isOn} onClick={onToggle}>
        <span aria-hidden className="cpack-tick">
          {isOn ? <Icon name="check" size={12} /> : null}
        </span>
        {children}
      </button>
    </li>
  );
}

function BoxWords({ hit }: { hit: BoxHit }) {
  return (
    <>
      <BoxId code={boxPlate(hit.box_id)} />
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {hit.owner_title ?? hit.opening ?? `${hit.kind} box`}
      </span>
      {hit.owner_headcode === undefined ? null : <Plate code={hit.owner_headcode} />}
      <span className="flex-none text-ink-3">{formatCount(hit.length, "card")}</span>
    </>
  );
}

function CardWords({ hit }: { hit: CardHit }) {
  return (
    <>
      <RoleTag cardRole={hit.role} />
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {hit.excerpt}
      </span>
      <span className="flex-none text-ink-3">
        {formatNumber(hit.token_count)} <span className="sr-only">tokens</span>
      </span>
    </>
  );
}
