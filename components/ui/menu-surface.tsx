"use client";

// What a menu is once it is asked for: the library that places it and walks it by keys, and the rows in it.
import { DropdownMenu as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "./cn";
import { Icon, type IconName } from "./icon";
import { Kbd } from "./kbd";
import {
  type MenuCheckProps,
  type MenuChoiceProps,
  type MenuItemProps,
  type MenuProps,
  RowsContext,
} from "./menu-props";

/** Drawn when it is asked for, so it begins open. */
export function MenuSurface({ trigger, align = "start", side = "bottom", className, children }: MenuProps) {
  return (
    <Radix.Root modal={false} defaultOpen>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={5}
          collisionPadding={8}
          className={cn(
            "menu z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 overflow-y-auto",
            className,
          )}
        >
          <RowsContext value={rows}>{children}</RowsContext>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function MenuItem({ icon, keys, detail, isDanger = false, isDisabled = false, onSelect, children }: MenuItemProps) {
  return (
    <Radix.Item className={cn("menu-item", isDanger && "text-st-failed")} disabled={isDisabled} onSelect={onSelect}>
      <Row icon={icon} keys={keys} detail={detail}>
        {children}
      </Row>
    </Radix.Item>
  );
}

/** `children` is one link element (ui/link): the keyboard and a middle click both follow it. */
function MenuLink({ children }: { children: ReactNode }) {
  return (
    <Radix.Item asChild className="menu-item">
      {children}
    </Radix.Item>
  );
}

/** One of several, with a check at the chosen one. */
function MenuChoice<Value extends string>({ value, onChange, choices }: MenuChoiceProps<Value>) {
  return (
    <Radix.RadioGroup
      value={value}
      onValueChange={(next) => {
        const choice = choices.find((candidate) => candidate.value === next);
        if (choice !== undefined) onChange(choice.value);
      }}
    >
      {choices.map((choice) => (
        <Radix.RadioItem key={choice.value} value={choice.value} className="menu-item">
          <Row icon={choice.icon} detail={choice.detail}>
            {choice.label}
          </Row>
          <Radix.ItemIndicator>
            <Icon name="check" size={14} />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

/** On or off; the menu stays open, because several are often changed together. */
function MenuCheck({ isChecked, onChange, icon, detail, children }: MenuCheckProps) {
  return (
    <Radix.CheckboxItem
      className="menu-item"
      checked={isChecked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
    >
      <Row icon={icon} detail={detail}>
        {children}
      </Row>
      <span className="grid w-3.5 place-items-center">
        <Radix.ItemIndicator>
          <Icon name="check" size={14} />
        </Radix.ItemIndicator>
      </span>
    </Radix.CheckboxItem>
  );
}

function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 pt-1.5 pb-1 text-ink-3 text-note">{children}</Radix.Label>;
}

function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}

const rows = { MenuItem, MenuLink, MenuChoice, MenuCheck, MenuLabel, MenuSeparator };

function Row({
  icon,
  keys,
  detail,
  children,
}: {
  icon?: IconName | ReactNode;
  keys?: string;
  detail?: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      {icon === undefined ? null : (
        <span className="grid w-4 flex-none place-items-center text-ink-2">
          {isIconName(icon) ? <Icon name={icon} size={15} /> : icon}
        </span>
      )}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {detail === undefined ? null : <span className="flex-none text-ink-3">{detail}</span>}
      {keys === undefined ? null : <Kbd keys={keys} />}
    </>
  );
}

function isIconName(icon: ReactNode): icon is IconName {
  return typeof icon === "string";
}
