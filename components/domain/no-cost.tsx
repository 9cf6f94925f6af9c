// A cost that is not known, with the reason for whoever asks why there is a dash.

export function NoCost({ why }: { why: string }) {
  return (
    <span title={why} className="font-[450] text-ink-3">
      <span aria-hidden>-</span>
      <span className="sr-only">No cost: {why}</span>
    </span>
  );
}
