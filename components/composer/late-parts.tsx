"use client";

import type { FailureProps } from "@/components/domain/failure";
// What a drawing does not need at first sight: fetched when it is first shown.
import { lazyPart } from "@/components/ui/lazy-part";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { DryRunProps } from "./check/dry-run";
import type { LivePanelProps } from "./live/live-panel";
import type { LiveTimelineProps } from "./live/live-timeline";
import type { OrderDeskProps } from "./order/order-desk";
import type { PhonePlanProps } from "./phone/phone-plan";
import type { PublishDialogProps } from "./publish-dialog";
import type { VersionPanelProps } from "./versions/version-panel";
import type { YamlViewProps } from "./yaml-view";

const waiting = () => (
  <div className="p-4">
    <SkeletonRows count={8} rowHeight={28} label="Loading" />
  </div>
);

/** In the place of the ground, and as high: the shelf below it must not move when the part comes. */
const waitingGround = () => (
  <div className="min-h-0 flex-1 overflow-auto bg-yard p-4">
    <SkeletonRows count={8} rowHeight={28} label="Loading" />
  </div>
);

export const OrderDesk = lazyPart<OrderDeskProps>(
  () => import("./order/order-desk").then((module) => module.OrderDesk),
  {
    missing: "The hand-over could not be loaded",
    waiting,
  },
);
export const LivePanel = lazyPart<LivePanelProps>(
  () => import("./live/live-panel").then((module) => module.LivePanel),
  {
    missing: "The run's inspector could not be loaded",
    waiting,
  },
);
export const VersionPanel = lazyPart<VersionPanelProps>(
  () => import("./versions/version-panel").then((module) => module.VersionPanel),
  { missing: "The comparison could not be loaded", waiting },
);

const loadPublish = () => import("./publish-dialog").then((module) => module.PublishDialog);
const loadDryRun = () => import("./check/dry-run").then((module) => module.DryRun);
const loadList = () => import("./list-view").then((module) => module.ListView);
const loadYaml = () => import("./yaml-view").then((module) => module.YamlView);

export const PublishDialog = lazyPart<PublishDialogProps>(loadPublish, {
  missing: "The dialog for publishing could not be loaded",
});
export const DryRun = lazyPart<DryRunProps>(loadDryRun, { missing: "The dry run could not be loaded", waiting });
export const ListView = lazyPart<object>(loadList, { missing: "The list could not be loaded", waiting: waitingGround });
export const YamlView = lazyPart<YamlViewProps>(loadYaml, {
  missing: "The YAML view could not be loaded",
  waiting: waitingGround,
});
/** A desk never draws it. */
export const PhonePlan = lazyPart<PhonePlanProps>(
  () => import("./phone/phone-plan").then((module) => module.PhonePlan),
  { missing: "The plan could not be loaded", waiting },
);
export const Failure = lazyPart<FailureProps>(
  () => import("@/components/domain/failure").then((module) => module.Failure),
  { missing: "The plan could not be loaded" },
);

const loadTimeline = () => import("./live/live-timeline").then((module) => module.LiveTimeline);
export const LiveTimeline = lazyPart<LiveTimelineProps>(loadTimeline, {
  missing: "The timeline could not be loaded",
  waiting: () => <div className="live-timeline" />,
});

/** What a key opens from the ground, and what a launch leads to. */
export const nearParts = [loadPublish, loadDryRun, loadList, loadYaml, loadTimeline];
