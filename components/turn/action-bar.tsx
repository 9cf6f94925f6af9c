"use client";

// What can be done with the turn.
import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { MissingPart } from "@/components/ui/missing-part";
import { useShortcut } from "@/components/ui/shortcuts";
import { useLaunchWith } from "@/components/ui/use-launch-with";
import { usePart } from "@/components/ui/use-part";
import type { Step } from "@/server/contract/turn";
import { StopTurn, type StopTurnProps } from "./stop-turn";
import { useAgain } from "./use-again";

const load = () => import("./again-dialogs").then((module) => module.AgainDialogs);

export type ActionBarProps = StopTurnProps & {
  /** Where it would be forked: its newest step that has a request. */
  step: Step | undefined;
};

export function ActionBar({ projectId, turn, step, getBelow }: ActionBarProps) {
  const router = useRouter();
  const launchWith = useLaunchWith();
  const { canFork, canRerun, asked, ask, close } = useAgain(turn, step, "Yard");
  // Only asked for when it is wanted: the yard opens without it.
  const { Component: AgainDialogs, isMissing } = usePart(load, asked !== null);
  const boxes = turn.output_box_id === undefined ? [turn.context_box_id] : [turn.output_box_id];
  // Nothing is added to what was recorded elsewhere.
  const canAdd = turn.primitive !== "import";
  const add = () => launchWith({ boxes, into: turn.root_turn_id });
  useShortcut("n", "Add a turn to this run", add, { group: "Yard", isEnabled: canAdd });
  return (
    <footer className="@container flex-none border-line border-t px-2.5 py-2.5">
      {/* On a phone all of it is one row that scrolls: two rows of this height would leave no room for the turn. */}
      <div className="max-sm:-mx-2.5 max-sm:flex max-sm:gap-1 max-sm:overflow-x-auto max-sm:px-2.5 max-sm:py-1 max-sm:-my-1">
        {/* One line at any width: what has no room is the keys, which the list of shortcuts names too, and the word by the sign. */}
        <div className="flex flex-none items-center gap-1 @max-[330px]:[&_span:has(>.kbd)]:hidden @max-[380px]:[&_[data-variant=danger]_span:has(>.kbd)]:hidden">
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
        {canRerun || canAdd ? (
          <div className="mt-1 flex flex-none items-center gap-1 sm:flex-wrap max-sm:mt-0 @max-[400px]:[&>:last-child_span:has(>.kbd)]:hidden">
            {canAdd ? (
              <Button icon="plus" keys="n" title="Add a turn to this run, with this one's output" onClick={add}>
                Add
              </Button>
            ) : null}
            {canRerun ? (
              <Button icon="retry" keys="r" aria-haspopup="dialog" onClick={() => ask("rerun")}>
                Run again
              </Button>
            ) : null}
            {/* Last: it comes with the steps, and nothing moves for it. */}
            {canFork && step !== undefined ? (
              <Button icon="fork" keys="shift+f" aria-haspopup="dialog" onClick={() => ask("fork")}>
                Fork at step {step.ordinal}
              </Button>
            ) : null}
          </div>
        ) : null}
      </div>
      {asked !== null && isMissing ? <MissingPart title="The dialog could not be loaded" /> : null}
      {asked !== null && AgainDialogs !== null ? (
        <AgainDialogs projectId={projectId} turn={turn} step={step} asked={asked} onClose={close} />
      ) : null}
    </footer>
  );
}
