"use client";

// Forking a turn and running it again: by button, by key and by name, on its page and wherever it is selected.
import { useMemo, useState } from "react";
import { type CommandSource, useCommands } from "@/components/ui/commands";
import { Icon } from "@/components/ui/icon";
import { useShortcut } from "@/components/ui/shortcuts";
import type { TurnFrame } from "@/server/contract/frame";
import type { Step } from "@/server/contract/turn";

export type Asked = "fork" | "rerun";

export type Again = {
  canFork: boolean;
  canRerun: boolean;
  asked: Asked | null;
  ask: (what: Asked) => void;
  close: () => void;
};

/** `step`: where it would be forked. `group`: the heading of the keys in the help. */
export function useAgain(
  turn: Pick<TurnFrame, "agent_turn_id" | "headcode" | "is_human" | "primitive">,
  step: Step | undefined,
  group: string,
): Again {
  const [asked, setAsked] = useState<Asked | null>(null);
  const canRerun = !turn.is_human && turn.primitive !== "import";
  const canFork = canRerun && step?.request_box_id !== undefined;
  const { agent_turn_id: id, headcode } = turn;
  const ordinal = canFork ? step.ordinal : null;
  useShortcut("shift+f", "Fork the turn", () => setAsked("fork"), { group, isEnabled: canFork });
  useShortcut("r", "Run it again", () => setAsked("rerun"), { group, isEnabled: canRerun });
  const source = useMemo<CommandSource | null>(() => {
    if (!canRerun) return null;
    return {
      id: `again-${id}`,
      group: "do",
      items: [
        ...(ordinal === null
          ? []
          : [
              {
                id: `fork-${id}`,
                plate: headcode,
                label: `Fork at step ${ordinal}`,
                icon: <Icon name="fork" />,
                keys: "shift+f",
                words: "turn selected replace drop messages",
                run: () => setAsked("fork"),
              },
            ]),
        {
          id: `rerun-${id}`,
          plate: headcode,
          label: "Run again",
          icon: <Icon name="retry" />,
          keys: "r",
          words: "turn selected rerun repeat",
          run: () => setAsked("rerun"),
        },
      ],
    };
  }, [canRerun, ordinal, headcode, id]);
  useCommands(source);
  return { canFork, canRerun, asked, ask: setAsked, close: () => setAsked(null) };
}
