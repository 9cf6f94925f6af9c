"use client";

// Which wires are drawn: above sixty only those of the selection, until a person asks for more or fewer.
import { Icon } from "@/components/ui/icon";
import { Menu, MenuChoice } from "@/components/ui/menu";
import { useComposer, usePlan, type Wiring } from "../composer-context";
import { cratesOf } from "../drawing/loads";
import { usePick } from "../small-store";
import { wiresShown } from "./wires-shown";

const choices = [
  { value: "auto", label: "All up to 60, then the selection's" },
  { value: "all", label: "All" },
  { value: "selection", label: "Of the selection" },
  { value: "none", label: "None" },
] as const satisfies readonly { value: Wiring; label: string }[];

const words: Record<Exclude<Wiring, "auto">, string> = {
  all: "Wires, all",
  selection: "Wires, of the selection",
  none: "Wires, none",
};

export function WiresSwitch() {
  const { wiring } = useComposer();
  const value = usePick(wiring, whole);
  const crates = cratesOf(usePlan());
  if (crates.length === 0) return null;
  return (
    <span className="wires-switch">
      <Menu
        align="end"
        trigger={
          <button type="button" className="btn" data-size="sm">
            <Icon name="link" size={14} />
            {words[wiresShown(value, crates)]}
            <Icon name="down" size={12} />
          </button>
        }
      >
        <MenuChoice<Wiring> value={value} onChange={(next) => wiring.set(next)} choices={choices} />
      </Menu>
    </span>
  );
}

const whole = <T,>(value: T): T => value;
