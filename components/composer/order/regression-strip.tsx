"use client";

// What this hand-over would have done to the last real ones: packed again, dry. No model is asked, nothing is written.
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { formatCount, formatNumber } from "@/components/ui/format";
import { SkeletonRows } from "@/components/ui/skeleton";
import { VerdictMark } from "@/components/ui/verdict-mark";
import type { Handover } from "@/server/contract/pack";
import { BUILT_IN_RECIPE } from "@/server/contract/recipe-name";
import type { Regressed, Regression, Weight } from "@/server/contract/regression";
import { useComposer } from "../composer-context";

const LAST = 20;
const BAR = 13;
const STEP = 19;
const HALF = 40;

export type RegressionStripProps = {
  /** The name of the target's profile; undefined = not known yet, or there is no target. */
  profile: string | undefined;
  hasTarget: boolean;
  handover: Handover;
};

export function RegressionStrip({ profile, hasTarget, handover }: RegressionStripProps) {
  const trpc = useTRPC();
  const { projectId } = useComposer();
  const regress = useMutation(trpc.recipe.regress.mutationOptions());
  const isOld = regress.variables !== undefined && regress.variables.handover !== handover;
  return (
    <section className="order-regression" aria-label="Recipe regression">
      <div>
        <b className="block">Recipe regression</b>
        <p className="mt-1 min-h-10 text-ink-2">
          {profile === undefined
            ? hasTarget
              ? ""
              : "Choose a target first."
            : `The last ${LAST} hand-overs to ${profile}, packed again by these rules. No model is asked and nothing is written.`}
        </p>
        {profile === undefined ? null : (
          <Button
            size="sm"
            className="mt-2"
            aria-disabled={regress.isPending}
            onClick={() => {
              if (!regress.isPending)
                regress.mutate({ project_id: projectId, name: BUILT_IN_RECIPE, handover, profile, last: LAST });
            }}
          >
            {regress.data === undefined ? "Pack them again" : isOld ? "Changed since. Pack again" : "Pack again"}
          </Button>
        )}
      </div>
      {regress.isPending ? (
        <SkeletonRows count={3} rowHeight={24} label="Packing" />
      ) : regress.error ? (
        <p role="alert" className="text-st-failed">
          {regress.error.message}
        </p>
      ) : regress.data ? (
        <Result regression={regress.data} />
      ) : null}
    </section>
  );
}

function Result({ regression: { items, total } }: { regression: Regression }) {
  if (items.length === 0) return <p className="text-ink-3">There was no hand-over to this profile yet.</p>;
  const most = Math.max(1, ...items.map((item) => Math.abs(change(item))));
  return (
    <>
      <figure>
        <figcaption className="text-ink-3 text-note">Tokens more or fewer than were packed, by hand-over</figcaption>
        <svg width={items.length * STEP} height={HALF * 2} role="img" aria-label={spoken(items)}>
          <path className="regress-zero" d={`M0 ${HALF}H${items.length * STEP}`} />
          {items.toReversed().map((item, i) => {
            const by = change(item);
            const h = Math.max(1.5, (Math.abs(by) / most) * (HALF - 6));
            return (
              <g key={item.agent_turn_id}>
                <title>
                  {item.headcode}: {item.refused ?? signed(by)}
                </title>
                {item.refused === undefined ? (
                  <rect
                    className="regress-bar"
                    data-way={by > 0 ? "more" : by < 0 ? "less" : "same"}
                    x={i * STEP}
                    y={by > 0 ? HALF - h : HALF}
                    width={BAR}
                    height={h}
                    rx={1}
                  />
                ) : (
                  <path className="regress-refused" d={`M${i * STEP + 3} ${HALF - 6}l7 12m0 -12l-7 12`} />
                )}
              </g>
            );
          })}
        </svg>
      </figure>
      <dl className="order-sums">
        <Sum mark="withheld" words="Left out" weight={total.left_out} sign="-" />
        <Sum mark="added" words="Added" weight={total.added} sign="+" />
        <Sum mark="passed" words="The same" weight={total.same} sign="" />
        {total.refused > 0 ? (
          <div className="text-st-failed">{formatCount(total.refused, "hand-over")} would be refused</div>
        ) : null}
      </dl>
    </>
  );
}

function Sum({
  mark,
  words,
  weight,
  sign,
}: {
  mark: "withheld" | "added" | "passed";
  words: string;
  weight: Weight;
  sign: string;
}) {
  return (
    <div className="flex items-center gap-2">
      <VerdictMark verdict={mark} size={13} label={null} />
      <dt className="flex-1">{words}</dt>
      <dd className="text-ink-2">{formatCount(weight.cards, "card")}</dd>
      <dd className="w-20 text-right font-semibold">
        {weight.tokens === 0 ? "0" : `${sign}${formatNumber(weight.tokens)}`}
      </dd>
    </div>
  );
}

const change = ({ added, left_out }: Regressed): number => added.tokens - left_out.tokens;
const signed = (by: number): string => `${by > 0 ? "+" : ""}${formatNumber(by)} tokens`;
const spoken = (items: readonly Regressed[]): string =>
  items
    .toReversed()
    .map((item) => `${item.headcode} ${item.refused ?? signed(change(item))}`)
    .join(", ");
