// The paths of the interface icons: 16 grid, 1.5 pen, round ends. A new icon is a line here and nowhere else.
import type { ReactNode } from "react";

export const iconPaths = {
  menu: <path d="M2 4h12M2 8h12M2 12h12" />,
  yard: (
    <>
      <path d="M1.5 8h2.6L6.6 4h2.8l2.5 4h2.6M4.1 8l2.5 4h2.8l2.5-4" />
    </>
  ),
  turns: (
    <>
      <path d="M2 4h7M2 8h12M2 12h9" />
      <path d="M12.2 2.4 14 4l-1.8 1.6" />
    </>
  ),
  agents: (
    <>
      <rect x="2" y="2" width="12" height="12" rx="2.5" />
      <path d="M2 10h3l3-4h6M8 6l3 4h3" />
    </>
  ),
  lanes: (
    <>
      <path d="M3 1.5v13M13 1.5v13" />
      <path d="M3 5h9M10 3l2 2-2 2M13 11H4M6 9l-2 2 2 2" />
    </>
  ),
  transcript: (
    <>
      <path d="M4.2 2.5h7.6a2 2 0 0 1 2 2v4.6a2 2 0 0 1-2 2H8.4l-3.2 2.6v-2.6h-1a2 2 0 0 1-2-2V4.5a2 2 0 0 1 2-2z" />
      <path d="M5.2 5.6h5.6M5.2 8.2h3.4" />
    </>
  ),
  boxes: (
    <>
      <path d="M1.5 3.5h13v7h-13z" />
      <path d="M5.8 3.5v7M10.2 3.5v7" />
      <circle cx="4.6" cy="12.8" r="0.9" fill="currentColor" stroke="none" />
      <circle cx="11.4" cy="12.8" r="0.9" fill="currentColor" stroke="none" />
    </>
  ),
  batches: (
    <>
      <path d="M4 2v12M12 2v12M4 4h8M4 8h8M4 12h8" />
    </>
  ),
  plans: (
    <>
      <path d="M5.6 5H9l2 4.2" />
      <rect x="1.6" y="3" width="4" height="4" rx="1" />
      <rect x="10.4" y="9" width="4" height="4" rx="1" />
      <path d="M3.6 7v4.5h3.2" strokeDasharray="1.6 1.8" />
    </>
  ),
  packs: (
    <>
      <path d="m8 1.8 5.6 3v6.4L8 14.2l-5.6-3V4.8z" />
      <path d="M2.6 5 8 8l5.4-3M8 8v6" />
    </>
  ),
  inbox: (
    <>
      <path d="M8 13.8V9.6" />
      <circle cx="8" cy="5.4" r="3.6" />
      <path d="M5 14h6" />
    </>
  ),
  launch: (
    <>
      <path d="M2 8h7.5" />
      <path d="m6.6 4.4 3.6 3.6-3.6 3.6" />
      <path d="M13.6 2.8v10.4" strokeWidth={2} />
    </>
  ),
  settings: (
    <>
      <path d="M2 5h6M12 5h2M2 11h2M8 11h6" />
      <circle cx="10" cy="5" r="1.9" />
      <circle cx="6" cy="11" r="1.9" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4.4" />
      <path d="m10.4 10.4 3.4 3.4" />
    </>
  ),
  down: (
    <>
      <path d="m4.5 6.5 3.5 3.5 3.5-3.5" />
    </>
  ),
  right: (
    <>
      <path d="m6.5 4.5 3.5 3.5-3.5 3.5" />
    </>
  ),
  left: (
    <>
      <path d="M9.5 4.5 6 8l3.5 3.5" />
    </>
  ),
  up: (
    <>
      <path d="m4.5 9.5 3.5-3.5 3.5 3.5" />
    </>
  ),
  x: (
    <>
      <path d="m4.2 4.2 7.6 7.6M11.8 4.2l-7.6 7.6" />
    </>
  ),
  plus: (
    <>
      <path d="M8 3v10M3 8h10" />
    </>
  ),
  minus: (
    <>
      <path d="M3 8h10" />
    </>
  ),
  fit: (
    <>
      <path d="M2.5 5.5v-3h3M13.5 5.5v-3h-3M2.5 10.5v3h3M13.5 10.5v3h-3" />
    </>
  ),
  layout: (
    <>
      <rect x="2" y="2.5" width="4" height="4" rx="0.8" />
      <rect x="10" y="2.5" width="4" height="4" rx="0.8" />
      <rect x="10" y="9.5" width="4" height="4" rx="0.8" />
      <path d="M6 4.5h4M8 4.5v7h2" />
    </>
  ),
  play: (
    <>
      <path d="M5 3.2v9.6L12.6 8z" fill="currentColor" />
    </>
  ),
  pause: (
    <>
      <path d="M5.5 3.5v9M10.5 3.5v9" strokeWidth={2.4} strokeLinecap="butt" />
    </>
  ),
  undo: (
    <>
      <path d="M3.2 6.5h6.3a3.5 3.5 0 0 1 0 7H6" />
      <path d="M6 3.5 3 6.5l3 3" />
    </>
  ),
  redo: (
    <>
      <path d="M12.8 6.5H6.5a3.5 3.5 0 0 0 0 7H10" />
      <path d="M10 3.5l3 3-3 3" />
    </>
  ),
  cut: (
    <>
      <circle cx="4" cy="4.5" r="1.8" />
      <circle cx="4" cy="11.5" r="1.8" />
      <path d="M5.5 5.6 13.5 11.5M5.5 10.4 13.5 4.5" />
    </>
  ),
  step: (
    <>
      <path d="M4 3.4v9.2L10.4 8z" fill="currentColor" />
      <path d="M12.2 3.4v9.2" strokeWidth={1.9} />
    </>
  ),
  back: (
    <>
      <path d="M12 3.4v9.2L5.6 8z" fill="currentColor" />
      <path d="M3.8 3.4v9.2" strokeWidth={1.9} />
    </>
  ),
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 3.2V3a1 1 0 0 0-1-1H3.5A1.5 1.5 0 0 0 2 3.5V9.5a1 1 0 0 0 1 1h.2" />
    </>
  ),
  more: (
    <>
      <circle cx="3.4" cy="8" r="1.1" fill="currentColor" stroke="none" />
      <circle cx="8" cy="8" r="1.1" fill="currentColor" stroke="none" />
      <circle cx="12.6" cy="8" r="1.1" fill="currentColor" stroke="none" />
    </>
  ),
  filter: (
    <>
      <path d="M2 4h12M4.5 8h7M6.7 12h2.6" />
    </>
  ),
  diff: (
    <>
      <path d="M2 4h5M2 8h3.5M2 12h5" />
      <path d="M12 2.5v6M9 5.5h6M9 12.5h6" />
    </>
  ),
  fork: (
    <>
      <path d="M1.5 8H5l3.4-4.2h6M5 8l3.4 4.2h6" />
    </>
  ),
  join: (
    <>
      <path d="M14.5 8H11L7.6 3.8h-6M11 8l-3.4 4.2h-6" />
    </>
  ),
  stop: (
    <>
      <rect x="4" y="4" width="8" height="8" rx="1" fill="currentColor" />
    </>
  ),
  retry: (
    <>
      <path d="M13.2 8a5.2 5.2 0 1 1-1.6-3.8" />
      <path d="M13.4 2.2v3h-3" />
    </>
  ),
  link: (
    <>
      <path d="M6.5 9.5l3-3" />
      <path d="M7.5 4.5 9 3a2.83 2.83 0 0 1 4 4l-1.5 1.5M8.5 11.5 7 13a2.83 2.83 0 0 1-4-4l1.5-1.5" />
    </>
  ),
  eye: (
    <>
      <path d="M1.5 8S3.8 3.8 8 3.8 14.5 8 14.5 8 12.2 12.2 8 12.2 1.5 8 1.5 8z" />
      <circle cx="8" cy="8" r="1.9" />
    </>
  ),
  unseen: (
    <>
      <path d="M1.5 8S3.8 3.8 8 3.8 14.5 8 14.5 8 12.2 12.2 8 12.2 1.5 8 1.5 8z" />
      <path d="M2.6 13.4 13.4 2.6" />
    </>
  ),
  lock: (
    <>
      <rect x="3" y="7" width="10" height="6.5" rx="1.4" />
      <path d="M5 7V5a3 3 0 0 1 6 0v2" />
    </>
  ),
  warn: (
    <>
      <path d="M8 2.2 14.4 13.4H1.6z" />
      <path d="M8 6.6v3.2M8 11.6v.1" />
    </>
  ),
  info: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 7.4v3.6M8 5v.1" />
    </>
  ),
  check: (
    <>
      <path d="m3.5 8.4 3 3 6-6.6" />
    </>
  ),
  drag: (
    <>
      <g fill="currentColor" stroke="none">
        <circle cx="6" cy="4" r="1" />
        <circle cx="10" cy="4" r="1" />
        <circle cx="6" cy="8" r="1" />
        <circle cx="10" cy="8" r="1" />
        <circle cx="6" cy="12" r="1" />
        <circle cx="10" cy="12" r="1" />
      </g>
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.6V8l2.4 1.5" />
    </>
  ),
  target: (
    <>
      <circle cx="8" cy="8" r="2.4" />
      <path d="M8 1.5v3M8 11.5v3M1.5 8h3M11.5 8h3" />
    </>
  ),
  save: (
    <>
      <path d="M3 2.5h7.5L13.5 5.5v8h-10.5z" />
      <path d="M5.5 2.5V6h4.5M5.5 13.5V9.5h5v4" />
    </>
  ),
  sun: (
    <>
      <circle cx="8" cy="8" r="2.8" />
      <path d="M8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1" />
    </>
  ),
  help: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M6.2 6.4A1.9 1.9 0 1 1 8.6 8.3c-.5.2-.6.5-.6 1M8 11.4v.1" />
    </>
  ),
  download: (
    <>
      <path d="M8 2.5v7.5M5 7.2 8 10.2l3-3M2.5 13.5h11" />
    </>
  ),
  terminal: (
    <>
      <rect x="1.8" y="2.8" width="12.4" height="10.4" rx="1.6" />
      <path d="m4.6 6 2 2-2 2M8.4 10.2h3" />
    </>
  ),
  pulse: (
    <>
      <path d="M1.8 8.4h3l1.6-4.6 3 8.4 1.7-3.8h3.1" />
    </>
  ),
  shield: (
    <>
      <path d="M8 1.8 13 3.8v4c0 3-2 5.3-5 6.4-3-1.1-5-3.4-5-6.4v-4z" />
    </>
  ),
  seal: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="m5.4 8.2 1.9 1.9 3.5-3.9" />
    </>
  ),
  flag: (
    <>
      <path d="M3.5 14V2.5M3.5 3h8.5l-2 3 2 3H3.5" />
    </>
  ),
  external: (
    <>
      <path d="M9 2.5h4.5V7M13.3 2.7 7.5 8.5M12 9.5v3.5a.8.8 0 0 1-.8.8H3.3a.8.8 0 0 1-.8-.8V5.3a.8.8 0 0 1 .8-.8h3.5" />
    </>
  ),
  board: (
    <>
      <rect x="2" y="2.5" width="12" height="11" rx="1.4" />
      <path d="M2 6.2h12M6 6.2v7.3" />
    </>
  ),
  cards: (
    <>
      <path d="M2.5 3h8.5l2.5 2.5V13h-11z" />
      <path d="M5 7.2h6M5 10h3.6" />
    </>
  ),
  profiles: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1.4" />
      <path d="M4.8 6.4h1.4M8.4 6.4h2.8M4.8 9.6h1.4M8.4 9.6h2.8" />
    </>
  ),
  moon: (
    <>
      <path d="M13 9.7A5.5 5.5 0 1 1 6.3 3a4.5 4.5 0 0 0 6.7 6.7z" />
    </>
  ),
  monitor: (
    <>
      <rect x="2" y="3" width="12" height="8" rx="1.2" />
      <path d="M5.8 13.5h4.4M8 11v2.5" />
    </>
  ),
  upload: (
    <>
      <path d="M8 10.2V2.5M5 5.3 8 2.3l3 3M2.5 13.5h11" />
    </>
  ),
  trash: (
    <>
      <path d="M3 4.5h10M6.4 4.5V2.8h3.2v1.7M4.5 4.5l.6 8.7h5.8l.6-8.7M6.9 7.2v3.4M9.1 7.2v3.4" />
    </>
  ),
  person: (
    <>
      <circle cx="8" cy="5.4" r="2.7" />
      <path d="M2.8 13.6a5.2 5.2 0 0 1 10.4 0" />
    </>
  ),
  code: (
    <>
      <path d="M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5" />
    </>
  ),
  text: (
    <>
      <path d="M2.5 4h11M2.5 8h11M2.5 12h6.5" />
    </>
  ),
  database: (
    <>
      <ellipse cx="8" cy="4.2" rx="5" ry="2" />
      <path d="M3 4.2v7.6c0 1.1 2.2 2 5 2s5-.9 5-2V4.2M3 8c0 1.1 2.2 2 5 2s5-.9 5-2" />
    </>
  ),
  leave: (
    <>
      <path d="M6.5 2.5h-4v11h4M6 8h8M11.2 5.2 14 8l-2.8 2.8" />
    </>
  ),
  offline: (
    <>
      <path d="M1.5 8h4M10.5 8h4M6 4.6v6.8M10 4.6v6.8" />
    </>
  ),
  keyboard: (
    <>
      <rect x="1.5" y="4" width="13" height="8.5" rx="1.4" />
      <path d="M4 6.8h.1M6.7 6.8h.1M9.3 6.8h.1M12 6.8h.1M5.2 9.8h5.6" />
    </>
  ),
} satisfies Record<string, ReactNode>;
