"use client";

// Where a plan is written as YAML: checked while it is typed, with each problem at its line, and published as a version.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { keepText, keptText } from "@/components/domain/kept-text";
import { type LineMark, showLine, YamlEditor } from "@/components/domain/yaml-editor";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { TextInput } from "@/components/ui/text-input";
import { isRecord } from "@/server/contract/is-record";
import type { PlanRecord } from "@/server/contract/plan/plan-record";
import { TextProblems } from "./text-problems";
import { useChecked } from "./use-checked";
import { useKernelCheck } from "./use-kernel-check";

export type PlanDialogProps = {
  projectId: string;
  /** The version it starts from, and what the newest is now; null for a new plan. */
  edited: { name: string; version: number; head: number } | null;
  /** The text when nothing was typed before. */
  start: string;
  onPublished: (plan: PlanRecord) => void;
  onClose: () => void;
};

export function PlanDialog({ projectId, edited, start, onPublished, onClose }: PlanDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const key = `plan-draft ${projectId} ${edited?.name ?? ""}`;
  const [text, setText] = useState(() => keptText(key) ?? start);
  const [message, setMessage] = useState("");
  // The head as it was when the dialog was opened: who was quicker is not written over.
  const [base] = useState(edited?.head);
  const editor = useRef<HTMLTextAreaElement>(null);
  const { checked, isOld, failure } = useChecked(text);
  const publish = useMutation(
    trpc.plan.publish.mutationOptions({
      onSuccess: async ({ plan, version }) => {
        keepText(key, null);
        announce({ title: `${plan.name} has version ${version.version}`, status: "success" });
        await queryClient.invalidateQueries({ queryKey: trpc.plan.pathKey() });
        onPublished(plan);
      },
    }),
  );
  const ofProject = useKernelCheck(projectId, checked);
  const errors = checked?.problems.filter(({ severity }) => severity === "error").length ?? 0;
  const missing = acceptable(publish.error);
  const lacks = ofProject.problems ?? [];
  const problems = [...(checked?.problems ?? []), ...(checked?.plan == null ? [] : lacks)].toSorted(
    (a, b) => a.line - b.line,
  );
  const marks = new Map<number, LineMark>();
  for (const { line, severity } of problems) if (marks.get(line) !== "error") marks.set(line, severity);
  const canPublish = checked?.plan != null && errors === 0 && !isOld && !publish.isPending;
  const change = (next: string) => {
    setText(next);
    publish.reset();
    keepText(key, next === start ? null : next);
  };
  const submit = (accept_problems = false) => {
    if (!canPublish || checked?.plan == null) return;
    publish.mutate({ project_id: projectId, body: checked.plan, base_version: base, message, accept_problems });
  };
  return (
    <Dialog
      isOpen
      width={860}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title={edited === null ? "New plan" : `Edit ${edited.name}`}
      description={
        edited === null
          ? "Write or paste YAML or JSON. It is checked while you type."
          : `From version ${edited.version}. Publishing makes a new version; runs keep the one they were launched with.`
      }
      footer={
        <>
          {text === start ? null : (
            <Button variant="ghost" onClick={() => change(start)}>
              {edited === null ? "Start over" : "Undo all changes"}
            </Button>
          )}
          <span role="status" className="flex-1 text-ink-2">
            {stateWords({
              isChecked:
                checked !== null && !isOld && (checked.plan === null || !ofProject.isOld || ofProject.failure !== null),
              errors,
              lacking: lacks.filter(({ severity }) => severity === "error").length,
              failure,
              unasked: ofProject.failure,
            })}
          </span>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" aria-disabled={!canPublish} onClick={() => submit()}>
            {publish.isPending ? "Publishing" : `Publish version ${(base ?? 0) + 1}`}
          </Button>
        </>
      }
    >
      <Field label="Plan">
        <YamlEditor ref={editor} value={text} marks={marks} isFirst onChange={change} onSave={() => submit()} />
      </Field>
      {problems.length === 0 ? null : (
        <TextProblems problems={problems} onLine={(line) => showLine(editor.current, line)} />
      )}
      <Field label="What changed" aside="optional" className="mt-3">
        <TextInput value={message} maxLength={500} onChange={(event) => setMessage(event.target.value)} />
      </Field>
      {publish.error === null ? null : (
        <p role="alert" className="mt-2 rounded-2 bg-wash-fail px-2.5 py-2">
          <b className="font-semibold text-st-failed">Not published.</b>{" "}
          {missing === null ? (
            publish.error.message
          ) : (
            <>
              {missing} You can publish it and add what is missing later; until then it cannot be launched.{" "}
              <Button size="sm" aria-disabled={!canPublish} onClick={() => submit(true)}>
                Publish anyway
              </Button>
            </>
          )}
        </p>
      )}
    </Dialog>
  );
}

type State = { isChecked: boolean; errors: number; lacking: number; failure: string | null; unasked: string | null };

function stateWords({ isChecked, errors, lacking, failure, unasked }: State): string {
  if (failure !== null) return `The check could not be loaded: ${failure}`;
  if (!isChecked) return "Checking";
  if (errors > 0) return `${formatCount(errors, "error")} to mend before it can be published`;
  if (unasked !== null) return `The project could not be asked: ${unasked}`;
  return lacking > 0 ? `${formatCount(lacking, "error")} to mend before it can be launched` : "";
}

/** The first thing that the project lacks, where the plan may be published all the same. */
function acceptable(error: { data?: { detail?: Record<string, unknown> | undefined } | null } | null): string | null {
  const detail = error?.data?.detail;
  if (detail?.can_accept !== true || !Array.isArray(detail.problems)) return null;
  const first: unknown = detail.problems.find((one: unknown) => isRecord(one) && one.severity === "error");
  return isRecord(first) ? String(first.message) : "";
}
