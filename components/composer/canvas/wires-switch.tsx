"use client";

// Which wires are drawn: above sixty only those of the selection, until a person asks for more or fewer.
import { Menu, MenuChoice } from "@/components/ui/menu";
import { useComposer, useDrawn, type Wiring } from "../composer-context";
import { cratesOf } from "../drawing/loads";
import { usePick } from "../small-store";

const choices = [
  { value: "auto", label: "All up to 60, then the selection's" },
  { value: "all", label: "All" },
  { value: "selection", label: "Of the selection" },
  { value: "none", label: "None" },
] as const satisfies readonly { value: Wiring; label: string }[];

const words: Record<Wiring, string> = {
  auto: "Wires",
  all: "All wires",
  selection: "Wires of the selection",
  none: "No wires",
};

export function WiresSwitch() {
  const { wiring } = useComposer();
  const value = usePick(wiring, whole);
  const hasWires = useDrawn(({ plan }) => cratesOf(plan).length > 0);
  if (!hasWires) return null;
  return (
    <span className="wires-switch">
      <Menu
        align="end"
        trigger={
          <button type="button" className="btn" data-size="sm">
            {words[value]}
          </button>
        }
      >
        <MenuChoice<Wiring> value={value} onChange={(next) => wiring.set(next)} choices={choices} />
      </Menu>
    </span>
  );
}

const whole = <T,>(value: T): T => value;
