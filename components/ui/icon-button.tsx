"use client";

// A control that is only an icon: it always has a name, shown when it is pointed at or focused.
import type { ButtonHTMLAttributes, Ref } from "react";
import { cn } from "./cn";
import { Icon, type IconName } from "./icon";
import { Tooltip } from "./tooltip";

export type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children"> & {
  icon: IconName;
  label: string;
  size?: "sm" | "md" | "touch";
  iconSize?: number;
  keys?: string;
  ref?: Ref<HTMLButtonElement>;
};

export function IconButton({
  icon,
  label,
  size = "md",
  iconSize = 16,
  keys,
  className,
  type = "button",
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip label={label} keys={keys}>
      <button {...rest} type={type} aria-label={label} className={cn("icon-btn", className)} data-size={size}>
        <Icon name={icon} size={iconSize} />
      </button>
    </Tooltip>
  );
}
