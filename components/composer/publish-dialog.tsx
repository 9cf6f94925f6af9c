"use client";

// Publishes the drawing as the next version of its plan. Where somebody else was quicker, what both changed is asked node by node.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { TextInput } from "@/components/ui/text-input";
import { isRecord } from "@/server/contract/is-record";
import { leanPlan } from "@/server/contract/plan/canonical";
import { mergePlans } from "@/server/contract/plan/merge-plans";
import { opsBetween } from "@/server/contract/plan/ops-between";
import { type Plan, PlanShape } from "@/server/contract/plan/plan";
import type { PlanRecord, PlanVersion } from "@/server/contract/plan/plan-record";
import { useComposer, usePlan } from "./composer-context";
import { setting } from "./draft/edits";

export type PublishDialogProps = {
  /** The version that the draft was made from; null = the plan is new. */
  base: Pick<PlanVersion, "version" | "body" | "layout"> | null;
  onPublished: (plan: PlanRecord, version: PlanVersion) => void;
  onClose: () => void;
};

export function PublishDialog({ base, onPublished, onClose }: PublishDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { projectId, store } = useComposer();
  const plan = usePlan();
  const [message, setMessage] = useState("");
  const [from, setFrom] = useState(base);
  const publish = useMutation(
    trpc.plan.publish.mutationOptions({
      onSuccess: async ({ plan: made, version }) => {
        announce({ title: `${made.name} has version ${version.version}`, status: "success" });
        await queryClient.invalidateQueries({ queryKey: trpc.plan.lines.queryKey() });
        onPublished(made, version);
      },
    }),
  );
  const head = headOf(publish.error);
  const lacking = lackingOf(publish.error);
  const send = (accept_problems = false) =>
    publish.mutate({
      project_id: projectId,
      body: leanPlan(store.get().plan),
      base_version: from?.version,
      message,
      accept_problems,
    });
  return (
    <Dialog
      isOpen
      width={560}
      onOpenChange={(isOpen) => {
        // What is drawn while it is on its way would be in no version, and its draft is about to go.
        if (!isOpen && !publish.isPending) onClose();
      }}
      title={`Publish ${plan.name || "the plan"}`}
      description="A version never changes. Runs keep the one they were launched with."
      footer={
        <>
          <Button variant="ghost" aria-disabled={publish.isPending} onClick={() => publish.isPending || onClose()}>
            Cancel
          </Button>
          {lacking === null ? null : (
            <Button aria-disabled={publish.isPending} onClick={() => send(true)}>
              Publish anyway
            </Button>
          )}
          <Button
            variant="primary"
            aria-disabled={publish.isPending || plan.name === ""}
            onClick={() => plan.name !== "" && send()}
          >
            {publish.isPending ? "Publishing" : `Publish version ${(from?.version ?? 0) + 1}`}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (plan.name !== "") send();
        }}
      >
        {base === null ? (
          <Field label="Name" error={plan.name === "" ? "Name the plan to publish it." : null}>
            <TextInput
              data-autofocus
              value={plan.name}
              maxLength={120}
              onChange={({ target }) =>
                store.change(setting(store.get().plan, null, "/name", target.value, "name", true))
              }
            />
          </Field>
        ) : null}
        <Field label="What changed" aside="optional">
          <TextInput
            data-autofocus={base !== null || undefined}
            value={message}
            maxLength={500}
            onChange={({ target }) => setMessage(target.value)}
          />
        </Field>
      </form>
      {head !== null && from !== null ? (
        <Merge
          mine={plan}
          base={wholeOf(from)}
          theirs={head}
          onMerged={(merged) => {
            const ops = opsBetween(store.get().plan, merged);
            if (ops.length > 0) store.change({ label: `Merged with version ${head.version}`, ops });
            setFrom(head);
            publish.reset();
          }}
        />
      ) : publish.error ? (
        <p role="alert" className="mt-3 rounded-2 bg-wash-fail px-2.5 py-2">
          <b className="font-semibold text-st-failed">Not published.</b> {lacking ?? publish.error.message}
          {lacking === null
            ? ""
            : " You can publish it and add what is missing later; until then it cannot be launched."}
        </p>
      ) : null}
    </Dialog>
  );
}

type MergeProps = {
  mine: Plan;
  base: Plan;
  theirs: Pick<PlanVersion, "version" | "body" | "layout">;
  onMerged: (plan: Plan) => void;
};

function Merge({ mine, base, theirs, onMerged }: MergeProps) {
  const [picked, setPicked] = useState<Readonly<Record<string, "mine" | "theirs">>>({});
  const merged = mergePlans(base, mine, wholeOf(theirs), (conflict) => picked[keyOf(conflict)] ?? "mine");
  if ("fault" in merged)
    return (
      <p role="alert" className="mt-3 rounded-2 bg-wash-fail px-2.5 py-2">
        <b className="font-semibold text-st-failed">The two do not fit together.</b> {merged.fault.message}
      </p>
    );
  return (
    <section aria-label="Merge" className="mt-3 rounded-2 bg-well px-3 py-2.5">
      <p>
        <b>Version {theirs.version} was published meanwhile.</b> What only one side changed is taken.{" "}
        {merged.conflicts.length === 0 ? "Nothing was changed by both." : "What both changed is yours to decide:"}
      </p>
      <ul>
        {merged.conflicts.map(keyOf).map((key) => (
          <li key={key} className="flex items-center gap-2 py-1">
            <span className="mono min-w-0 flex-1 truncate">{key}</span>
            <Select
              label={`Whose ${key}`}
              className="w-28"
              value={picked[key] ?? "mine"}
              options={sides}
              onChange={(side) => setPicked((before) => ({ ...before, [key]: side }))}
            />
          </li>
        ))}
      </ul>
      <Button size="sm" className="mt-1.5" onClick={() => onMerged(merged.plan)}>
        Take it into the drawing
      </Button>
    </section>
  );
}

/** "flow instruction" */
const keyOf = ({ node, field }: { node: string; field: string }): string => `${node} ${field}`.trim();

const sides = [
  { value: "mine", label: "mine" },
  { value: "theirs", label: "theirs" },
] as const;

const wholeOf = ({ body, layout }: Pick<PlanVersion, "body" | "layout">): Plan => PlanShape.parse({ ...body, layout });

type Failed = { message: string; data?: { detail?: Record<string, unknown> | undefined } | null } | null;

/** The newer version, where the plan has moved on. */
function headOf(error: Failed): PlanVersion | null {
  const head = error?.data?.detail?.head;
  return isRecord(head) && "body" in head ? (head as unknown as PlanVersion) : null;
}

/** The first thing that the project lacks, where the plan may be published all the same. */
function lackingOf(error: Failed): string | null {
  const detail = error?.data?.detail;
  if (detail?.can_accept !== true || !Array.isArray(detail.problems)) return null;
  const first: unknown = detail.problems.find((one: unknown) => isRecord(one) && one.severity === "error");
  return isRecord(first) ? String(first.message) : "";
}
