"use client";

// The words of the model while they come. The block is as high empty as it is full, so nothing below it moves.
import { formatCount } from "@/components/ui/format";
import { Section } from "@/components/ui/section";
import type { TurnFrame } from "@/server/contract/frame";
import { type ThinkingNow, useThinking } from "./use-thinking";

/** What fits is some hundred; a page that repaints a book ten times a second stutters. */
const LETTERS_MAX = 4_000;

export function SaysNow({ projectId, turn }: { projectId: string; turn: TurnFrame }) {
  const isOn = turn.status === "running" && !turn.is_human;
  const thinking = useThinking(projectId, turn.agent_turn_id, isOn);
  if (!isOn) return null;
  const { text, reasoning } = thinking;
  const isAloud = text !== "";
  const words = isAloud ? text : reasoning;
  return (
    <Section title="Says now" note={noteOf(thinking)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section aria-label="Answer so far" tabIndex={0} className="flex h-[109px] flex-col-reverse overflow-y-auto">
        <p
          className={`mb-auto whitespace-pre-wrap break-words leading-[1.45] ${isAloud ? "text-ink-2" : "text-ink-3"}`}
        >
          {words === "" ? "Nothing yet." : words.slice(-LETTERS_MAX)}
        </p>
      </section>
    </Section>
  );
}

function noteOf({ text, reasoning, is_over }: ThinkingNow): string | undefined {
  if (text === "" && reasoning === "") return undefined;
  if (is_over) return "said";
  return text === "" ? "thinks it over" : formatCount(text.length, "letter");
}
