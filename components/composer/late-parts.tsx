"use client";

// What a drawing does not need at first sight: fetched when it is first shown.
import { lazyPart } from "@/components/ui/lazy-part";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { LivePanelProps } from "./live/live-panel";
import type { OrderDeskProps } from "./order/order-desk";
import type { VersionPanelProps } from "./versions/version-panel";

const waiting = () => (
  <div className="p-4">
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
