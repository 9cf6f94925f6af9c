// The state of a check, by shape first: readable without colour, and named for screen readers.
import { Icon, type IconName } from "@/components/ui/icon";
import type { Check } from "./health-checks";

const marks: Record<Check["tone"], { icon: IconName; ink: string; label: string }> = {
  good: { icon: "check", ink: "text-st-success", label: "works" },
  warn: { icon: "warn", ink: "text-st-partial", label: "needs a look" },
  bad: { icon: "offline", ink: "text-st-failed", label: "does not work" },
  quiet: { icon: "minus", ink: "text-ink-3", label: "not in use or not known" },
};

export function ToneMark({ tone, size = 14 }: { tone: Check["tone"]; size?: number }) {
  const { icon, ink, label } = marks[tone];
  return <Icon name={icon} size={size} label={label} className={`flex-none ${ink}`} />;
}
