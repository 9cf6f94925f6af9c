// Names on the bus (docs/design/kernel.md 7): cg.v1r4.{project}.{channel}.{cmd|evt}.{component}.{target}.{what}

export type Place = { project_id: string; channel?: string };

const ROOT = "cg.v1r4";

/** The channel of a run that names none. */
export const CHANNEL_DEFAULT = "public";

export const wakeupSubject = (at: Place & { worker_target: string }): string =>
  `${placeOf(at)}.cmd.agent.${encodeToken(at.worker_target)}.wakeup`;

export const eventSubject = (at: Place & { agent_id: string; event: string }): string =>
  `${placeOf(at)}.evt.agent.${encodeToken(at.agent_id)}.${encodeToken(at.event)}`;

/** Not under `evt.agent`, so that a stream of events does not store mere wake-up calls. */
export const journalSubject = (at: Place): string => `${placeOf(at)}.evt.sys.journal`;

/** Also not under `evt.agent` or `cmd.tool`: live text of a turn is worthless later. */
export const turnSubject = (at: Place & { agent_turn_id: string; what: TurnWord }): string =>
  `${placeOf(at)}.${at.what === "thinking" ? "evt" : "cmd"}.turn.${encodeToken(at.agent_turn_id)}.${at.what}`;

type TurnWord = "lease" | "watch" | "catch_up" | "thinking";

/** What to subscribe to, or to store in a stream, for every project. */
export const everywhere = {
  wakeups: `${ROOT}.*.*.cmd.agent.*.wakeup`,
  journals: `${ROOT}.*.*.evt.sys.journal`,
  turns: `${ROOT}.*.*.cmd.turn.*.*`,
  thinking: `${ROOT}.*.*.evt.turn.*.thinking`,
  events: `${ROOT}.*.*.evt.agent.>`,
  commands: `${ROOT}.*.*.cmd.tool.>`,
};

/**
 * The full subject of a tool's commands. Fills in `{project}` and `{channel}`, and puts a bare `cmd.tool.name` under the
 * project's own prefix. null = it leaves the project, the channel or `cmd.tool`, so nothing may be sent to it.
 */
export function commandSubject(at: Place & { target_subject: string }): string | null {
  const given = at.target_subject
    .replaceAll("{project}", at.project_id)
    .replaceAll("{channel}", at.channel ?? CHANNEL_DEFAULT);
  const subject = given.startsWith("cmd.") ? `${placeOf(at)}.${given}` : given;
  const head = `${placeOf(at)}.cmd.tool.`;
  return subject.startsWith(head) && /^[\w=-]+(\.[\w=-]+)*$/.test(subject.slice(head.length)) ? subject : null;
}

/**
 * Whether a tool of this project may have the subject: the rule of `commandSubject` before there is a call. A literal channel
 * is one of the project's, so it is accepted; runs of other channels do not ring it.
 */
export function isCommandSubject({
  project_id,
  target_subject,
}: {
  project_id: string;
  target_subject: string;
}): boolean {
  const named = target_subject.startsWith(`${ROOT}.`) ? target_subject.split(".")[3] : undefined;
  const channel = named === undefined || named === "" || named === "{channel}" ? CHANNEL_DEFAULT : decodeToken(named);
  return commandSubject({ project_id, channel, target_subject }) !== null;
}

export type ParsedSubject = Required<Place> & { path: string[] };

/** null = not one of ours. */
export function parseSubject(subject: string): ParsedSubject | null {
  const [family, version, project_id, channel, ...path] = subject.split(".").map(decodeToken);
  if (`${family}.${version}` !== ROOT || project_id === undefined || channel === undefined) return null;
  return { project_id, channel, path };
}

const placeOf = ({ project_id, channel }: Place): string =>
  `${ROOT}.${encodeToken(project_id)}.${encodeToken(channel ?? CHANNEL_DEFAULT)}`;

// A dot in a worker target would split it into two tokens, and a name from outside could contain a wildcard.
const encodeToken = (text: string): string =>
  Array.from(text, (sign) => (/[\w-]/.test(sign) ? sign : hexOf(sign))).join("");

const hexOf = (sign: string): string =>
  Array.from(new TextEncoder().encode(sign), (byte) => `=${byte.toString(16).padStart(2, "0")}`).join("");

const decodeToken = (token: string): string =>
  token.replace(/(=[0-9a-f]{2})+/g, (hex) =>
    new TextDecoder().decode(Uint8Array.from(hex.split("=").slice(1), (byte) => Number.parseInt(byte, 16))),
  );
