// One condition of a query, or one word of a list: not a status, and never coloured.
import type { ReactNode } from "react";
import { Icon } from "./icon";

export type ChipProps = {
  /** The field: "depth". */
  name?: string;
  children: ReactNode;
  onRemove?: () => void;
  /** For the remove button: "Remove depth". */
  removeLabel?: string;
  isMono?: boolean;
};

export function Chip({
  name,
  children,
  onRemove,
  removeLabel = `Remove ${name ?? "condition"}`,
  isMono = false,
}: ChipProps) {
  return (
    <span className={`chip ${isMono ? "mono" : ""}`}>
      {name === undefined ? null : <span className="text-ink-3">{name}:</span>}
      <span>{children}</span>
      {onRemove === undefined ? null : (
        <button type="button" aria-label={removeLabel} title={removeLabel} onClick={onRemove}>
          <Icon name="x" size={12} />
        </button>
      )}
    </span>
  );
}

/** A filter that is on or off. */
export function ToggleChip({
  isOn,
  onChange,
  children,
}: {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  children: ReactNode;
}) {
  return (
    <button type="button" className="toggle-chip" aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {children}
    </button>
  );
}
