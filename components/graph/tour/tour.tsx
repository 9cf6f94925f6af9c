"use client";

// The tour of the yard: five steps that live in the address (`?tour=1`), begun from the banner, the legend or the palette.
import { useQueryStates } from "nuqs";
import { useCallback, useMemo } from "react";
import { type CommandSource, useCommands } from "@/components/ui/commands";
import { Icon } from "@/components/ui/icon";
import { lazyPart } from "@/components/ui/lazy-part";
import { yardParams } from "../yard-url";
import type { TourPanelProps } from "./tour-panel";
import { tourStep } from "./tour-stops";

const TourPanel = lazyPart<TourPanelProps>(() => import("./tour-panel").then((module) => module.TourPanel), {
  missing: "The tour could not be loaded",
});

export function useTour() {
  const [{ tour }, setParams] = useQueryStates(yardParams);
  const go = useCallback(
    // A step is a place to come back to; its end is none.
    (step: number | null) => void setParams({ tour: step }, { history: step === null ? "replace" : "push" }),
    [setParams],
  );
  return { step: tourStep(tour), go };
}

export function Tour({ isPhone, show }: Pick<TourPanelProps, "isPhone" | "show">) {
  const { step, go } = useTour();
  const source = useMemo<CommandSource>(
    () => ({
      id: "yard-tour",
      group: "do",
      items: [
        {
          id: "tour",
          label: "Take the tour",
          icon: <Icon name="help" />,
          words: "help introduction start explain demo",
          run: () => go(1),
        },
      ],
    }),
    [go],
  );
  useCommands(source);
  return step === null ? null : <TourPanel step={step} isPhone={isPhone} go={go} show={show} />;
}
