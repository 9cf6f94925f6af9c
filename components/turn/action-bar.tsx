"use client";

// What can be done with the turn.
import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { useLaunchWith } from "@/components/ui/use-launch-with";
import { StopTurn, type StopTurnProps } from "./stop-turn";

export type ActionBarProps = StopTurnProps;

export function ActionBar({ projectId, turn, getBelow }: ActionBarProps) {
  const router = useRouter();
  const launchWith = useLaunchWith();
  const boxes = turn.output_box_id === undefined ? [turn.context_box_id] : [turn.output_box_id];
  return (
    <footer className="@container flex-none border-line border-t px-2.5 py-2.5">
      {/* One line at any width: what has no room is the keys, which the list of shortcuts names too, and the word by the sign. */}
      <div className="flex items-center gap-1 @max-[330px]:[&_span:has(>.kbd)]:hidden @max-[380px]:[&_[data-variant=danger]_span:has(>.kbd)]:hidden">
        <Button
          keys="enter"
          onClick={() =>
            router.push(`/p/${encodeURIComponent(projectId)}/turns/${encodeURIComponent(turn.agent_turn_id)}`)
          }
        >
          Open turn
        </Button>
        <Button
          keys="b"
          onClick={() =>
            router.push(`/p/${encodeURIComponent(projectId)}/boxes/${encodeURIComponent(turn.context_box_id)}`)
          }
        >
          Open box
        </Button>
        <Button
          icon="launch"
          aria-label="Launch from here"
          title="Launch a turn with this one's output"
          onClick={() => launchWith({ boxes })}
        >
          <span className="@max-[330px]:hidden">Launch</span>
        </Button>
        <span className="flex-1" />
        <StopTurn projectId={projectId} turn={turn} getBelow={getBelow} />
      </div>
    </footer>
  );
}
