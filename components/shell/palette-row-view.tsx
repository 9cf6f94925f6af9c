// One row of the palette, with the letters that were hit underlined in the colour of the lamp.
import { Command } from "cmdk";
import { Kbd } from "@/components/ui/kbd";
import { Plate } from "@/components/ui/plate";
import { markRanges, type Range } from "./match-letters";
import type { PaletteRow } from "./palette-rows";

export function PaletteRowView({ value, row, onChoose }: { value: string; row: PaletteRow; onChoose: () => void }) {
  const { item } = row;
  return (
    <Command.Item value={value} onSelect={onChoose} className="palette-row">
      <span className="grid w-[18px] flex-none place-items-center text-ink-2">{item.icon}</span>
      <span className="flex min-w-0 flex-none items-center gap-[7px]" style={{ maxWidth: "70%" }}>
        <span dir="auto" className={item.isMono ? "mono truncate text-[12px]" : "truncate"}>
          <Marked text={item.label} ranges={row.labelHits} />
        </span>
        {item.plate === undefined ? null : <Plate code={item.plate} tone="bare" />}
      </span>
      <span dir="auto" className="min-w-0 flex-1 truncate text-[12px] text-ink-3">
        {item.detail === undefined ? null : <Marked text={item.detail} ranges={row.detailHits} />}
      </span>
      {item.trailing === undefined ? null : <span className="flex-none text-ink-3">{item.trailing}</span>}
      {item.keys === undefined ? null : <Kbd keys={item.keys} />}
    </Command.Item>
  );
}

function Marked({ text, ranges }: { text: string; ranges: readonly Range[] }) {
  return markRanges(text, ranges).map((part) =>
    part.isHit ? (
      <mark key={part.from} className="hit">
        {part.text}
      </mark>
    ) : (
      <span key={part.from}>{part.text}</span>
    ),
  );
}
