// The short name of a box with its glyph: a wagon whose first part is loaded.

export function BoxId({ code, className = "", title }: { code: string; className?: string; title?: string }) {
  return (
    <span
      className={`mono inline-flex flex-none items-center gap-1.5 whitespace-nowrap text-ink-2 ${className}`}
      title={title}
    >
      <svg width="11" height="6" viewBox="0 0 11 6" aria-hidden="true">
        <rect x="0.6" y="0.6" width="9.8" height="4.8" rx="0.6" fill="none" stroke="currentColor" strokeWidth="1.25" />
        <rect width="3.5" height="6" fill="currentColor" />
      </svg>
      {code}
    </span>
  );
}
