"use client";

// What the signs of the yard mean, each drawn by the component that draws it in the yard.
import type { ReactNode } from "react";
import { AgentMark } from "@/components/ui/agent-mark";
import { Aspect } from "@/components/ui/aspect";
import { BoxId } from "@/components/ui/box-id";
import { type CardRole, cardRoles } from "@/components/ui/card-role";
import { Consist } from "@/components/ui/consist";
import { HoldSign } from "@/components/ui/hold-sign";
import { HumanMark } from "@/components/ui/human-mark";
import { Icon } from "@/components/ui/icon";
import { KindMark } from "@/components/ui/kind-mark";
import { OriginMark } from "@/components/ui/origin-mark";
import { Plate } from "@/components/ui/plate";
import { RoleTag } from "@/components/ui/role-tag";
import {
  type AspectStatus,
  type DelegationKind,
  gateWords,
  kindNames,
  kindWords,
  lampWords,
  type Origin,
  originNames,
  originWords,
  partWords,
  roleWords,
  type TrackLook,
  trackWords,
  type Verdict,
  verdictWords,
  type WagonPart,
} from "@/components/ui/sign-words";
import { VerdictMark } from "@/components/ui/verdict-mark";
import { turnStatuses } from "@/server/contract/turn";
import { type LegendWord, legendWords } from "./legend-words";
import { FoldedSign, SampleWagon, sampleCards, TrackSign, WagonSign } from "./samples";

const keysOf = <Key extends string>(words: Record<Key, string>) => Object.keys(words) as Key[];

/** A line of the legend: the sign, its name, and what it means. */
type Line = { sign: ReactNode; name: string; meaning: string };

export function LegendSheet() {
  return (
    <div className="flex flex-col gap-5">
      <SampleWagon />
      <Group title="Parts of a wagon" lines={keysOf(partWords).map(part)} />
      <Group title="Lamps: the state of a turn" lines={turnStatuses.map(lamp)} />
      <Group title="Roles: the colour of a card" lines={cardRoles.map(role)} />
      <Group title="Tracks: who called whom" lines={[...keysOf(trackWords).map(line), gate]} />
      <Group title="How a turn was called" lines={keysOf(kindWords).map(kind)} />
      <Group title="Where a card came from" lines={keysOf(originWords).map(origin)} />
      <Group title="What a hand-over did with a card" lines={keysOf(verdictWords).map(verdict)} />
      <Group title="Words" lines={keysOf(legendWords).map(word)} />
    </div>
  );
}

function Group({ title, lines }: { title: string; lines: readonly Line[] }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1.5 border-line border-b pb-1 text-ink-3 text-note">{title}</h3>
      <dl className="grid gap-x-8 sm:grid-cols-2">
        {lines.map(({ sign, name, meaning }) => (
          <div key={name} className="grid grid-cols-[64px_minmax(0,1fr)] content-start gap-x-3 py-1">
            <dt className="contents">
              <span aria-hidden className="grid h-5 place-items-center">
                {sign}
              </span>
              <b>{name}</b>
            </dt>
            <dd className="col-start-2 text-ink-2">{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const partSigns: Record<WagonPart, { sign: ReactNode; name: string }> = {
  lamp: { sign: <Aspect status="running" size={16} label={null} />, name: "Lamp" },
  agent: { sign: <AgentMark agentId="legend" profile="Searcher" size={18} />, name: "Agent mark" },
  name: { sign: <b className="text-note">Searcher</b>, name: "Name" },
  person: { sign: <HumanMark name="local" size={20} />, name: "Person" },
  headcode: { sign: <Plate code="2S04" />, name: "Headcode" },
  time: { sign: <span className="text-ink-3 text-note">3m 11s</span>, name: "Time" },
  bar: { sign: <Consist cards={sampleCards} window={8_000} mark={5_600} className="w-16" />, name: "Bar" },
  percent: { sign: <span className="text-ink-3 text-note">70%</span>, name: "Percent" },
  flag: { sign: <Icon name="flag" size={14} className="text-st-failed" />, name: "Flag" },
  asks: { sign: <Icon name="person" size={14} />, name: "Asks" },
};
const part = (one: WagonPart): Line => ({ ...partSigns[one], meaning: partWords[one] });

const lamp = (status: AspectStatus): Line => ({
  sign: <Aspect status={status} size={16} label={null} />,
  name: status,
  meaning: lampWords[status],
});

const role = (one: CardRole): Line => ({ sign: <RoleTag cardRole={one} />, name: one, meaning: roleWords[one] });

const line = (one: TrackLook): Line => ({ sign: <TrackSign look={one} />, name: one, meaning: trackWords[one] });

const gateSign = (
  <span className="grid h-5 w-4 place-items-center rounded-2 border border-line-2 bg-sheet">
    <Aspect status="success" size={10} label={null} />
  </span>
);
const gate: Line = { sign: gateSign, name: "join gate", meaning: gateWords };

const kind = (one: DelegationKind): Line => ({
  sign: <KindMark kind={one} label={null} />,
  name: kindNames[one],
  meaning: kindWords[one],
});

const origin = (one: Origin): Line => ({
  sign: <OriginMark origin={one} label={null} />,
  name: `${originNames[one]} card`,
  meaning: originWords[one],
});

const verdict = (one: Verdict): Line => ({
  sign: <VerdictMark verdict={one} label={null} />,
  name: one,
  meaning: verdictWords[one],
});

const signs: Record<LegendWord, ReactNode> = {
  wagon: <WagonSign />,
  turn: <WagonSign />,
  run: (
    <span className="flex items-end">
      <HumanMark name="local" size={16} />
      <TrackSign look="travelled" width={14} />
      <WagonSign />
    </span>
  ),
  track: <TrackSign look="travelled" />,
  headcode: <Plate code="2S04" />,
  batch: <Plate code="B1" />,
  box: <BoxId code="4E7A" />,
  consist: <Consist cards={sampleCards} className="w-16" />,
  window: <Consist cards={sampleCards} window={8_000} className="w-16" />,
  "left out": <VerdictMark verdict="withheld" label={null} />,
  "hand-over": <VerdictMark verdict="passed" label={null} />,
  lamp: <Aspect status="running" label={null} />,
  gate: gateSign,
  card: <RoleTag cardRole="assistant" />,
  "folded wagon": <FoldedSign />,
  "dashed wagon": <span className="h-4 w-9 rounded-t-2 border border-line-2 border-b-0 border-dashed" />,
  hold: <HoldSign />,
};
const word = (one: LegendWord): Line => ({
  sign: signs[one],
  name: one,
  meaning: legendWords[one].replaceAll(/[`*]/g, ""),
});
