// A sayable name (headcode 2S04, batch B1, box 4E7A), small and monospaced: it stands behind the name of what it is, for those who
// say it aloud or look for it.

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
