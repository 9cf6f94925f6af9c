"use client";

// The stack to scale, and a ribbon from each row in view to its true weight. For the eye and the pointer only: the list
// beside it says the same to everybody.
import { memo } from "react";
import { type CardRole, cardRoles } from "@/components/ui/card-role";
import { toSegments } from "@/components/ui/consist-segments";
import { placeAt, ribbonPath, ticks } from "./stack";

export type RulerRow = { position: number; top: number; bottom: number };

export type RulerProps = {
  roles: string;
  tokens: readonly number[];
  sums: readonly number[];
  /** Pixels: the list's whole height, its head included. */
  height: number;
  /** Where the rows begin, below the list's head. */
  top: number;
  rows: readonly RulerRow[];
  selected: number | null;
  lit: number | null;
  onPick: (position: number) => void;
};

const stackX = 68;
const stackWidth = 22;

export function Ruler({ roles, tokens, sums, height, top, rows, selected, lit, onPick }: RulerProps) {
  const total = sums.at(-1) ?? 0;
  const start = top + 8;
  const length = Math.max(0, height - start - 26);
  const y = (weight: number) => start + (total === 0 ? 0 : (weight / total) * length);
  const roleOf = (position: number) => roleByLetter.get(roles.charAt(position)) ?? "user";
  const span = (position: number) => ({
    from: y(sums[position] ?? 0),
    to: y(sums[position + 1] ?? sums[position] ?? 0),
  });
  const here = selected === null || selected >= tokens.length ? null : span(selected);
  return (
    <div className="box-ruler" aria-hidden>
      <span className="absolute top-2 left-[68px] text-ink-3 text-note">Load</span>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the listbox beside it is the way for a keyboard. */}
      <svg
        width={128}
        height={height}
        viewBox={`0 0 128 ${height}`}
        onClick={(event) => {
          const at = event.clientY - event.currentTarget.getBoundingClientRect().top;
          if (total > 0 && event.nativeEvent.offsetX >= stackX - 8)
            onPick(placeAt(sums, ((at - start) / Math.max(1, length)) * total));
        }}
      >
        <title>Load</title>
        <defs>
          <pattern
            id="ruler-hatch"
            width="4.2"
            height="4.2"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <path d="M0 0V4.2" stroke="var(--hatch)" strokeWidth="2.2" />
          </pattern>
          <clipPath id="ruler-rows">
            <rect x="0" y={top} width="128" height={Math.max(0, height - top)} />
          </clipPath>
        </defs>
        <g clipPath="url(#ruler-rows)">
          {rows.map((row) => {
            const { from, to } = span(row.position);
            return (
              <path
                key={row.position}
                className="ruler-ribbon"
                data-role={roleOf(row.position)}
                data-lit={row.position === lit || undefined}
                data-selected={row.position === selected || undefined}
                d={ribbonPath({ top: row.top + 3, bottom: row.bottom - 3, stackTop: from, stackBottom: to, x: stackX })}
              />
            );
          })}
        </g>
        <Stack roles={roles} tokens={tokens} total={total} start={start} length={length} />
        {here === null ? null : (
          <rect
            className="ruler-here"
            x={stackX - 2}
            y={here.from - 1}
            width={stackWidth + 4}
            height={Math.max(3, here.to - here.from + 2)}
            rx="2"
          />
        )}
        {ticks(total, length).map((tick) => (
          <g key={tick.tokens}>
            <path d={`M${stackX + stackWidth + 3} ${y(tick.tokens)}h5`} stroke="var(--rail)" />
            <text className="ruler-label" x={stackX + stackWidth + 10} y={y(tick.tokens) + 3.5}>
              {tick.label}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

const roleByLetter = new Map<string, CardRole>(cardRoles.map((role) => [role.charAt(0).toUpperCase(), role]));

type StackProps = Pick<RulerProps, "roles" | "tokens"> & { total: number; start: number; length: number };

/** Cards too light to be told apart are drawn as one part; the sum is kept. */
const Stack = memo(function Stack({ roles, tokens, total, start, length }: StackProps) {
  const cards = tokens.map((weight, i) => ({ role: roleByLetter.get(roles.charAt(i)) ?? "user", tokens: weight }));
  let from = start;
  return toSegments(cards, total, Math.max(1, length / 2)).map((segment, index) => {
    const height = (segment.percent / 100) * length;
    const top = from;
    from += height;
    const box = { x: stackX, y: top + 0.5, width: stackWidth, height: Math.max(1.5, height - 1) };
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the stack.
      <g key={index}>
        <rect {...box} className="ruler-part" data-role={segment.role} />
        {segment.role === "tool" ? <rect {...box} fill="url(#ruler-hatch)" /> : null}
      </g>
    );
  });
});
