"use client";

// `h`: the hand-over of what is selected. Of a wagon or a line that stands for several turns the first of them, and where there is
// none it says why, for a key that does nothing looks broken.
import { useRouter } from "next/navigation";
import { announce } from "@/components/ui/announcements";
import { formatCount } from "@/components/ui/format";
import { useShortcut } from "@/components/ui/shortcuts";
import type { TurnFrame } from "@/server/contract/frame";
import { handOverOf } from "./hand-over-of";
import { useYard } from "./yard-context";

type Input = { label: string; isEnabled: boolean; getTurns: () => readonly TurnFrame[] };

export function useHandOverKey({ label, isEnabled, getTurns }: Input): void {
  const { live, projectId } = useYard();
  const router = useRouter();
  const open = () => {
    const turns = getTurns();
    const known = live.getPicture().turn;
    const turn = handOverOf(turns, (id) => known.has(id));
    if (turn === null) return announce({ title: "No hand-over to open", detail: whyNone(turns) });
    if (turns.length > 1)
      announce({
        title: `The hand-over to ${turn.headcode}`,
        detail: `The first of ${formatCount(turns.length, "turn")}.`,
      });
    router.push(`/p/${encodeURIComponent(projectId)}/turns/${encodeURIComponent(turn.agent_turn_id)}/handover`);
  };
  useShortcut("h", label, open, { group: "Yard", isEnabled });
}

const whyNone = (turns: readonly TurnFrame[]): string =>
  turns.length === 1
    ? `No turn of this run called ${turns[0]?.headcode}.`
    : turns.length === 0
      ? "None of these lines goes from a caller to a turn it called."
      : "No turn of this run called any of them.";
