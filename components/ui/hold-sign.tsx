// The signal in front of a node that a person must let start: in the yard and in its legend.

export function HoldSign() {
  return (
    <svg aria-hidden="true" className="hold-sign" width="18" height="28" viewBox="0 0 18 28" fill="none">
      <path d="M4 28V4" />
      <path className="hold-arm" d="M4 3h13v6H4z" />
    </svg>
  );
}
