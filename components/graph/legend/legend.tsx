"use client";

// The legend of the yard: opened by `?`, by a button, from the palette, and by an address with `?legend=1`.
import { parseAsString, useQueryState } from "nuqs";
import { useEffect, useMemo, useRef } from "react";
import { Button } from "@/components/ui/button";
import { type CommandSource, useCommands } from "@/components/ui/commands";
import { Dialog } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import { IconButton } from "@/components/ui/icon-button";
import { lazyPart } from "@/components/ui/lazy-part";
import { useShortcut } from "@/components/ui/shortcuts";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useTour } from "../tour/tour";

const LegendSheet = lazyPart<object>(() => import("./legend-sheet").then((module) => module.LegendSheet), {
  missing: "The legend could not be loaded",
  waiting: () => <SkeletonRows count={8} rowHeight={32} label="Opening the legend" />,
});

function useLegend() {
  const [param, setParam] = useQueryState("legend", parseAsString);
  return { isOpen: param !== null, show: (isOpen: boolean) => void setParam(isOpen ? "1" : null) };
}

export function LegendButton({ size = "sm" }: { size?: "sm" | "touch" }) {
  const { show } = useLegend();
  return (
    <IconButton
      icon="help"
      label="Legend"
      keys="?"
      size={size}
      iconSize={size === "sm" ? 15 : 19}
      onClick={() => show(true)}
    />
  );
}

export function Legend() {
  const [param, setParam] = useQueryState("legend", parseAsString);
  const { go } = useTour();
  const isTourNext = useRef(false);
  useEffect(() => {
    if (param !== null || !isTourNext.current) return;
    isTourNext.current = false;
    // The legend gives the focus back in a timer when it is gone; begun before, the tour lost it.
    setTimeout(() => go(1));
  }, [param, go]);
  const beginTour = () => {
    isTourNext.current = true;
    void setParam(null);
  };
  useShortcut("?", "Legend", () => void setParam("1"), { group: "Yard" });
  const source = useMemo<CommandSource>(
    () => ({
      id: "yard-legend",
      group: "do",
      items: [
        {
          id: "legend",
          label: "Show the legend",
          icon: <Icon name="help" />,
          keys: "?",
          words: "help signs meaning glossary wagon lamp",
          run: () => void setParam("1"),
        },
      ],
    }),
    [setParam],
  );
  useCommands(source);
  return (
    <Dialog
      isOpen={param !== null}
      onOpenChange={(isOpen) => void setParam(isOpen ? "1" : null)}
      title="Legend"
      description="What you see in the yard, and the words for it. For its keys, choose “Show all shortcuts” in the search box."
      width={820}
      isReading
      footer={
        <Button icon="play" onClick={beginTour}>
          Take the tour
        </Button>
      }
    >
      <LegendSheet />
    </Dialog>
  );
}
