// The mark of the product: a loop of track with one route set.

export function Logo({ size = 26 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      strokeWidth="2.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M5.5 12 9 17.5h6L18.5 12" className="stroke-rail" />
      <path d="M1.5 12h4L9 6.5h6l3.5 5.5h4" className="stroke-lamp" />
    </svg>
  );
}
