"use client";

// The head of an inspector: what it is about, and what can be done with it as a whole.
import type { ReactNode } from "react";
import { AgentMark } from "@/components/ui/agent-mark";
import { IconButton } from "@/components/ui/icon-button";
import { Menu, MenuItem } from "@/components/ui/menu";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { duplicate } from "../clipboard";
import { useComposer } from "../composer-context";
import { removing, toggling } from "../draft/edits";

export type PanelHeadProps = {
  place: string;
  title: string;
  sub: ReactNode;
  code?: string | undefined;
  mark?: { agentId: string; profile: string } | undefined;
};

export function PanelHead({ place, title, sub, code, mark }: PanelHeadProps) {
  const composing = useComposer();
  const { store } = composing;
  const change = (made: ReturnType<typeof toggling>) => {
    if (made) store.change(made);
  };
  return (
    <header className="flex items-start gap-2.5 border-line border-b px-4 py-3.5">
      {code === undefined ? null : <Plate code={code} size="lg" tone="bare" className="ghost-plate" />}
      <div className="min-w-0 flex-1">
        <h2 className="flex min-w-0 items-center gap-1.5 text-title">
          {mark ? <AgentMark {...mark} size={16} /> : null}
          <span dir="auto" className="truncate">
            {plainWords(title)}
          </span>
        </h2>
        <p className="truncate text-ink-3">{sub}</p>
      </div>
      <Menu trigger={<IconButton icon="more" label={`More for ${title}`} />} align="end">
        <MenuItem keys="p" onSelect={() => change(toggling(store.get().plan, [place], "hold"))}>
          Hold, or let pass
        </MenuItem>
        <MenuItem keys="x" onSelect={() => change(toggling(store.get().plan, [place], "disabled"))}>
          Switch off, or on
        </MenuItem>
        <MenuItem keys="mod+d" onSelect={() => duplicate(composing, [place])}>
          Duplicate
        </MenuItem>
        <MenuItem isDanger keys="mod+backspace" onSelect={() => store.change(removing(store.get().plan, [place]))}>
          Delete
        </MenuItem>
      </Menu>
    </header>
  );
}
