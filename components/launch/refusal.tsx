"use client";

// What the kernel or the server refused, where one looks before pressing the button, with what can be done about it.
import { Remedy } from "@/components/domain/remedy";
import { Aspect } from "@/components/ui/aspect";
import { Button } from "@/components/ui/button";
import type { LaunchBlock } from "./launch-state";

export type RefusalProps = {
  block: LaunchBlock;
  onRetry: () => void;
  onChangeTarget: () => void;
  onRemove: () => void;
  /** The refused task is another one than the one in the fields. */
  onShow: (() => void) | null;
};

export function Refusal({ block, onRetry, onChangeTarget, onRemove, onShow }: RefusalProps) {
  return (
    <div role="alert" className="launch-refusal">
      <Aspect status="failed" size={15} label={null} className="mt-px" />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="break-words font-semibold">
          {block.reason}
        </p>
        <p className="text-ink-2">
          {block.error_code === undefined ? null : <span className="mono">{block.error_code}. </span>}
          Nothing was saved. Your text is kept. <Remedy code={block.error_code} />
        </p>
      </div>
      {onShow === null ? null : (
        <Button size="sm" onClick={onShow}>
          Show the task
        </Button>
      )}
      {onShow === null && block.place === "target" ? (
        <Button size="sm" onClick={onChangeTarget}>
          Change target
        </Button>
      ) : null}
      {onShow === null && block.place === "load" && block.index !== undefined ? (
        <Button size="sm" onClick={onRemove}>
          Remove it
        </Button>
      ) : null}
      {block.place === "all" ? (
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      ) : null}
    </div>
  );
}
