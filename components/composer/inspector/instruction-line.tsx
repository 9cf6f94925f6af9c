"use client";

// The end of every load: the instruction. It stands in the list because the model reads it there, and it is locked because a hand-over
// puts nothing behind it.
import { formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { RoleBar } from "@/components/ui/role-tag";

export type InstructionLineProps = {
  /** Among all that the model reads, from 1. */
  rank: number;
  /** Null = not known yet. */
  tokens: number | null;
  onOpen: () => void;
};

export function InstructionLine({ rank, tokens, onOpen }: InstructionLineProps) {
  return (
    <p className="load-last" title="The model always reads the instruction last. It cannot be moved.">
      <Icon name="lock" size={13} className="flex-none text-ink-3" />
      <span className="w-4 flex-none text-right text-ink-3">{rank}</span>
      <RoleBar cardRole="user" className={tokens === null ? "h-4 opacity-40" : "h-4"} />
      <button type="button" className="min-w-0 flex-1 truncate text-left hover:underline" onClick={onOpen}>
        Instruction<span className="sr-only">, always last</span>
      </button>
      {tokens === null ? null : <span className="flex-none text-right">{formatNumber(tokens)}</span>}
    </p>
  );
}
