"use client";

// A plan without wagons: what this place is for, and the ways to begin.
import { Icon, type IconName } from "@/components/ui/icon";
import { Kbd } from "@/components/ui/kbd";
import { paste } from "./clipboard";
import { useComposer } from "./composer-context";
import { adding } from "./draft/edits";

export function EmptyGround({ onOpenPlan, onLikeLast }: { onOpenPlan: () => void; onLikeLast: (() => void) | null }) {
  const composing = useComposer();
  const { store } = composing;
  const ways: { icon: IconName; title: string; note: string; keys: string; go: () => void }[] = [
    {
      icon: "fork",
      title: "Fork of three",
      note: "three tasks, one gate",
      keys: "t",
      go: () => store.change(adding(store.get().plan, { kind: "fork" })),
    },
    { icon: "plans", title: "Open a plan", note: "one of this project", keys: "o", go: onOpenPlan },
    {
      icon: "terminal",
      title: "Paste",
      note: "a plan as YAML, or arguments of fork_join",
      keys: "mod+v",
      go: () => void paste(composing),
    },
    ...(onLikeLast
      ? [
          {
            icon: "copy" as const,
            title: "Change the last run",
            note: "with the boxes it was given",
            keys: "shift+l",
            go: onLikeLast,
          },
        ]
      : []),
  ];
  return (
    <div className="empty-ground nopan">
      <h2>Draw the work, then watch it run</h2>
      <p>
        Drag a profile up from the shelf: it becomes a wagon, one step of the work. Connect wagons to set their order,
        and drop boxes and cards on them to choose what each one reads. Every change is checked as you draw; nothing
        runs until you launch.
      </p>
      <ul style={{ marginTop: 240 }}>
        {ways.map(({ icon, title, note, keys, go }) => (
          <li key={title}>
            <button type="button" onClick={go}>
              <Icon name={icon} size={15} />
              <b>{title}</b>
              <span className="min-w-0 flex-1 truncate text-ink-3">{note}</span>
              <Kbd keys={keys} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
