"use client";

import { AgentMark } from "@/components/ui/agent-mark";
import { Aspect, type AspectStatus } from "@/components/ui/aspect";
import { BoxId } from "@/components/ui/box-id";
import { Consist } from "@/components/ui/consist";
import { HumanMark } from "@/components/ui/human-mark";
import { Icon, type IconName } from "@/components/ui/icon";
import { iconPaths } from "@/components/ui/icon-paths";
import { KindMark } from "@/components/ui/kind-mark";
import { OriginMark } from "@/components/ui/origin-mark";
import { Plate } from "@/components/ui/plate";
import { cardRoles, RoleBar, RoleTag } from "@/components/ui/role-tag";
import { track } from "@/components/ui/track";
import { VerdictMark } from "@/components/ui/verdict-mark";
import { Block } from "./block";

const iconNames = Object.keys(iconPaths) as IconName[];
const aspectStatuses: AspectStatus[] = [
  "queued",
  "dispatched",
  "running",
  "suspended",
  "success",
  "partial",
  "failed",
  "timeout",
  "canceled",
];
const notes = [
  "in the inbox, not leased",
  "leased, worker not started",
  "taking steps",
  "waiting for tools or a join",
  "deliverable in full",
  "deliverable incomplete",
  "ended with an error",
  "a limit passed",
  "stopped on purpose",
];
const load = [
  { role: "system", tokens: 2014 },
  { role: "user", tokens: 5100 },
  { role: "assistant", tokens: 1400 },
  { role: "tool", tokens: 6300 },
] as const;
const agents = [
  "pp-7a10",
  "se-2d90",
  "as-c41f",
  "as-9e07",
  "as-51bd",
  "as-e862",
  "as-0f3a",
  "as-7b11",
  "tr-4410",
  "cr-1182",
  "wr-09aa",
  "qa-77b1",
];

export function KitMarks() {
  return (
    <>
      <Block title="Status aspects" note="shape first, hue second">
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          {aspectStatuses.map((status, i) => (
            <div key={status} className="flex items-center gap-2.5">
              <Aspect status={status} size={16} label={null} />
              <div>
                <b>{status}</b>
                <p className="text-ink-3 text-note">{notes[i]}</p>
              </div>
            </div>
          ))}
        </div>
      </Block>
      <Block title="Roles" note="one hue each, a letter, tool is hatched">
        <div className="grid gap-2">
          {cardRoles.map((role) => (
            <div key={role} className="flex items-center gap-3">
              <RoleTag cardRole={role} />
              <b className="w-20">{role}</b>
              <i className="role-fill block h-2.5 w-24" data-role={role} />
              <span className="flex h-6">
                <RoleBar cardRole={role} />
              </span>
            </div>
          ))}
        </div>
      </Block>
      <Block title="Origin, verdict, kind">
        <div className="flex flex-wrap gap-x-5 gap-y-3">
          {(["packed", "inherited", "pointer", "profile", "system", "produced"] as const).map((origin) => (
            <span key={origin} className="flex items-center gap-2">
              <OriginMark origin={origin} label={null} />
              {origin}
            </span>
          ))}
          {(["passed", "added", "withheld", "redacted"] as const).map((verdict) => (
            <span key={verdict} className="flex items-center gap-2">
              <VerdictMark verdict={verdict} label={null} />
              {verdict}
            </span>
          ))}
          {(["launch", "new", "reuse", "clone", "ask", "fork", "join"] as const).map((kind) => (
            <span key={kind} className="flex items-center gap-2">
              <KindMark kind={kind} label={null} />
              {kind}
            </span>
          ))}
        </div>
      </Block>
      <Block title="Plates and identity">
        <div className="flex flex-wrap items-center gap-3">
          <Plate code="2S04" />
          <Plate code="2S04" tone="ink" />
          <Plate code="2S04" tone="bare" />
          <Plate code="2S04" size="lg" tone="ink" />
          <Plate code="B1" size="lg" />
          <BoxId code="4E7A" />
          {[18, 24, 34].map((size) => (
            <HumanMark key={size} name="mara ober" size={size} />
          ))}
        </div>
        <div className="mt-3 flex flex-wrap gap-3">
          {agents.map((agent) => (
            <span key={agent} className="grid justify-items-center gap-1">
              <AgentMark agentId={agent} profile={agent.slice(0, 2)} size={34} />
              <span className="mono text-ink-3">{agent}</span>
            </span>
          ))}
        </div>
      </Block>
      <Block title="Consist" note="cards to scale, against the window">
        <div className="grid gap-2">
          <Consist cards={load} window={32000} />
          <Consist cards={load} window={32000} height={10} />
          <Consist cards={load} height={8} />
          <Consist cards={[...load, { role: "tool", tokens: 4000, faded: true }]} window={18000} height={10} />
          <Consist cards={load} window={9000} height={10} />
          <Consist cards={[]} window={9000} height={6} />
        </div>
      </Block>
      <Block title="Track">
        <svg viewBox="0 0 400 90" className="h-24 w-full" fill="none" strokeWidth="2.25">
          <title>Tracks</title>
          <path
            className="stroke-rail"
            d={track([
              [4, 20],
              [120, 20],
              [120, 70],
              [396, 70],
            ])}
          />
          <path
            className="stroke-lamp"
            strokeWidth="3"
            d={track([
              [4, 20],
              [200, 20],
              [200, 40],
              [396, 40],
            ])}
          />
        </svg>
      </Block>
      <Block title="Icons">
        <div className="flex flex-wrap gap-3 text-ink-2">
          {iconNames.map((name) => (
            <span key={name} title={name}>
              <Icon name={name} />
            </span>
          ))}
        </div>
      </Block>
    </>
  );
}
