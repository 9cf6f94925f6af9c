"use client";

// Which run, and which of its turns. All of it is the address, so a link shows another person the same.
import { useQueryStates } from "nuqs";
import { type RefObject, useState } from "react";
import { FaultLine } from "@/components/domain/fault-line";
import type { SaveViewDialogProps } from "@/components/domain/save-view-dialog";
import { Aspect } from "@/components/ui/aspect";
import { Chip } from "@/components/ui/chip";
import { formatNumber } from "@/components/ui/format";
import { IconButton } from "@/components/ui/icon-button";
import { Kbd } from "@/components/ui/kbd";
import { lazyPart } from "@/components/ui/lazy-part";
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuSeparator } from "@/components/ui/menu";
import { useFilterKey } from "@/components/ui/use-filter-key";
import { beside } from "@/server/contract/search-query/beside";
import { turnStatuses } from "@/server/contract/turn";
import { LegendButton } from "./legend/legend";
import { LensSwitch } from "./lens/lens-switch";
import { RunMenu } from "./run-menu";
import { useTopology, useTurns, useYard } from "./yard-context";
import { yardParams } from "./yard-url";
import { YardViews } from "./yard-views";
import "./filter-chips.css";

export type FilterBarProps = {
  inputRef: RefObject<HTMLInputElement | null>;
  totalTurns: number;
  /** On a phone the run has a line of its own. */
  hasRunMenu?: boolean;
};

export function FilterBar({ inputRef, totalTurns, hasRunMenu = true }: FilterBarProps) {
  return (
    <search className="yard-filter" aria-label="Filter of the yard">
      {hasRunMenu ? <YardViews /> : null}
      {hasRunMenu ? <LensSwitch /> : null}
      {hasRunMenu ? <RunMenu /> : null}
      <Query inputRef={inputRef} totalTurns={totalTurns} />
      <FailedOnly />
      {hasRunMenu ? <LegendButton /> : null}
    </search>
  );
}

const SaveViewDialog = lazyPart<SaveViewDialogProps>(
  () => import("@/components/domain/save-view-dialog").then((module) => module.SaveViewDialog),
  { missing: "The form of a view could not be loaded" },
);

/** Of the words that a chip names. */
const WORDS_SHOWN = 24;

function Query({ inputRef, totalTurns }: Omit<FilterBarProps, "hasRunMenu">) {
  const [{ q, status, saw, saw_text }, setParams] = useQueryStates(yardParams);
  const { projectId, fault } = useYard();
  const [isSaving, setIsSaving] = useState(false);
  const asked = queryOf(q.trim(), status);
  useFilterKey(() => inputRef.current);
  const setStatus = (next: typeof status) => void setParams({ status: next });
  return (
    <div className="yard-query">
      <Menu trigger={<IconButton icon="filter" label="Filter by status" size="sm" iconSize={14} />}>
        <MenuLabel>Show only</MenuLabel>
        {turnStatuses.map((one) => (
          <MenuCheck
            key={one}
            isChecked={status.includes(one)}
            icon={<Aspect status={one} size={14} label={null} />}
            onChange={(isOn) => setStatus(isOn ? [...status, one] : status.filter((other) => other !== one))}
          >
            {one}
          </MenuCheck>
        ))}
        {status.length === 0 ? null : (
          <>
            <MenuSeparator />
            <MenuItem icon="x" onSelect={() => setStatus([])}>
              Every status
            </MenuItem>
          </>
        )}
        <MenuSeparator />
        <MenuItem icon="save" isDisabled={asked === "" || fault !== null} onSelect={() => setIsSaving(true)}>
          Save this filter as a view
        </MenuItem>
      </Menu>
      {isSaving ? (
        <SaveViewDialog projectId={projectId} page="yard" query={asked} onClose={() => setIsSaving(false)} />
      ) : null}
      {status.map((one) => (
        <Chip
          key={one}
          name="status"
          removeLabel={`Remove status ${one}`}
          onRemove={() => setStatus(status.filter((other) => other !== one))}
        >
          {one}
        </Chip>
      ))}
      {saw === null ? null : (
        <Chip name="came to" isMono removeLabel="Show all turns again" onRemove={() => void setParams({ saw: null })}>
          {`card …${saw.slice(-4)}`}
        </Chip>
      )}
      {saw_text === null ? null : (
        <Chip name="saw" removeLabel="Show all turns again" onRemove={() => void setParams({ saw_text: null })}>
          {saw_text.length > WORDS_SHOWN ? `“${saw_text.slice(0, WORDS_SHOWN)}…”` : `“${saw_text}”`}
        </Chip>
      )}
      <input
        ref={inputRef}
        type="search"
        aria-label="Find turns by headcode, profile, words, status or field:value"
        placeholder="Filter turns"
        title="Words, a headcode such as 2S04, or a field such as status:failed"
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : "yard-query-fault"}
        autoComplete="off"
        spellCheck={false}
        value={q}
        onChange={(event) => void setParams({ q: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation();
          // The first Escape empties the field, the second leaves it.
          if (q === "") event.currentTarget.blur();
          else void setParams({ q: "" });
        }}
      />
      {q === "" ? <Kbd keys="/" className="search-key" /> : null}
      <Count totalTurns={totalTurns} />
      {fault === null ? null : (
        <div id="yard-query-fault" className="yard-query-fault">
          <FaultLine query={q.trim()} fault={fault} />
        </div>
      )}
    </div>
  );
}

/** Words and chosen statuses as one query. */
const queryOf = (words: string, statuses: readonly string[]): string =>
  beside(words, statuses.length === 0 ? "" : `status:${statuses.join(",")}`);

/** "7 of 7 turns". */
function Count({ totalTurns }: { totalTurns: number }) {
  const { matches } = useYard();
  const { order } = useTopology();
  const shown = matches === null ? order.length : matches.size;
  // The total is of the snapshot; turns that came since are drawn and count too.
  const total = Math.max(totalTurns, order.length);
  return (
    <span role="status" className="flex-none text-ink-3">
      {formatNumber(shown)} of {formatNumber(total)} {total === 1 ? "turn" : "turns"}
    </span>
  );
}

function FailedOnly() {
  const turns = useTurns();
  const [{ status }, setParams] = useQueryStates(yardParams);
  const count = turns.filter((turn) => turn.status === "failed" || turn.status === "timeout").length;
  const isOn = status.length === 2 && status.includes("failed") && status.includes("timeout");
  return (
    <button
      type="button"
      className="btn max-[1180px]:hidden"
      data-size="sm"
      aria-pressed={isOn}
      title="Failed only"
      style={isOn ? { background: "var(--raise)" } : undefined}
      onClick={() => void setParams({ status: isOn ? [] : ["failed", "timeout"] })}
    >
      <Aspect status="failed" size={13} label={null} />
      <span className="max-[1640px]:sr-only">Failed only</span>
      <span className="text-ink-3">{formatNumber(count)}</span>
    </button>
  );
}
