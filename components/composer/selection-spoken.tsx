"use client";

// Says what is selected by keys. The wagon itself may be out of view, and the focus stays on the ground.
import { useChosen, useComposer } from "./composer-context";
import { named } from "./draft/edits";
import { linkOf } from "./drawing/links";
import { spokenPlace } from "./drawing/spoken";

export function SelectionSpoken() {
  const { store, checks, live } = useComposer();
  const chosen = useChosen();
  return (
    <p className="sr-only" role="status" aria-live="polite">
      {chosen === null ? "" : words(chosen)}
    </p>
  );

  /** As it is when it is chosen: what changes in it later is said by what changed it. */
  function words(id: string): string {
    const { plan } = store.get();
    const link = linkOf(id);
    if (link?.kind === "track") return `Track from ${named(plan, link.from)} to ${named(plan, link.to)}`;
    if (link) return "to" in link ? `What ${named(plan, link.to)} loads` : "A box, a card or an input";
    if (id.startsWith("note:")) return "Note";
    const place = id.replace(/^gate:/, "");
    const { places, problemsAt } = checks.get();
    const said = spokenPlace(plan, place, { check: places.get(place), problems: problemsAt.get(place) ?? [] });
    const now = live.get()?.get(place);
    return [id.startsWith("gate:") ? "Gate of" : "", said, now ? `, ${now.words}` : ""].join(" ").trim();
  }
}
