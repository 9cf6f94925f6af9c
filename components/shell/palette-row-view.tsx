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
      <span className="palette-words">
        <span className="palette-label">
          <span dir="auto" className={item.isMono ? "mono truncate text-[12px]" : "truncate"}>
            <Marked text={item.label} ranges={row.labelHits} />
          </span>
          {item.plate === undefined ? null : <Plate code={item.plate} tone="bare" />}
        </span>
        {item.detail === undefined ? null : (
          <span dir="auto" className="palette-detail">
            <Marked text={item.detail} ranges={row.detailHits} />
          </span>
        )}
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
