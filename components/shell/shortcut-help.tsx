"use client";

// What the keyboard can do here and now: exactly what is registered, nothing from memory.
import { Fragment } from "react";
import { Dialog } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import type { Shortcut } from "@/components/ui/shortcut-store";
import { useShortcutList } from "@/components/ui/shortcuts";

export function ShortcutHelp({ isOpen, onOpenChange }: { isOpen: boolean; onOpenChange: (isOpen: boolean) => void }) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Shortcuts"
      description="Shortcuts on this page. Single keys are off while you type."
      width={680}
      isReading
    >
      <Sheet />
    </Dialog>
  );
}

function Sheet() {
  const groups = groupShortcuts(useShortcutList());
  return (
    <div className="columns-1 gap-8 sm:columns-2">
      {[...groups].map(([group, shortcuts]) => (
        <section key={group} className="mb-5 break-inside-avoid">
          <h3 className="mb-1.5 border-line border-b pb-1 text-ink-3 text-note">{group}</h3>
          <dl>
            {shortcuts.map((shortcut) => (
              <div key={shortcut.label} className="flex h-7 items-center gap-3">
                <dt className="min-w-0 flex-1 truncate">{shortcut.label}</dt>
                <dd className="flex items-center gap-1.5">
                  {shortcut.keys.map((keys, index) => (
                    <Fragment key={keys}>
                      {index > 0 ? <span className="text-ink-3 text-note">or</span> : null}
                      <Kbd keys={keys} isHint={false} />
                    </Fragment>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

/** By group, in the order of registration; what two parts of a page registered alike is said once. */
export function groupShortcuts(shortcuts: readonly Shortcut[]): Map<string, Shortcut[]> {
  const groups = new Map<string, Shortcut[]>();
  for (const shortcut of shortcuts) {
    const group = groups.get(shortcut.group) ?? [];
    groups.set(shortcut.group, group);
    if (!group.some((other) => other.label === shortcut.label)) group.push(shortcut);
  }
  return groups;
}
