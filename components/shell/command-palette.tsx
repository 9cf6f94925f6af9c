"use client";

// Everything by name: one field, groups of what it finds, and at the right what the current row is.
import { Command } from "cmdk";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { type CommandItem, useCommandPalette } from "@/components/ui/commands";
import { Dialog } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import { Kbd } from "@/components/ui/kbd";
import { PalettePreview } from "./palette-preview";
import { PaletteRowView } from "./palette-row-view";
import { type PaletteGroup, paletteGroups, parseQuery } from "./palette-rows";
import { readRecent, rememberCommand } from "./recent-commands";
import { useFoundRows } from "./use-found-rows";

export type CommandPaletteProps = {
  /** What is searched, by name: the project. */
  scope?: string;
  /** What was typed before the field was there. */
  takeTyped: () => string;
  /** Called when the field is there, and when it is gone. */
  onShown: (isShown: boolean) => void;
};

export function CommandPalette({ scope, takeTyped, onShown }: CommandPaletteProps) {
  const palette = useCommandPalette();
  return (
    <Dialog
      isOpen={palette.isOpen}
      onOpenChange={(isOpen) => {
        if (!isOpen) palette.close();
      }}
      title="Search or command"
      width={780}
      isBare
      className="palette"
    >
      <PaletteBody {...{ scope, takeTyped, onShown }} />
    </Dialog>
  );
}

function PaletteBody({ scope, takeTyped, onShown }: CommandPaletteProps) {
  const palette = useCommandPalette();
  const router = useRouter();
  const [text, setText] = useState(palette.initialQuery);
  const [currentId, setCurrentId] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const typed = takeTyped();
    if (typed !== "") setText((before) => before + typed);
    onShown(true);
    return () => onShown(false);
  }, [takeTyped, onShown]);
  const found = useFoundRows(palette.sources, text);
  const groups = useMemo(() => {
    const query = parseQuery(text);
    const matched = paletteGroups(palette.sources, found.rows, query);
    return query.prefix === null && query.words === "" ? [...recentGroup(matched), ...matched] : matched;
  }, [palette.sources, found.rows, text]);
  const rows = groups.flatMap((group) =>
    group.rows.map((row) => ({ value: `${group.id}:${row.item.id}`, item: row.item })),
  );
  const current = rows.find((row) => row.value === currentId) ?? rows[0];

  function choose(item: CommandItem, isNewTab: boolean) {
    rememberCommand(item);
    palette.close();
    if (item.href === undefined) item.run?.();
    else if (isNewTab) window.open(item.href, "_blank", "noopener");
    else router.push(item.href);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && current !== undefined) {
      event.preventDefault();
      choose(current.item, true);
    }
  }

  return (
    <Command
      label="Search or command"
      shouldFilter={false}
      loop
      vimBindings={false}
      value={current?.value ?? ""}
      onValueChange={setCurrentId}
      onKeyDown={onKeyDown}
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="palette-field">
        <Icon name="search" size={18} className="text-ink-3" />
        <Command.Input ref={input} value={text} onValueChange={setText} placeholder="Search, or run a command" />
        {scope === undefined ? null : <span className="truncate text-ink-3 text-note max-sm:hidden">{scope}</span>}
        <button type="button" aria-label="Close" onClick={palette.close}>
          <Kbd keys="esc" className="max-sm:hidden" />
          <Icon name="x" size={18} className="hidden keyless:block max-sm:block" />
        </button>
      </div>
      <div className="palette-body">
        <div className="flex min-h-0 flex-col">
          {/* Outside the list, which holds nothing but its rows. */}
          {found.errors.map((error) => (
            <p key={error} role="alert" className="px-[18px] py-2 text-st-failed">
              Part of the search failed: {error}
            </p>
          ))}
          {found.lookedAt.length === 0 ? null : (
            <p role="status" className="px-[18px] pt-2 text-ink-3">
              Looked at the newest {parts.format(found.lookedAt)}. Open search to look further.
            </p>
          )}
          {groups.length > 0 ? null : (
            <p role="status" className="px-[18px] py-4 text-ink-2">
              {found.isAsking ? (
                <span className="skeleton block h-3 w-40" />
              ) : (
                `No results for "${parseQuery(text).words}".`
              )}
            </p>
          )}
          <Command.List hidden={groups.length === 0} className="palette-list" aria-busy={found.isAsking}>
            {groups.map((group) => (
              <Command.Group key={group.id} heading={<Heading group={group} />}>
                {group.rows.map((row) => (
                  <PaletteRowView
                    key={row.item.id}
                    value={`${group.id}:${row.item.id}`}
                    row={row}
                    onChoose={() => choose(row.item, false)}
                  />
                ))}
              </Command.Group>
            ))}
          </Command.List>
        </div>
        <PalettePreview item={current?.item} onChoose={(item) => choose(item, false)} />
      </div>
      <footer className="palette-foot">
        <span className="keyless:hidden">
          <Kbd keys="up" />
          <Kbd keys="down" /> move
        </span>
        <span className="keyless:hidden">
          <Kbd keys="enter" /> open
        </span>
        <span className="keyless:hidden">
          <Kbd keys="mod+enter" /> new tab
        </span>
        <span className="flex-1" />
        {prefixes.map(({ prefix, label }) => (
          <button
            key={prefix}
            type="button"
            onClick={() => {
              setText(prefix + parseQuery(text).words);
              input.current?.focus();
            }}
          >
            <Kbd keys={prefix} isHint={false} /> {label}
          </button>
        ))}
      </footer>
    </Command>
  );
}

const parts = new Intl.ListFormat("en-GB", { type: "conjunction" });

const prefixes = [
  { prefix: ">", label: "do" },
  { prefix: "#", label: "box" },
  { prefix: "@", label: "agent" },
];

function Heading({ group }: { group: PaletteGroup }) {
  return (
    <>
      {group.heading}
      {group.total > group.rows.length ? `, ${group.rows.length} of ${group.total}` : null}
    </>
  );
}

/** What was chosen last, in the shape it has now where its source is on this page, else as it was then. */
function recentGroup(groups: readonly PaletteGroup[]): PaletteGroup[] {
  const known = new Map(groups.flatMap((group) => group.rows.map((row) => [row.item.id, row.item] as const)));
  const rows = readRecent().flatMap((recent) => {
    const live = known.get(recent.id);
    if (live === undefined && recent.href === undefined) return [];
    const item = live ?? { ...recent, icon: <Icon name="clock" size={16} /> };
    return [{ item, labelHits: [], detailHits: [] }];
  });
  return rows.length === 0 ? [] : [{ id: "recent", heading: "Recent", rows, total: rows.length }];
}
