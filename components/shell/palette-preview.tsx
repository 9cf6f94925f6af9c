// What the current row is, before one goes there.
import { Button } from "@/components/ui/button";
import type { CommandItem } from "@/components/ui/commands";
import { Plate } from "@/components/ui/plate";

export function PalettePreview({ item, onChoose }: { item?: CommandItem; onChoose: (item: CommandItem) => void }) {
  return (
    <aside aria-label="Preview" className="palette-preview">
      {item === undefined ? null : (
        <>
          <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-hidden">
            <Preview item={item} />
          </div>
          <Button keys="enter" tabIndex={-1} className="justify-center" onClick={() => onChoose(item)}>
            {item.actionLabel ?? (item.href === undefined ? "Run" : "Open")}
          </Button>
        </>
      )}
    </aside>
  );
}

function Preview({ item }: { item: CommandItem }) {
  if (item.preview !== undefined) return typeof item.preview === "function" ? item.preview() : item.preview;
  return (
    <>
      <div className="flex items-center gap-2">
        <span className="text-ink-2">{item.icon}</span>
        <b className={item.isMono ? "mono min-w-0 break-words text-[12px]" : "min-w-0 break-words text-row"}>
          {item.label}
        </b>
        {item.plate === undefined ? null : <Plate code={item.plate} />}
      </div>
      {item.detail === undefined ? null : <p className="text-ink-2">{item.detail}</p>}
    </>
  );
}
