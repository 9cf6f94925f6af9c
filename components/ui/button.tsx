// The one button. Lamp-coloured at most once per view: that is the launch.
import type { ButtonHTMLAttributes, Ref } from "react";
import { cn } from "./cn";
import { Icon, type IconName } from "./icon";
import { Kbd } from "./kbd";

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  variant?: "plain" | "primary" | "ghost" | "danger";
  size?: "md" | "sm" | "form";
  icon?: IconName;
  /** Shown on the button; registering it is the caller's (see shortcuts.tsx). */
  keys?: string;
  ref?: Ref<HTMLButtonElement>;
};

export function Button({
  variant = "plain",
  size = "md",
  icon,
  keys,
  className,
  children,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button {...rest} type={type} className={cn("btn", className)} data-variant={variant} data-size={size}>
      {icon ? <Icon name={icon} size={size === "sm" ? 14 : 15} /> : null}
      {children}
      {keys ? <Kbd keys={keys} className="ml-0.5" /> : null}
    </button>
  );
}
