// One typed set of icons, drawn with one pen.
import { iconPaths } from "./icon-paths";
import { Sign } from "./sign";

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
    <Sign size={size} className={className} label={label ?? null}>
      {iconPaths[name]}
    </Sign>
  );
}
