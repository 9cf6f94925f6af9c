// What the page has to say, from wherever it is said to whatever draws it: that comes later than the page.
import type { AspectStatus } from "./sign-words";

export type Announcement = {
  title: string;
  detail?: string;
  /** The state it speaks of; without one the words stand alone. */
  status?: AspectStatus;
  action?: { label: string; run: () => void };
  /** The page that it speaks of. Alt+T brings the focus to it. */
  link?: { label: string; href: string };
};

/** What was said before there was somebody to draw it. */
const unheard: Announcement[] = [];
let draw: ((announcement: Announcement) => void) | null = null;
let onWaiting: (() => void) | null = null;

/** Says it at the lower left for five seconds, with a link for twenty; a failure stays until it is closed. */
export function announce(announcement: Announcement): void {
  if (draw === null) {
    unheard.push(announcement);
    onWaiting?.();
  } else draw(announcement);
}

/** `come` is called when something is said and nobody draws it yet. */
export function onUnheard(come: () => void): () => void {
  onWaiting = come;
  return () => {
    onWaiting = null;
  };
}

/** Told what was said before, and from now on everything. */
export function hearAnnouncements(show: (announcement: Announcement) => void): () => void {
  draw = show;
  for (const announcement of unheard.splice(0)) show(announcement);
  return () => {
    draw = null;
  };
}
