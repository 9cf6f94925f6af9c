// A sayable name (headcode 2S04, batch B1, box 4E7A), set narrow and bold so that it is found and read aloud.

export type PlateProps = {
  code: string;
  /** `ink` marks the selected one; `bare` is for rows that are dense with plates. */
  tone?: "raised" | "ink" | "bare";
  size?: "md" | "lg";
  className?: string;
  title?: string;
};

export function Plate({ code, tone = "raised", size = "md", className = "", title }: PlateProps) {
  return (
    <span className={`plate ${className}`} data-tone={tone} data-size={size} title={title}>
      {code}
    </span>
  );
}
