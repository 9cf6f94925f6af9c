"use client";

// The keys of a run that is watched. They come after those of the drawing, and stand in for them where both have one.
import { useShortcut } from "@/components/ui/shortcuts";
import { isEnded } from "@/server/contract/turn";
import { chosen, useComposer } from "../composer-context";
import type { Watch } from "./use-watch";

export type LiveKeysProps = {
  watch: Watch;
  onBack: () => void;
  onFork: () => void;
  onCompare: (() => void) | null;
};

const group = "Run";

export function LiveKeys({ watch, onBack, onFork, onCompare }: LiveKeysProps) {
  const { store, live } = useComposer();
  const { actions } = watch;
  const at = () => chosen(store.get())?.replace(/^gate:/, "") ?? "";
  const here = () => live.get()?.get(at());
  useShortcut("escape", "Back to the drawing", () => (at() === "" ? onBack() : store.select([])), { group });
  useShortcut("shift+f", "Fork the run", onFork, { group });
  useShortcut(
    "d",
    "Compare with its other run, or stop comparing",
    () => (onCompare ? onCompare() : store.say("It is no fork, and has none: there is no run to compare it with.")),
    { group },
  );
  useShortcut("s", "Stop the turn", () => stop(), { group });
  useShortcut("r", "Try it again", () => retry(), { group });
  useShortcut("p", "Let it start", () => pass(), { group, isEnabled: watch.mode === "edit" });
  useShortcut("mod+s", "Publish", () => store.say("A run is no draft. Go back to the drawing to publish it."), {
    group,
  });
  useShortcut("mod+enter", "Send the changes, or launch the fork", () => go(), { group, isWhileTyping: true });
  useShortcut("shift+mod+enter", "Launch, and ask me before each step", () => back(), { group, isWhileTyping: true });
  function back() {
    store.say("A run is watched here. Go back to the drawing to launch it once more.");
  }
  function stop() {
    const turn = here()?.turn;
    if (!turn || isEnded(turn.status)) return store.say("No turn of it runs.");
    actions.stopTurn(turn.agent_turn_id);
  }
  function retry() {
    if (!canRetry(watch, here()?.status)) return store.say("Only a step that failed or was skipped is tried again.");
    actions.retry(at());
  }
  function pass() {
    if (here()?.status !== "held") return store.say("It is not held.");
    actions.release(at());
  }
  function go() {
    if (watch.isForking) {
      if (watch.check.answer?.ok && !watch.check.isOld) actions.fork(watch.force);
    } else if (watch.refusal === null) actions.send();
  }
  return null;
}

/** While the run runs; after its end a fork goes on from there. */
export const canRetry = ({ watched }: Pick<Watch, "watched">, status: string | undefined): boolean =>
  watched.run.status === "running" &&
  (status === "failed" || status === "timeout" || status === "canceled" || status === "skipped");
