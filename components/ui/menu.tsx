"use client";

// A menu that drops from a button: actions, choices and links. The button is drawn at once; what opens from it is fetched
// when it is pointed at or focused, or while the page rests.
import { cloneElement, type ReactNode, useContext, useState } from "react";
import { lazyPart } from "./lazy-part";
import {
  type MenuCheckProps,
  type MenuChoiceProps,
  type MenuItemProps,
  type MenuProps,
  type Rows,
  RowsContext,
  type Trigger,
} from "./menu-props";

export const loadMenu = () => import("./menu-surface").then((module) => module.MenuSurface);
const MenuSurface = lazyPart<MenuProps>(loadMenu, { waiting: ({ trigger }) => closed(trigger) });

const fetchIt = () => void loadMenu().catch(() => undefined);
const closed = (trigger: MenuProps["trigger"], more: Trigger = {}) =>
  cloneElement(trigger, { "aria-haspopup": "menu", "aria-expanded": false, ...more });

export function Menu(props: MenuProps) {
  const [isAsked, setIsAsked] = useState(props.isOpenAtOnce === true);
  if (isAsked) return <MenuSurface {...props} />;
  const ask = () => setIsAsked(true);
  return closed(props.trigger, {
    onPointerEnter: fetchIt,
    onFocus: fetchIt,
    onClick: ask,
    onKeyDown: (event) => {
      if (event.key === "ArrowDown") ask();
    },
  });
}

function useRows(): Rows {
  const rows = useContext(RowsContext);
  if (rows === null) throw new Error("A menu's rows stand in a <Menu>.");
  return rows;
}

export function MenuItem(props: MenuItemProps) {
  return useRows().MenuItem(props);
}

/** `children` is one link element (ui/link): the keyboard and a middle click both follow it. */
export function MenuLink(props: { children: ReactNode }) {
  return useRows().MenuLink(props);
}

/** One of several, with a check at the chosen one. */
export function MenuChoice<Value extends string>(props: MenuChoiceProps<Value>) {
  return useRows().MenuChoice(props);
}

/** On or off; the menu stays open, because several are often changed together. */
export function MenuCheck(props: MenuCheckProps) {
  return useRows().MenuCheck(props);
}

export function MenuLabel(props: { children: ReactNode }) {
  return useRows().MenuLabel(props);
}

export function MenuSeparator() {
  return useRows().MenuSeparator();
}
