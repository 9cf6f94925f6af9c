// A model of an agent's head: what each transaction may do to it. Pure; head-acts.ts does the same to the database.
import type { Possible } from "./machine";

export type Turn = {
  status: string;
  epoch: number;
  attempt: number;
  cards: number /** Inbox row of the turn itself. */;
  row: string;
};
export type Wait = { turn: string; status: string /** Inbox row of its result. */; row: string };
export type Head = {
  status: string;
  epoch: number;
  active: string | null;
  holder: string | null;
  /** By the name of the act that queued it. */
  turns: Record<string, Turn>;
  calls: Record<string, Wait>;
};

export const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** The names in the order they are reported. */
export function sorted(state: Head): Head {
  const inOrder = <T>(of: Record<string, T>) => Object.fromEntries(Object.entries(of).sort(byName));
  return { ...state, turns: inOrder(state.turns), calls: inOrder(state.calls) };
}

export type Key = { project_id: string; agent_turn_id: string; turn_epoch: number };
export type IsLive = (state: Head, status: string) => boolean;

export const pick = <T>(from: T[], at: number): T => {
  const one = from[Math.floor(at * from.length)];
  if (one === undefined) throw new Error("there is nothing to pick from");
  return one;
};
export const turnIn = (state: Head, name: string): Turn => {
  const turn = state.turns[name];
  if (!turn) throw new Error(`the model has no turn ${name}`);
  return turn;
};
/** The only outcome of a write under a lease: it is written or fenced. */
export const leased =
  (isLive: (state: Head) => boolean, word: string, change: (state: Head) => Possible<Head>[]) =>
  (state: Head): Possible<Head>[] =>
    isLive(state) ? change(state).map((next) => ({ said: word, ...next })) : [{ state, said: "fenced" }];

export const isOver = (turn: Turn) => ["success", "canceled", "failed"].includes(turn.status);

/** An idle head takes the oldest waiting turn; those of one round may have arrived in any order. */
export function lease(state: Head): Possible<Head>[] {
  const queued = Object.keys(state.turns).filter((name) => turnIn(state, name).status === "queued");
  if (state.status !== "idle" || queued.length === 0) return [{ state: sorted(state) }];
  return queued.map((name) => {
    const next = structuredClone(state);
    const epoch = next.epoch + 1;
    next.turns[name] = { ...turnIn(next, name), status: "dispatched", epoch, row: "pending" };
    return { state: sorted({ ...next, status: "dispatched", epoch, active: name, holder: null }) };
  });
}

export function finishTurn(state: Head, name: string, status: string, epochStep: number): Possible<Head>[] {
  const turn = turnIn(state, name);
  const wasActive = state.active === name;
  const epoch = wasActive ? state.epoch + epochStep : turn.epoch;
  const row = turn.row === "queued" ? "skipped" : "consumed";
  state.turns[name] = { ...turn, status, epoch, cards: turn.cards + 1, row };
  for (const [call, wait] of Object.entries(state.calls))
    if (wait.turn === name)
      state.calls[call] = {
        ...wait,
        status: wait.status === "applied" ? "applied" : "dropped",
        row: wait.row === "none" ? "none" : "consumed",
      };
  return lease(wasActive ? { ...state, status: "idle", epoch, active: null, holder: null } : state);
}

/** `tries`: 1 if its worker was lost, 0 if it was handed on. */
export function requeued(state: Head, name: string, tries: 0 | 1): Possible<Head>[] {
  const turn = turnIn(state, name);
  const epoch = state.epoch + 1;
  state.turns[name] = { ...turn, status: "dispatched", epoch, attempt: turn.attempt + tries, row: "pending" };
  return [{ state: { ...state, status: "dispatched", epoch, holder: null } }];
}

/** Puts results that have arrived into the box: all of a turn's, or one. */
export function applied(state: Head, name: string, only?: string): number {
  const came = Object.entries(state.calls).filter(
    ([call, wait]) => wait.turn === name && wait.status === "received" && (only === undefined || call === only),
  );
  for (const [call, wait] of came) state.calls[call] = { ...wait, status: "applied", row: "consumed" };
  const turn = turnIn(state, name);
  state.turns[name] = { ...turn, cards: turn.cards + came.length };
  return came.length;
}

export const openCalls = (state: Head, name: string): Wait[] =>
  Object.values(state.calls).filter((wait) => wait.turn === name && ["waiting", "received"].includes(wait.status));
