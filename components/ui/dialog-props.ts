// What a dialog is told, open or not.
import type { ReactNode } from "react";

export type DialogProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: string;
  /** One sentence of what it is for, or of what confirming it will do. */
  description?: ReactNode;
  /** Pixels; the window's edge wins. */
  width?: number;
  footer?: ReactNode;
  /** Draws nothing but the surface: the caller brings head and body (the title stays for the accessibility tree). */
  isBare?: boolean;
  /** Only to be read: the text itself can be focused, and the arrow keys scroll it. */
  isReading?: boolean;
  className?: string;
  children?: ReactNode;
};
