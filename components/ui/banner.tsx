// A line across a screen about the state of the whole: cause first, then what happens next.
import type { ReactNode } from "react";
import { cn } from "./cn";
import { Icon, type IconName } from "./icon";

export type BannerProps = {
  tone: "warn" | "fail" | "info" | "lamp";
  icon?: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** One line at any width: who uses it gives a phone fewer words. */
  isOneLine?: boolean;
  /** Said at once by a screen reader; for what breaks while one works. */
  isUrgent?: boolean;
};

export function Banner({
  tone,
  icon = icons[tone],
  title,
  children,
  action,
  isOneLine = false,
  isUrgent = false,
}: BannerProps) {
  return (
    <div
      role={isUrgent ? "alert" : "status"}
      className={cn(
        "flex min-h-[38px] flex-none items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1.5",
        isOneLine ? "whitespace-nowrap" : "flex-wrap",
        washes[tone],
      )}
    >
      <Icon name={icon} size={15} className={inks[tone]} />
      <span className="font-semibold">{title}</span>
      {children === undefined ? null : <span className="text-ink-2">{children}</span>}
      <span className="flex-1" />
      {action}
    </div>
  );
}

const icons: Record<BannerProps["tone"], IconName> = { warn: "warn", fail: "offline", info: "info", lamp: "flag" };
const washes: Record<BannerProps["tone"], string> = {
  warn: "bg-wash-warn",
  fail: "bg-wash-fail",
  info: "bg-raise",
  lamp: "bg-lamp-wash",
};
const inks: Record<BannerProps["tone"], string> = {
  warn: "text-st-partial",
  fail: "text-st-failed",
  info: "text-ink-2",
  lamp: "text-lamp-ink",
};
