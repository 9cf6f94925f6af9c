// One typed set of icons, drawn with one pen.
import { iconPaths } from "./icon-paths";

export type IconName = keyof typeof iconPaths;

export type IconProps = {
  name: IconName;
  size?: number;
  className?: string;
  /** Absent when the control around it already has a name. */
  label?: string;
};

export function Icon({ name, size = 16, className, label }: IconProps) {
  return (
    <svg
      className={className}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      role={label === undefined ? undefined : "img"}
      aria-label={label}
      aria-hidden={label === undefined ? true : undefined}
    >
      {iconPaths[name]}
    </svg>
  );
}
