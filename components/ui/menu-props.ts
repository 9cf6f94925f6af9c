"use client";

// What a menu and its rows are told, and how the rows come to be drawn by the library that the menu fetches.
import { createContext, type KeyboardEvent, type PointerEvent, type ReactElement, type ReactNode } from "react";
import type { IconName } from "./icon";

export type MenuProps = {
  /** The button; it gets the menu's attributes, so it must be a single element that takes a ref. */
  trigger: ReactElement<Trigger>;
  align?: "start" | "end";
  side?: "bottom" | "right" | "top";
  className?: string;
  /** It was asked for before there was a button: a right click. */
  isOpenAtOnce?: boolean;
  children: ReactNode;
};

export type MenuItemProps = {
  icon?: IconName | ReactNode;
  keys?: string;
  /** Grey text at the right: a count, a code. */
  detail?: ReactNode;
  isDanger?: boolean;
  isDisabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
};

export type MenuChoiceProps<Value extends string> = {
  value: Value;
  onChange: (value: Value) => void;
  choices: readonly { value: Value; label: string; icon?: IconName; detail?: ReactNode }[];
};

export type MenuCheckProps = {
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  icon?: ReactNode;
  detail?: ReactNode;
  children: ReactNode;
};

export type Trigger = {
  "aria-haspopup"?: "menu";
  "aria-expanded"?: boolean;
  onPointerEnter?: (event: PointerEvent) => void;
  onFocus?: () => void;
  onClick?: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
};

/** The rows as the library draws them; outside of an open menu there are none. */
export type Rows = {
  MenuItem: (props: MenuItemProps) => ReactNode;
  MenuLink: (props: { children: ReactNode }) => ReactNode;
  MenuChoice: <Value extends string>(props: MenuChoiceProps<Value>) => ReactNode;
  MenuCheck: (props: MenuCheckProps) => ReactNode;
  MenuLabel: (props: { children: ReactNode }) => ReactNode;
  MenuSeparator: () => ReactNode;
};

export const RowsContext = createContext<Rows | null>(null);
