// A person. Only people are round.

export function HumanMark({ name, size = 18, className = "" }: { name: string; size?: number; className?: string }) {
  return (
    <span
      className={`human-mark ${className}`}
      style={{ width: size, height: size, fontSize: size * 0.4 }}
      role="img"
      aria-label={name}
    >
      {initials(name)}
    </span>
  );
}

/** "mara ober" and "mara_ober" give MO, "mara" gives MA. */
export function initials(name: string): string {
  const words = name.split(/[\s._-]+/u).filter((word) => word !== "");
  const [first = "", second] = words;
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0] ?? "", [...second][0] ?? ""];
  return letters.join("").toUpperCase() || "?";
}
