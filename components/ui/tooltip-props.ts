// What a tooltip says, and of which control.
import type { FocusEvent, PointerEvent, ReactElement, ReactNode } from "react";

export type TooltipProps = {
  label: ReactNode;
  keys?: string;
  side?: "top" | "right" | "bottom" | "left";
  align?: "start" | "center";
  /** From where it would stand, along the control: what it must not cover. */
  alignOffset?: number;
  /** For a text that may not fit: the tooltip has the whole of it, and does not come where nothing was cut. */
  onlyIfCut?: boolean;
  children: ReactElement<Control>;
};

type Control = {
  "aria-describedby"?: string;
  onPointerEnter?: (event: PointerEvent) => void;
  onPointerLeave?: (event: PointerEvent) => void;
  onPointerDown?: (event: PointerEvent) => void;
  onFocus?: (event: FocusEvent) => void;
  onBlur?: (event: FocusEvent) => void;
};

export type TooltipSurfaceProps = Pick<TooltipProps, "label" | "keys" | "side" | "align" | "alignOffset"> & {
  id: string;
  control: Element;
  onClose: () => void;
};
