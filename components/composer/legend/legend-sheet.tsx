"use client";

// What the signs of a drawing mean, each drawn as it is drawn on the ground.
import type { ReactNode } from "react";
import { buffer } from "@/components/ground/signs";
import { Consist } from "@/components/ui/consist";
import { HoldSign } from "@/components/ui/hold-sign";
import { Icon } from "@/components/ui/icon";
import { KindMark } from "@/components/ui/kind-mark";
import { Plate } from "@/components/ui/plate";
import { VerdictMark } from "@/components/ui/verdict-mark";

export function LegendSheet() {
  return (
    <div className="flex flex-col gap-5">
      {groups.map(({ title, lines }) => (
        <section key={title}>
          <h3 className="mb-1.5 font-semibold">{title}</h3>
          <dl className="grid grid-cols-[120px_150px_minmax(0,1fr)] items-center gap-x-3 gap-y-2">
            {lines.map(({ name, sign, meaning }) => (
              <div key={name} className="contents">
                <dd>{sign}</dd>
                <dt className="font-semibold">{name}</dt>
                <dd className="text-ink-2">{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

type Line = { name: string; sign: ReactNode; meaning: string };

const kinds = (kind: "new" | "reuse" | "clone" | "ask" | "fork") => <KindMark kind={kind} size={18} label={null} />;
const bar = (cards: Parameters<typeof Consist>[0]["cards"]) => (
  <span className="block w-24">
    <Consist cards={cards} window={4_000} height={8} label="sample" />
  </span>
);
const line = (d: string, more: ReactNode = null) => (
  <svg className="yard-tracks legend-line" width="96" height="28" viewBox="0 0 96 28" aria-hidden="true">
    <path className="track" d={d} />
    {more}
  </svg>
);

const groups: readonly { title: string; lines: readonly Line[] }[] = [
  {
    title: "What is drawn",
    lines: [
      { name: "New agent", sign: kinds("new"), meaning: "A wagon: one turn of a new agent of a profile." },
      { name: "Same agent", sign: kinds("reuse"), meaning: "An agent goes on, with all it remembers." },
      { name: "Copy", sign: kinds("clone"), meaning: "A copy of an agent, with what that agent has written." },
      { name: "Ask", sign: kinds("ask"), meaning: "An expert answers a question before what follows starts." },
      { name: "Fork", sign: kinds("fork"), meaning: "Several tasks at once. What follows waits at their gate." },
      {
        name: "Crate",
        sign: (
          <span className="inline-flex items-center gap-1.5 rounded-1 border border-line-2 px-2 py-1">
            <Icon name="boxes" size={14} /> 2B10
          </span>
        ),
        meaning: "A box, a card or an input that exists before the launch.",
      },
      { name: "Hold", sign: <HoldSign />, meaning: "A person must let this step start." },
    ],
  },
  {
    title: "Lines",
    lines: [
      { name: "Track", sign: line("M2 14H94"), meaning: "Starts after it. What travels on it stands below." },
      {
        name: "On failure",
        sign: line("M2 6H40L52 22H94"),
        meaning: "Taken only if the step before failed. The word stands on the track.",
      },
      {
        name: "Buffer stop",
        sign: line("M2 14H80", <path className="track-buffers" d={buffer(84, 14)} />),
        meaning: "Nobody reads this result.",
      },
      {
        name: "Wire",
        sign: line("", <path className="drawn-wire" d="M30 26V8H66V4M59 4H73" fill="none" />),
        meaning: "Loads a crate. It ends under the part of the wagon's bar that the crate is.",
      },
    ],
  },
  {
    title: "Tokens",
    lines: [
      { name: "Solid", sign: bar([{ role: "user", tokens: 1_400 }]), meaning: "Exists already and is counted." },
      {
        name: "Striped",
        sign: bar([{ role: "assistant", tokens: 1_400, faded: true }]),
        meaning: "Does not exist yet. Estimated by earlier results of the same profile, with ~.",
      },
      { name: "Notch", sign: bar([]), meaning: "80 % of the model's window." },
    ],
  },
  {
    title: "Marks",
    lines: [
      {
        name: "Dashed code",
        sign: <Plate code="1S02" tone="bare" className="ghost-plate" />,
        meaning: "The code that the turn will have. 1S·· is not sent yet.",
      },
      {
        name: "Refused",
        sign: <Icon name="x" size={16} className="text-st-failed" />,
        meaning: "It cannot be launched like this.",
      },
      {
        name: "Warning",
        sign: <Icon name="warn" size={16} className="text-st-partial" />,
        meaning: "It can be launched. Look at it first.",
      },
      { name: "Added", sign: <VerdictMark verdict="added" label={null} />, meaning: "In a comparison: only here." },
      {
        name: "Changed",
        sign: <VerdictMark verdict="redacted" label={null} />,
        meaning: "In a comparison: differs, or ran again.",
      },
      {
        name: "The same",
        sign: <VerdictMark verdict="passed" label={null} />,
        meaning: "In a comparison: the recorded result.",
      },
    ],
  },
];
