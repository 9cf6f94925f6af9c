// What trying a branch again does, beside what its parent will receive.
import { Icon } from "@/components/ui/icon";
import type { BatchSheet, Branch } from "@/server/contract/batch-sheet";
import { retryWords } from "./retry-words";

export function RetryNote({ sheet, branch, now }: { sheet: BatchSheet; branch: Branch; now: number }) {
  const { what, how } = retryWords(sheet, branch, now);
  return (
    <p className="mt-3.5 flex items-start gap-2 text-ink-2 leading-[1.5]">
      <Icon name="warn" size={15} className="mt-0.5 flex-none text-st-partial" />
      <span>
        <b className="text-ink">{what}</b> {how}
      </span>
    </p>
  );
}
