"use client";

// Every wagon in starting order on one scale, with what is wrong in its place. It lies where the shelf lies.
import { Consist } from "@/components/ui/consist";
import { formatCount } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { IconButton } from "@/components/ui/icon-button";
import { Plate } from "@/components/ui/plate";
import { graphOf, placesInOrder } from "@/server/contract/plan/graph";
import { nameOf, ridersOf } from "@/server/contract/plan/plan-words";
import {
  knownParts,
  useChecked,
  useComposer,
  useIsSelected,
  usePlaceCheck,
  usePlan,
  useProblemsAt,
} from "../composer-context";
import { isPacked, seenBy, shortTokens, tokensOf } from "./figures";
import { LentResults } from "./lent-results";

/** `planName`: its earlier runs may lend their results; null = it was never published. */
export type DryRunProps = { onClose: () => void; planName: string | null };

export function DryRun({ onClose, planName }: DryRunProps) {
  const plan = usePlan();
  const { askedAt, isOld, failure, places, problems } = useChecked(whole);
  const order = placesInOrder(graphOf(plan));
  const scale = Math.max(1, ...[...places.values()].map((one) => Math.max(tokensOf(one).sum, 0)));
  const refused = new Set(problems.filter(({ severity }) => severity === "error").map(({ at }) => at)).size;
  const warnings = problems.filter(({ severity }) => severity === "warning").length;
  return (
    <section aria-label="Dry run" className="shelf" data-panel>
      <header className="flex h-9 flex-none items-center gap-2 px-3.5">
        <b>Dry run</b>
        <span className="text-ink-3">
          {failure ??
            (askedAt === null
              ? "Checking"
              : `Checked ${askedAt.toLocaleTimeString(undefined, { hour12: false })}. Nothing was launched`)}
          {isOld && askedAt !== null ? ". The plan has changed since" : ""}
        </span>
        <span className="flex-1" />
        <span>
          {[
            refused > 0 ? `${refused} refused` : "",
            warnings > 0 ? formatCount(warnings, "warning") : "",
            formatCount(ridersOf(plan).length, "wagon"),
          ]
            .filter(Boolean)
            .join(", ")}
        </span>
        {planName === null ? null : <LentResults planName={planName} />}
        <IconButton icon="x" label="Close the dry run" onClick={onClose} />
      </header>
      <ul className="min-h-0 flex-1 overflow-y-auto">
        {order.map((place) => (
          <Row key={place} place={place} scale={scale} />
        ))}
      </ul>
    </section>
  );
}

function Row({ place, scale }: { place: string; scale: number }) {
  const { store } = useComposer();
  const check = usePlaceCheck(place);
  const problems = useProblemsAt(place);
  const isSelected = useIsSelected(place);
  const plan = usePlan();
  const part = knownParts(plan).get(place);
  const worst = problems.find(({ severity }) => severity === "error") ?? problems[0];
  const isError = worst?.severity === "error";
  return (
    <li>
      <button
        type="button"
        className="dry-row"
        data-selected={isSelected ? "" : undefined}
        onClick={() => store.select([place])}
      >
        <Icon
          name={worst ? (isError ? "x" : "warn") : "check"}
          size={14}
          className={worst ? (isError ? "text-st-failed" : "text-st-partial") : "text-st-success"}
        />
        <span>{check ? <Plate code={check.headcode} tone="bare" className="ghost-plate" /> : null}</span>
        <span dir="auto" className="truncate text-left">
          {part ? nameOf(part) : place}
        </span>
        <span className="flex items-center">
          {check ? (
            <span style={{ width: `${Math.max(1, (100 * tokensOf(check).sum) / scale)}%` }}>
              <Consist cards={seenBy(check)} height={8} />
            </span>
          ) : null}
        </span>
        <span className="text-right">{check && isPacked(check) ? shortTokens(tokensOf(check)) : ""}</span>
        <span
          dir="auto"
          className={`truncate text-left ${isError ? "text-st-failed" : worst ? "text-st-partial" : "text-ink-3"}`}
          title={worst?.message}
        >
          {worst?.message ?? (check?.cards === undefined ? "" : formatCount(check.cards, "card"))}
        </span>
      </button>
    </li>
  );
}

const whole = <T,>(value: T): T => value;
