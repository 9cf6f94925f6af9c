"use client";

// Which version the drawing is compared with.
import { Button } from "@/components/ui/button";
import { Menu, MenuChoice } from "@/components/ui/menu";

export type VersionChoiceProps = {
  head: number;
  /** The one that is shown itself: it is not compared with itself. */
  shown: number | null;
  value: number | null;
  onChange: (version: number | null) => void;
};

/** So many of the newest. */
const VERSIONS_MAX = 50;

export function VersionChoice({ head, shown, value, onChange }: VersionChoiceProps) {
  const versions = Array.from({ length: Math.min(head, VERSIONS_MAX) }, (_, i) => head - i).filter((n) => n !== shown);
  if (versions.length === 0) return null;
  return (
    <Menu align="end" trigger={<Button>{value === null ? "Compare" : `Beside v${value}`}</Button>}>
      <MenuChoice
        value={value === null ? "none" : String(value)}
        onChange={(next) => onChange(next === "none" ? null : Number(next))}
        choices={[
          { value: "none", label: "Nothing" },
          ...versions.map((n) => ({ value: String(n), label: n === head ? `v${n}, the newest` : `v${n}` })),
        ]}
      />
    </Menu>
  );
}
