"use client";

// The composer over whatever is on the screen: a dialog, on a phone the whole screen. Its code comes when it is opened.
import dynamic from "next/dynamic";
import { Dialog as Radix } from "radix-ui";
import { IconButton } from "@/components/ui/icon-button";
import { ShortcutLayer } from "@/components/ui/shortcuts";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useLaunch } from "./use-launch";

const Composer = dynamic(() => import("./composer").then((module) => module.Composer), {
  ssr: false,
  loading: () => <SkeletonRows count={8} rowHeight={32} label="Opening the composer" />,
});

export type LaunchDialogProps = { projectId: string; person: string };

export function LaunchDialog({ projectId, person }: LaunchDialogProps) {
  const launch = useLaunch();
  return (
    <Radix.Root open={launch.isOpen} onOpenChange={(isOpen) => !isOpen && launch.close()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-[panel-in_var(--t-2)] bg-scrim" />
        <Radix.Content className="dialog compose-dialog" aria-describedby={undefined}>
          <ShortcutLayer>
            <header className="compose-head">
              <Radix.Title className="text-title">Launch a turn</Radix.Title>
              <span className="min-w-0 flex-1 truncate text-ink-2">
                Choose what it is given, read exactly what it will see, and send it off.
              </span>
              <Radix.Close asChild>
                <IconButton icon="x" label="Close; the text is kept" />
              </Radix.Close>
            </header>
            <Composer projectId={projectId} person={person} launch={launch} />
          </ShortcutLayer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
