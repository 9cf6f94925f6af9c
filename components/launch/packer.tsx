"use client";

// Packing by hand: sources, what goes into the box and by which recipe, and the receipt as the kernel would write it.
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useId, useMemo, useState } from "react";
import { RecipeField } from "@/components/domain/recipe-field";
import { pace } from "@/components/domain/use-read-again";
import { useTRPCClient } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Segmented, type SegmentedProps } from "@/components/ui/segmented";
import { useShortcut } from "@/components/ui/shortcuts";
import { utf8Bytes } from "./byte-size";
import { HandoverList } from "./handover-list";
import { InstructionField } from "./instruction-field";
import { emptyTask, type TaskForm } from "./launch-form";
import type { LaunchBlock } from "./launch-state";
import { PackPreview } from "./pack-preview";
import { packBlock, packCall, packMissing } from "./pack-state";
import { Refusal } from "./refusal";
import { SourcesPanel } from "./sources-panel";
import { TargetField } from "./target-field";
import { useDryRun } from "./use-dry-run";
import type { Packing } from "./use-packing";

type Pane = "form" | "sources" | "preview";

export function Packer({ projectId, packing }: { projectId: string; packing: Packing }) {
  const { reader, load, setReader, setLoad } = packing;
  const router = useRouter();
  const client = useTRPCClient();
  const key = useId();
  const [own, setOwn] = useState<Pick<TaskForm, "text" | "recipe" | "args">>({ text: "", recipe: "", args: {} });
  const [pane, setPane] = useState<Pane>("form");
  const [isTargetOpen, setIsTargetOpen] = useState(false);
  const task = useMemo<TaskForm>(
    () => ({
      ...emptyTask(key),
      ...own,
      load,
      target: reader === null ? null : { target_strategy: "new", target_ref: reader },
    }),
    [key, own, load, reader],
  );
  const call = useMemo(() => (packMissing(task) === null ? packCall(task) : null), [task]);
  const check = useDryRun("pack", projectId, call, pace.seldom, (args, signal) =>
    client.pack.preview.mutate({ project_id: projectId, ...args }, { signal }),
  );
  const make = useMutation({
    mutationFn: (args: NonNullable<typeof call>) => client.pack.make.mutate({ project_id: projectId, ...args }),
    retry: false,
    onSuccess: ({ box_id }) => router.push(`/p/${encodeURIComponent(projectId)}/boxes/${box_id}`),
  });
  const checked = packBlock(task, check);
  const block: LaunchBlock | null =
    checked === null && make.error !== null
      ? { place: "all", tone: "failed", reason: `Not packed: ${make.error.message}` }
      : checked;
  const failed = block?.tone === "failed" ? block : null;
  const errorAt = (place: LaunchBlock["place"]) => (failed?.place === place ? failed.reason : null);
  const answer = check.answer?.ok ? check.answer : null;

  function change(part: Partial<typeof own>) {
    setOwn({ ...own, ...part });
    make.reset();
  }
  function send() {
    if (checked === null && call !== null && !make.isPending && !make.isSuccess) make.mutate(call);
  }
  useShortcut("mod+enter", "Make the box", send, { group: "Pack", isWhileTyping: true });

  return (
    <>
      <div className="launch-panes">
        <Segmented<Pane> label="Part of the packing" value={pane} onChange={setPane} choices={panes(load.length)} />
      </div>
      <div className="launch-body" data-pane={pane}>
        <SourcesPanel projectId={projectId} load={load} onLoad={setLoad} />
        <div className="launch-form">
          <div className="launch-fields">
            <TargetField
              projectId={projectId}
              target={task.target}
              onChange={(target) => setReader(target?.target_ref ?? null)}
              isOpen={isTargetOpen}
              onOpenChange={setIsTargetOpen}
              isNewOnly
              note="The dry run weighs the box for a new agent of this profile."
              error={errorAt("target")}
            />
            <HandoverList
              projectId={projectId}
              label="In the box"
              load={load}
              onLoad={setLoad}
              refused={failed?.place === "load" ? failed : null}
              note="in this order"
              empty="Nothing yet. Choose boxes or cards from the sources, or drop them here."
            />
            <RecipeField
              projectId={projectId}
              recipe={own.recipe}
              args={own.args}
              onChange={change}
              none="The built-in one"
              error={errorAt("recipe")}
              argError={failed?.place === "arguments" ? failed : null}
            />
            <InstructionField
              label="Instruction card, optional"
              value={own.text}
              bytes={utf8Bytes(own.text)}
              onChange={(text) => change({ text })}
              error={errorAt("instruction")}
              isKept
            />
            {failed === null ? null : (
              <Refusal
                block={failed}
                onRetry={() => (checked === null ? send() : check.retry())}
                onChangeTarget={() => setIsTargetOpen(true)}
                onRemove={() => setLoad(load.filter((_, index) => index !== failed.index))}
                onShow={null}
              />
            )}
          </div>
        </div>
        <PackPreview
          projectId={projectId}
          answer={answer}
          isStale={check.isStale}
          isWaiting={block?.tone === "waiting"}
          reason={failed === null ? (block?.reason ?? "") : "Fix the errors above to see the preview."}
        />
      </div>
      <footer className="launch-foot">
        <p className="min-w-0 flex-1">
          {answer === null ? null : (
            <span>
              {formatCount(answer.pack.receipt.included_cards, "card")},{" "}
              {formatNumber(answer.pack.receipt.included_tokens)} tokens.{" "}
            </span>
          )}
          <span id="pack-block" className={failed === null ? "text-ink-2" : "text-st-failed"}>
            {make.isPending ? "Packing." : (block?.reason ?? "")}
          </span>
        </p>
        <Button
          variant="primary"
          icon="packs"
          keys="mod+enter"
          aria-describedby="pack-block"
          aria-disabled={checked !== null || make.isPending || make.isSuccess || undefined}
          onClick={send}
        >
          Make the box
        </Button>
      </footer>
    </>
  );
}

const panes = (loads: number): SegmentedProps<Pane>["choices"] => [
  { value: "form", label: "Choose" },
  { value: "sources", label: loads === 0 ? "Sources" : `Sources, ${loads} in` },
  { value: "preview", label: "Receipt" },
];
