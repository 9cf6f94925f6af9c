// An unknown cost: a dash with the reason as its title.

export function NoCost({ why }: { why: string }) {
  return (
    <span title={why} className="font-[450] text-ink-3">
      <span aria-hidden>-</span>
      <span className="sr-only">No cost: {why}</span>
    </span>
  );
}
