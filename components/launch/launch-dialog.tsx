"use client";

// The launch dialog over whatever is on the screen: a dialog, on a phone the whole screen. Its code comes after the page's own.
import { Dialog } from "@/components/ui/dialog";
import { IconButton } from "@/components/ui/icon-button";
import { MissingPart } from "@/components/ui/missing-part";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useIsAtRest } from "@/components/ui/use-is-at-rest";
import { useIsSettled } from "@/components/ui/use-is-settled";
import { usePart } from "@/components/ui/use-part";
import { useLaunch } from "./use-launch";

const load = () => import("./launch-desk").then((module) => module.LaunchDesk);

export type LaunchDialogProps = { projectId: string; person: string };

export function LaunchDialog({ projectId, person }: LaunchDialogProps) {
  const launch = useLaunch();
  const isSettled = useIsSettled();
  const isAtRest = useIsAtRest();
  const { Component: LaunchDesk, isMissing } = usePart(load, isAtRest || (launch.isOpen && isSettled));
  return (
    <Dialog
      isBare
      isOpen={launch.isOpen && isSettled}
      onOpenChange={(isOpen) => {
        if (!isOpen) launch.close();
      }}
      title="Launch a turn"
      width={1320}
      className="launch-dialog"
    >
      <header className="launch-head">
        {/* Read out as the dialog's name already. */}
        <b aria-hidden className="flex-none text-title">
          Launch a turn
        </b>
        <span className="min-w-0 flex-1 truncate text-ink-2 max-sm:invisible">
          Choose the context, check exactly what the agent will see, then launch.
        </span>
        <IconButton icon="x" label="Close. Your text is kept" onClick={launch.close} />
      </header>
      {isMissing ? (
        <MissingPart title="The launch dialog could not be loaded" />
      ) : LaunchDesk === null ? (
        <SkeletonRows count={8} rowHeight={32} label="Opening the launch dialog" />
      ) : (
        <LaunchDesk projectId={projectId} person={person} launch={launch} />
      )}
    </Dialog>
  );
}
