// A request in Google's wire format as text that a person can read and a fixture can hold: everything but the tools' schemas,
// with ids as numbers in the order in which they appear.
import type { WireRequest } from "./wire/wire-server";

type Part = {
  text?: string;
  functionCall?: { id?: string; name: string; args: unknown };
  functionResponse?: { id?: string; name: string; response: unknown };
  thoughtSignature?: string;
};
export type GoogleBody = {
  systemInstruction: { parts: { text: string }[] };
  contents: { role: string; parts: Part[] }[];
  tools: { functionDeclarations: { name: string }[] }[];
};

export function showGoogleRequest({ path, body }: Pick<WireRequest, "path" | "body">): string {
  const { systemInstruction, contents, tools, ...rest } = body as GoogleBody;
  const sections = [
    `${path}\n${JSON.stringify(rest)}\ntools: ${tools.flatMap((t) => t.functionDeclarations.map((f) => f.name)).join(", ")}`,
    `=== system\n${systemInstruction.parts.map((part) => part.text).join("\n--- part\n")}`,
    ...contents.map(({ role, parts }) => `=== ${role}\n${parts.map(showPart).join("\n--- part\n")}`),
  ];
  return numbered(`${sections.join("\n\n")}\n`);
}

function showPart({ text, functionCall, functionResponse, thoughtSignature, ...rest }: Part): string {
  const signed = thoughtSignature === undefined ? [] : [`signed ${thoughtSignature}`];
  const other = Object.keys(rest).length > 0 ? [JSON.stringify(rest)] : [];
  if (functionCall)
    return [`call ${functionCall.name} ${functionCall.id}`, indented(functionCall.args), ...signed, ...other].join(
      "\n",
    );
  if (functionResponse) {
    const { name, id, response } = functionResponse;
    return [`result of ${name} ${id}`, indented(response), ...signed, ...other].join("\n");
  }
  return [text, ...signed, ...other].join("\n");
}

const indented = (value: unknown): string => JSON.stringify(value, null, 2);

/** Ids of ours hold 32 hexadecimal digits; a client names calls that came without a name. */
function numbered(text: string): string {
  const ids = [...text.matchAll(/[0-9a-f]{32}|(?<=^(?:call|result of) \w+ )\S+$/gm)].map(([id]) => id);
  return [...new Set(ids)].reduce((shown, id, n) => shown.replaceAll(id, `<${n + 1}>`), text);
}
