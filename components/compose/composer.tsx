"use client";

// The launch composer: sources, the form, and what the target will see. All three look at the same few values; who owns
// them: the URL (target, boxes, cards), this tab's storage (text), the kernel (what it would become).
import { useRouter } from "next/navigation";
import { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { formatCompact } from "@/components/ui/format";
import { Segmented } from "@/components/ui/segmented";
import { useShortcut } from "@/components/ui/shortcuts";
import { utf8Bytes } from "./byte-size";
import { HandoverList } from "./handover-list";
import { InstructionField } from "./instruction-field";
import { type LaunchBlock, launchBlock } from "./launch-state";
import { PlanStrip } from "./plan-strip";
import { PreviewPanel } from "./preview-panel";
import { Refusal } from "./refusal";
import { totalTokens } from "./seen-cards";
import { SourcesPanel } from "./sources-panel";
import { TargetField } from "./target-field";
import { useDraft } from "./use-draft";
import type { Launch } from "./use-launch";
import { useLaunchAction } from "./use-launch-action";
import { type LaunchArgs, usePreview } from "./use-preview";

export type ComposerProps = { projectId: string; person: string; launch: Launch };

type Pane = "form" | "sources" | "preview";

export function Composer({ projectId, person, launch }: ComposerProps) {
  const { target, boxes, cards, setBoxes, setCards, setTarget } = launch;
  const router = useRouter();
  const { text, setText, isKept } = useDraft(projectId);
  const [pane, setPane] = useState<Pane>("form");
  const [isTargetOpen, setIsTargetOpen] = useState(false);
  const instruction = useRef<HTMLTextAreaElement>(null);
  const bytes = useMemo(() => utf8Bytes(text), [text]);
  // The dialog has looked for a field before this was loaded.
  useEffect(() => instruction.current?.focus(), []);

  const args = useMemo<LaunchArgs | null>(
    () =>
      target === null || launchBlock({ target, text, bytes, boxes, cards }, unasked)?.tone !== "waiting"
        ? null
        : {
            ...target,
            instruction: text,
            ...(boxes.length > 0 && { context_box_id: [...boxes] }),
            ...(cards.length > 0 && { context_card_ids: [...cards] }),
          },
    [target, text, bytes, boxes, cards],
  );
  const preview = usePreview(projectId, args);
  const action = useLaunchAction(projectId, (result) => {
    setText("");
    const child = "agent_turn_id" in result.result ? `&turn=${result.result.agent_turn_id}` : "";
    router.push(`/p/${encodeURIComponent(projectId)}?run=${result.root_turn_id}${child}`);
  });

  const form = { target, text, bytes, boxes, cards };
  const checked = launchBlock(form, preview);
  const block: LaunchBlock | null =
    checked === null && action.error !== null
      ? { place: "all", tone: "failed", reason: `Not launched: ${action.error}` }
      : checked;
  const answer = preview.answer?.ok ? preview.answer : null;

  function send() {
    if (checked === null && args !== null) action.send(args);
  }
  useShortcut("mod+enter", "Launch", send, { group: "Launch", isWhileTyping: true });

  function remove(place: LaunchBlock["place"], index: number) {
    if (place === "boxes") setBoxes(boxes.filter((_, at) => at !== index));
    if (place === "cards") setCards(cards.filter((_, at) => at !== index));
  }
  const errorAt = (place: LaunchBlock["place"]) =>
    block?.tone === "failed" && block.place === place ? block.reason : null;

  return (
    <>
      <div className="compose-panes">
        <Segmented<Pane>
          label="Part of the launch"
          value={pane}
          onChange={setPane}
          choices={[
            { value: "form", label: "Write" },
            {
              value: "sources",
              label: boxes.length + cards.length === 0 ? "Sources" : `Sources, ${boxes.length + cards.length} in`,
            },
            { value: "preview", label: "What it sees" },
          ]}
        />
      </div>
      <div className="compose-body" data-pane={pane}>
        <SourcesPanel projectId={projectId} boxes={boxes} cards={cards} onBoxes={setBoxes} onCards={setCards} />
        <div className="compose-form">
          <PlanStrip
            person={person}
            boxes={boxes.length}
            cards={cards.length}
            target={target}
            answer={answer}
            block={block}
          />
          <div className="compose-fields">
            <TargetField
              projectId={projectId}
              target={target}
              onChange={(next) => {
                setTarget(next);
                if (next !== null) instruction.current?.focus();
              }}
              isOpen={isTargetOpen}
              onOpenChange={setIsTargetOpen}
              error={errorAt("target")}
            />
            <InstructionField
              ref={instruction}
              value={text}
              bytes={bytes}
              onChange={(next) => {
                setText(next);
                if (action.error !== null) action.forget();
              }}
              error={errorAt("instruction")}
              isKept={isKept}
            />
            <HandoverList
              projectId={projectId}
              boxes={boxes}
              cards={cards}
              onBoxes={setBoxes}
              onCards={setCards}
              block={block}
            />
            {block?.tone === "failed" ? (
              <Refusal
                block={block}
                onRetry={() => (action.error === null ? preview.retry() : send())}
                onChangeTarget={() => setIsTargetOpen(true)}
                onRemove={() => remove(block.place, block.index ?? -1)}
              />
            ) : null}
          </div>
        </div>
        <PreviewPanel
          projectId={projectId}
          args={args}
          answer={answer}
          isStale={preview.isStale}
          reason={block?.tone === "failed" ? "Fix the errors above to see the preview." : (block?.reason ?? "")}
          isWaiting={block?.tone === "waiting"}
        />
      </div>
      <footer className="compose-foot">
        <p className="min-w-0 flex-1">
          {answer === null ? null : <span>{formatCompact(totalTokens(answer))} tokens to start. </span>}
          <span id="compose-block" className={block?.tone === "failed" ? "text-st-failed" : "text-ink-2"}>
            {action.isSending ? "Launching." : (block?.reason ?? "")}
          </span>
        </p>
        <Button
          variant="primary"
          icon="launch"
          keys="mod+enter"
          aria-describedby="compose-block"
          aria-disabled={checked !== null || action.isSending || undefined}
          onClick={send}
        >
          Launch
        </Button>
      </footer>
    </>
  );
}

/** From the form alone: is there anything to check? */
const unasked = { answer: undefined, isStale: false, error: null };
