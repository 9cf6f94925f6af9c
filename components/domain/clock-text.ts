// How long something still has: one clock on the board, in the yard and on a phone.
import { two } from "@/components/ui/format";

/** 11:47, 1:02:03: a clock that runs down. */
export function clockText(ms: number): string {
  const whole = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours === 0 ? `${two(minutes)}:${two(seconds)}` : `${hours}:${two(minutes)}:${two(seconds)}`;
}
