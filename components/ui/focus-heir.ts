// Who has the focus after a control that is gone: the first one in the place where it stood. On the page's body it would be lost, and a
// keyboard user would start at the top again.

const focusable = 'a[href], button:not([disabled]), input:not([disabled]), textarea:not([disabled]), [tabindex="0"]';

/** A ref for a control that may go while it is in use: a Stop after the stop, a Retry that was taken up. */
export function withHeir(node: HTMLElement | null): (() => void) | undefined {
  if (node === null) return undefined;
  const place = placeOf(node);
  return () => {
    if (document.activeElement === node) focusIn(place, node);
  };
}

/** What holds the node, from the inside out, to be remembered while it is there. */
export function placeOf(node: Element | null): HTMLElement[] {
  const parent = node?.parentElement;
  return parent && parent !== document.body ? [parent, ...placeOf(parent)] : [];
}

/** The first control of the innermost place that is still there and has one. */
export function focusIn(place: readonly HTMLElement[], gone: Element | null): void {
  for (const holder of place) {
    if (!holder.isConnected) continue;
    const heir = [...holder.querySelectorAll<HTMLElement>(focusable)].find(
      (node) => !gone?.contains(node) && node.getClientRects().length > 0,
    );
    if (heir === undefined) continue;
    heir.focus();
    return;
  }
}
