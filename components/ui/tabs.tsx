"use client";

// Views of one thing. The chosen one belongs in the URL, so the caller holds it.
import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

export type TabsProps<Value extends string> = {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  tabs: readonly { value: Value; label: string; count?: string }[];
  /** At the right end of the strip: a legend, a count. */
  aside?: ReactNode;
  /** The panel of the chosen tab. */
  children: ReactNode;
  className?: string;
};

export function Tabs<Value extends string>({
  label,
  value,
  onChange,
  tabs,
  aside,
  children,
  className,
}: TabsProps<Value>) {
  return (
    <Radix.Root
      value={value}
      onValueChange={(next) => {
        const tab = tabs.find((candidate) => candidate.value === next);
        if (tab !== undefined) onChange(tab.value);
      }}
      className={className ?? "flex min-h-0 flex-1 flex-col"}
    >
      <div className="flex h-[38px] flex-none items-stretch gap-4 border-line border-b px-4">
        <Radix.List aria-label={label} className="flex min-w-0 items-stretch gap-0.5 overflow-x-auto">
          {tabs.map((tab) => (
            <Radix.Trigger key={tab.value} value={tab.value} className="tab">
              {tab.label}
              {tab.count === undefined ? null : <span className="font-[450] text-ink-3 text-note">{tab.count}</span>}
            </Radix.Trigger>
          ))}
        </Radix.List>
        <span className="flex-1" />
        {aside}
      </div>
      <Radix.Content value={value} className="flex min-h-0 flex-1 flex-col">
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}
