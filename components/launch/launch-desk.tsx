"use client";

// The launch dialog: sources, the form, and what the target will see. All three look at the same form; who owns it: the URL
// (kind, target, load), this tab's storage (texts, the other tasks), the kernel (what it would become).
import { useRouter } from "next/navigation";
import { useEffect, useMemo, useRef, useState } from "react";
import { beginningOf, keepText } from "@/components/domain/kept-text";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { formatCompact } from "@/components/ui/format";
import { Segmented, type SegmentedProps } from "@/components/ui/segmented";
import { useShortcut } from "@/components/ui/shortcuts";
import { formPlan, notCarried } from "./form-plan";
import { LaunchFields } from "./launch-fields";
import { callOf, taskCall, tasksOf } from "./launch-form";
import { type LaunchBlock, launchBlock, taskBlock } from "./launch-state";
import { PreviewPanel } from "./preview-panel";
import { PreviewTasks } from "./preview-tasks";
import { totalTokens } from "./seen-cards";
import { SourcesPanel } from "./sources-panel";
import { weightOf } from "./task-lanes";
import type { Launch } from "./use-launch";
import { useLaunchAction } from "./use-launch-action";
import { useLaunchForm } from "./use-launch-form";
import { useForkPreview, usePreview } from "./use-preview";

export type LaunchDeskProps = { projectId: string; person: string; launch: Launch };

type Pane = "form" | "sources" | "preview";

export function LaunchDesk({ projectId, person, launch }: LaunchDeskProps) {
  const router = useRouter();
  const state = useLaunchForm(projectId, launch);
  const { form, task } = state;
  const [pane, setPane] = useState<Pane>("form");
  const instruction = useRef<HTMLTextAreaElement>(null);
  // The dialog has looked for a field before this was loaded.
  useEffect(() => instruction.current?.focus(), []);
  const isFork = form.kind === "fork";

  const call = useMemo(() => (isComplete(form) ? callOf(form) : null), [form]);
  const shown = useMemo(() => (taskBlock(task, form.kind) === null ? taskCall(task) : null), [task, form.kind]);
  const preview = usePreview(projectId, shown);
  const fork = useForkPreview(projectId, isFork ? call : null);
  const action = useLaunchAction(projectId, launch.into, (result) => {
    state.clear();
    const child = "agent_turn_id" in result.result ? `&turn=${result.result.agent_turn_id}` : "";
    router.push(`/p/${encodeURIComponent(projectId)}?run=${result.root_turn_id}${child}`);
  });

  const checked = launchBlock(form, isFork ? fork : preview);
  const block: LaunchBlock | null =
    checked === null && action.error !== null
      ? { place: "all", tone: "failed", reason: `Not launched: ${action.error}` }
      : checked;
  const answer = preview.answer?.ok ? preview.answer : null;
  const ofFork = isFork && fork.answer?.ok ? fork.answer.tasks : [];
  // While the next check runs, the answer may be about the tasks of before.
  const previews = ofFork.length === form.tasks.length ? ofFork : [];
  const isHere = block?.task === undefined || block.task === form.at;

  function send() {
    if (checked === null && call !== null) action.send(call);
  }
  function draw() {
    keepText(beginningOf(projectId), JSON.stringify(formPlan(form)));
    const drawn = new URLSearchParams({
      from: Date.now().toString(36),
      ...(launch.into !== null && { into: launch.into }),
    });
    const lost = notCarried(form);
    if (lost.length > 0)
      announce({ title: "Not everything fits in a plan", detail: `Left out: ${lost.join("; ")}.`, status: "failed" });
    router.push(`/p/${encodeURIComponent(projectId)}/compose?${drawn}`);
  }
  useShortcut("mod+e", "Open in composer", draw, { group: "Launch", isWhileTyping: true });
  useShortcut("mod+enter", "Launch", send, { group: "Launch", isWhileTyping: true });

  const tokens = isFork
    ? previews.length === 0
      ? null
      : previews.reduce((sum, one) => sum + weightOf(one), 0)
    : answer === null
      ? null
      : totalTokens(answer);

  return (
    <>
      <div className="launch-panes">
        <Segmented<Pane> label="Part of the launch" value={pane} onChange={setPane} choices={panes(task.load.length)} />
      </div>
      <div className="launch-body" data-pane={pane}>
        <SourcesPanel projectId={projectId} load={task.load} onLoad={(load) => state.change({ load })} />
        <LaunchFields
          projectId={projectId}
          person={person}
          state={state}
          onKind={launch.setKind}
          into={launch.into}
          onInto={launch.setInto}
          block={block}
          answer={answer}
          previews={previews}
          instruction={instruction}
          onChanged={() => {
            if (action.error !== null) action.forget();
          }}
          onRetry={() => (action.error === null ? (isFork ? fork : preview).retry() : send())}
        />
        <PreviewPanel
          key={task.key}
          projectId={projectId}
          call={shown}
          answer={answer}
          isStale={preview.isStale}
          title={isFork ? `What task ${form.at + 1} will see` : undefined}
          reason={
            block?.tone === "failed" && isHere
              ? "Fix the errors above to see the preview."
              : reasonOf(form, preview, block)
          }
          isWaiting={shown !== null && preview.answer === undefined && preview.error === null}
          head={
            isFork ? (
              <PreviewTasks
                tasks={form.tasks}
                previews={previews}
                block={block}
                at={form.at}
                isStale={fork.isStale}
                onSelect={state.select}
              />
            ) : null
          }
        />
      </div>
      <footer className="launch-foot">
        <p className="min-w-0 flex-1">
          {tokens === null ? null : <span>{formatCompact(tokens)} tokens to start. </span>}
          <span id="launch-block" className={block?.tone === "failed" ? "text-st-failed" : "text-ink-2"}>
            {action.isSending ? "Launching." : (block?.reason ?? "")}
          </span>
        </p>
        <Button icon="plans" keys="mod+e" onClick={draw} className="max-sm:hidden">
          Open in composer
        </Button>
        <Button
          variant="primary"
          icon="launch"
          keys="mod+enter"
          aria-describedby="launch-block"
          aria-disabled={checked !== null || action.isSending || undefined}
          onClick={send}
        >
          {isFork ? `Launch ${form.tasks.length} ${form.tasks.length === 1 ? "task" : "tasks"}` : "Launch"}
        </Button>
      </footer>
    </>
  );
}

type Form = Parameters<typeof callOf>[0];

const isComplete = (form: Form): boolean => tasksOf(form).every(({ task }) => taskBlock(task, form.kind) === null);

/** Why there is no preview of the task in the fields. */
function reasonOf(form: Form, preview: ReturnType<typeof usePreview>, block: LaunchBlock | null): string {
  const task = form.tasks[form.at];
  const own = task === undefined ? null : taskBlock(task, form.kind);
  if (own !== null) return own.reason;
  if (preview.error !== null) return `The check failed: ${preview.error}`;
  if (preview.answer?.ok === false) return preview.answer.error;
  return block?.reason ?? "";
}

const panes = (loads: number): SegmentedProps<Pane>["choices"] => [
  { value: "form", label: "Write" },
  { value: "sources", label: loads === 0 ? "Sources" : `Sources, ${loads} in` },
  { value: "preview", label: "What it sees" },
];
