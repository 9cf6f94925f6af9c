"use client";

// The composer over whatever is on the screen: a dialog, on a phone the whole screen. Its code comes after the page's own.
import dynamic from "next/dynamic";
import { useEffect } from "react";
import { Dialog } from "@/components/ui/dialog";
import { IconButton } from "@/components/ui/icon-button";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useIsSettled } from "@/components/ui/use-is-settled";
import { useLaunch } from "./use-launch";

const load = () => import("./composer").then((module) => module.Composer);

const Composer = dynamic(load, {
  ssr: false,
  loading: () => <SkeletonRows count={8} rowHeight={32} label="Opening the composer" />,
});

export type LaunchDialogProps = { projectId: string; person: string };

export function LaunchDialog({ projectId, person }: LaunchDialogProps) {
  const launch = useLaunch();
  const isSettled = useIsSettled();
  // Fetched while nothing else is to be done, so that the key opens it at once.
  useEffect(() => {
    if (isSettled) void load();
  }, [isSettled]);
  return (
    <Dialog
      isBare
      isOpen={launch.isOpen && isSettled}
      onOpenChange={(isOpen) => {
        if (!isOpen) launch.close();
      }}
      title="Launch a turn"
      width={1320}
      className="compose-dialog"
    >
      <header className="compose-head">
        {/* Read out as the dialog's name already. */}
        <b aria-hidden className="flex-none text-title">
          Launch a turn
        </b>
        <span className="min-w-0 flex-1 truncate text-ink-2">
          Choose what it is given, read exactly what it will see, and send it off.
        </span>
        <IconButton icon="x" label="Close; the text is kept" onClick={launch.close} />
      </header>
      <Composer projectId={projectId} person={person} launch={launch} />
    </Dialog>
  );
}
