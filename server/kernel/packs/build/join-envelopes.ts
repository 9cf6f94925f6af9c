// A gate over envelopes as a pure function: given everything that arrived, in whatever order, it answers which generations
// closed, what each passes on, and what waits or came late. Which payloads count follows from when they were created, so a
// scheduler cannot change the bytes.
import type { Envelope } from "@/server/contract/context-pack/envelope";
import { momentKey } from "@/server/contract/context-pack/forms";
import type { JoinGate, JoinStatus } from "@/server/contract/context-pack/join-gate";
import { aggregate } from "./aggregate";
import { byArrival, firstOfEach } from "./order";
import { BuildFault, type BuildFaultCode } from "./outcome";

export type JoinClock = {
  /** When the gate began to wait. */
  openedAt: string;
  now: string;
};

export type Generation = { number: number; joinStatus: JoinStatus; used: Envelope[]; envelope: Envelope };

export type JoinOutcome = ({ ok: true } & Joined) | { ok: false; code: BuildFaultCode; message: string };

export type Joined = {
  closed: Generation[];
  /** Arrived after their generation had closed. They change nothing. */
  late: { generation: number; envelope: Envelope }[];
  /** Replaced by a newer payload of their edge (delivery latest). */
  replaced: Envelope[];
  /** Of generations that are still open. */
  waiting: Envelope[];
};

/** `outEdgeId`: the edge that the joined envelope travels on. Without a clock no time-out applies. */
export function joinEnvelopes(
  gate: JoinGate,
  arrivals: readonly Envelope[],
  outEdgeId: string,
  clock?: JoinClock,
): JoinOutcome {
  try {
    refuseUnreachable(gate);
    return { ok: true, ...join(gate, arrivals, outEdgeId, clock) };
  } catch (error) {
    if (!(error instanceof BuildFault)) throw error;
    return { ok: false, code: error.code, message: error.message };
  }
}

function refuseUnreachable({ policy, requiredInputs }: JoinGate): void {
  const count = new Set(requiredInputs.map(({ edgeId }) => edgeId)).size;
  const field = "policy.k";
  if (policy.kind === "quorum" && policy.k > count)
    throw new BuildFault("invalid_input", `${field}: is ${policy.k}, but the gate has ${count} inputs. Lower it`, {
      field,
    });
}

function join(gate: JoinGate, arrivals: readonly Envelope[], outEdgeId: string, clock?: JoinClock): Joined {
  const sorted = firstOfEach(arrivals.toSorted(byArrival), ({ payloadId }) => payloadId.toLowerCase());
  const state = new Gate(gate, outEdgeId, clock?.openedAt);
  for (const envelope of sorted) {
    if (clock && momentKey(envelope.createdAt) > momentKey(clock.now)) break;
    state.closeOverdue(envelope.createdAt);
    state.take(envelope);
  }
  if (clock) state.closeOverdue(clock.now);
  return { closed: state.closed, late: state.late, replaced: state.replaced, waiting: state.waiting() };
}

class Gate {
  readonly closed: Generation[] = [];
  readonly late: Joined["late"] = [];
  readonly replaced: Envelope[] = [];
  private open = new Map<string, Envelope>();
  private extras: Envelope[] = [];
  /** Of each edge: payloads of later generations. */
  private readonly lines = new Map<string, Envelope[]>();
  /** Of each edge: generations that closed without it. Its next payloads belong to them. */
  private readonly owed = new Map<string, number[]>();
  private readonly required: string[];
  private readonly needed: number;
  private readonly timeoutMs: number | undefined;
  private since: string | undefined;

  constructor(
    private readonly gate: JoinGate,
    private readonly outEdgeId: string,
    private readonly openedAt: string | undefined,
  ) {
    const { policy, timeoutMs, requiredInputs } = gate;
    this.required = [...new Set(requiredInputs.map(({ edgeId }) => edgeId))];
    this.since = openedAt;
    this.timeoutMs = policy.kind === "timeout" ? policy.ms : timeoutMs;
    const counts = { all: this.required.length, timeout: this.required.length, any: 1 };
    this.needed = policy.kind === "quorum" ? policy.k : counts[policy.kind];
  }

  take(envelope: Envelope): void {
    const { edgeId } = envelope;
    if (!this.required.includes(edgeId)) {
      this.extras.push(envelope);
      return;
    }
    const debts = this.owed.get(edgeId) ?? [];
    const generation = debts.shift();
    if (generation !== undefined) this.late.push({ generation, envelope });
    else this.enter(envelope);
  }

  private enter(envelope: Envelope): void {
    const earlier = this.open.get(envelope.edgeId);
    if (earlier && this.gate.delivery !== "latest") {
      const line = this.lines.get(envelope.edgeId);
      if (line) line.push(envelope);
      else this.lines.set(envelope.edgeId, [envelope]);
      return;
    }
    if (earlier) this.replaced.push(earlier);
    this.open.set(envelope.edgeId, envelope);
    this.since ??= envelope.createdAt;
    if (this.open.size >= this.needed) this.close("complete", this.newest(envelope.createdAt));
  }

  /** Whatever is open at its deadline is passed on, unless the gate waits. */
  closeOverdue(now: string): void {
    if (this.timeoutMs === undefined || this.openedAt === undefined || this.since === undefined) return;
    if (this.gate.onTimeout === "wait") return;
    const deadline = new Date(Date.parse(this.since) + this.timeoutMs).toISOString();
    if (momentKey(now) <= momentKey(deadline)) return;
    this.close(this.open.size === 0 ? "timeout" : "partial", deadline);
  }

  waiting(): Envelope[] {
    return [...this.open.values(), ...this.extras, ...[...this.lines.values()].flat()].sort(byArrival);
  }

  private newest(least: string): string {
    return [...this.open.values()].reduce(
      (at, { createdAt }) => (momentKey(createdAt) > momentKey(at) ? createdAt : at),
      least,
    );
  }

  private close(joinStatus: JoinStatus, createdAt: string): void {
    const number = this.closed.length + 1;
    const used = this.required.flatMap((edgeId) => this.open.get(edgeId) ?? []);
    const extras = this.extras;
    for (const edgeId of this.required)
      if (!this.open.has(edgeId)) this.owed.set(edgeId, [...(this.owed.get(edgeId) ?? []), number]);
    const envelope = aggregate({
      gate: this.gate,
      outEdgeId: this.outEdgeId,
      number,
      joinStatus,
      createdAt,
      used,
      extras,
    });
    this.closed.push({ number, joinStatus, used: [...used, ...extras], envelope });
    // A gate that nothing has reached starts its next clock with the next payload.
    [this.open, this.extras, this.since] = [new Map(), [], undefined];
    this.refill();
  }

  /** Payloads that waited for this generation; they may complete it at once. */
  private refill(): void {
    for (const edgeId of this.required) {
      const next = this.open.has(edgeId) ? undefined : this.lines.get(edgeId)?.shift();
      if (next) this.take(next);
    }
  }
}
