// What the rules of alarms are called, and what one says, from its figures. Pure.
import { formatCompact, formatCount, formatDuration, formatNumber } from "@/components/ui/format";
import type { Alarm } from "@/server/contract/alarm";
import type { AlarmRule } from "@/server/contract/alarm-rules";

export const alarmNames: Readonly<Record<AlarmRule, string>> = {
  sibling_lacks: "Lacks what its siblings have",
  left_behind: "Result not read by its caller",
  passed_unseen: "Handed over unread",
  off_recipe: "Unexplained card",
  paid_often: "Card sent very often",
  pressure: "Window nearly full",
  prefix_broken: "Prefix broken",
  loop: "Same instruction again",
  no_reader: "Result nobody read",
  secret: "Secret sent to a model",
  late: "Late branch",
};

/** Why it matters, and what to do. The name alone tells this to nobody who meets the rule for the first time. */
export const alarmMeanings: Readonly<Record<AlarmRule, string>> = {
  sibling_lacks: "This branch works without cards that its siblings have. Check what its task was given.",
  left_behind: "The work was done, but its caller never read it. Await the result, or do not ask for it.",
  passed_unseen: "The caller handed over cards that its own model never read. Check that they belong there.",
  off_recipe: "Cards arrived that the record of the hand-over does not explain.",
  paid_often: "One card was sent again and again. Shorten it, or leave it out where it is not needed.",
  pressure: "Little room is left for the answer. Hand over less, or choose a larger window.",
  prefix_broken: "The beginning of the request changed, so the provider's cache could not be used.",
  loop: "Agents may be passing the same work around. Check the chain that leads here.",
  no_reader: "Nobody awaited this work and nothing in the run used it. Leave it out, or await it.",
  secret: "Treat the secret as leaked: replace it, and redact the card.",
  late: "This branch holds up its batch. Look at its slowest step.",
};

type Said = Pick<Alarm, "rule" | "figures">;

export function alarmSentence({ rule, figures }: Said): string {
  const n = (name: string): number => Number(figures[name] ?? 0);
  const tokens = (name = "tokens") => `${formatCompact(n(name))} tokens`;
  const cards = () => formatCount(n("cards"), "card");
  switch (rule) {
    case "sibling_lacks":
      return `Most of its ${n("siblings")} siblings were given ${cards()} with ${tokens()} that it was not.`;
    case "left_behind":
      return `Its caller ended without being sent the result, ${tokens()}.`;
    case "passed_unseen":
      return `${tokens()} of ${tokens("handed_tokens")} handed over were never sent to the caller's own model.`;
    case "off_recipe":
      return figures.has_receipt === "yes"
        ? `It holds ${cards()} with ${tokens()} that its receipt does not name.`
        : `Turns inherited ${cards()} with ${tokens()} from this box. The import has no receipt for them.`;
    case "paid_often":
      return `Sent ${formatNumber(n("times"))} times, ${tokens()} together.`;
    case "pressure":
      return `A request of ${tokens()} fills ${percent(n("tokens"), n("window_tokens"))} of a window of ${tokens("window_tokens")}.`;
    case "prefix_broken":
      return `A request shares ${tokens("common_tokens")} with the ${tokens()} before it, though nothing was removed${n("times") > 1 ? `. It happened ${n("times")} times` : ""}.`;
    case "loop":
      return figures.along === "agent"
        ? `The agent was given the same instruction ${n("times")} times in this run.`
        : `The same instruction was delegated ${n("times")} times along one chain.`;
    case "no_reader":
      return `No request of the run holds what it delivered, ${tokens()}.`;
    case "secret":
      return `It contains ${kindsOf(figures)}.`;
    case "late":
      return `It took ${formatDuration(n("ms"))}. Its siblings took ${formatDuration(n("median_ms"))} in the median.`;
  }
}

const percent = (part: number, whole: number): string => (whole === 0 ? "0%" : `${Math.round((100 * part) / whole)}%`);

const kindsOf = (figures: Alarm["figures"]): string =>
  Object.entries(figures)
    .map(([kind, n]) => `${kind.replaceAll("_", " ")}${Number(n) > 1 ? ` ${n} times` : ""}`)
    .join(", ");

/** Where the subject of an alarm is shown. */
export function alarmHref(
  projectId: string,
  { subject_kind, subject_id }: Pick<Alarm, "subject_kind" | "subject_id">,
): string {
  const page = { turn: "turns", batch: "batches", box: "boxes", card: "cards", agent: "agents" }[subject_kind];
  return `/p/${encodeURIComponent(projectId)}/${page}/${encodeURIComponent(subject_id)}`;
}
