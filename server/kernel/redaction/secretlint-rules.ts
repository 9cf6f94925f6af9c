// secretlint's recommended rules, run through the interface that secretlint gives its rules. Its own engine answers with a promise,
// and a hand-over is redacted in the middle of a transaction; its rules themselves report at once.
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import type { SecretLintRuleContext, SecretLintRuleReportDescriptor, SecretLintSourceCode } from "@secretlint/types";
import type { Hit } from "./hits";
import { hitOf, LEFT_OUT } from "./secretlint-kinds";

let reports: SecretLintRuleReportDescriptor[] = [];

const context: SecretLintRuleContext = {
  sharedOptions: {},
  // A message would contain the secret.
  createTranslator: () => (messageId, data) => ({ message: "", messageId: String(messageId), data }),
  report: (descriptor) => reports.push(descriptor),
  ignore: () => refuse("ignores a secret"),
};

const handlers = rules
  .filter(({ meta }) => !(meta.id in LEFT_OUT))
  .map((rule) => ({ id: rule.meta.id, handler: rule.create(context, {}) }));

export function findBySecretlint(text: string): Hit[] {
  reports = [];
  const source = sourceOf(text);
  for (const { id, handler } of handlers) {
    if (handler.file?.(source) !== undefined) throw new Error(`${id} answers later; what it reports would be missed`);
  }
  return reports.map((report) => hitOf(text, report));
}

// No path: a rule that looks at names of files finds a text of no name.
const sourceOf = (content: string): SecretLintSourceCode => ({
  content,
  hasBOM: false,
  contentType: "text",
  ext: "",
  filePath: undefined,
  physicalFilePath: undefined,
  getFilePath: () => undefined,
  getPhysicalFilePath: () => undefined,
  locationToRange: () => refuse("asks for lines"),
  rangeToLocation: () => refuse("asks for lines"),
  positionToIndex: () => refuse("asks for lines"),
  indexToPosition: () => refuse("asks for lines"),
});

function refuse(what: string): never {
  throw new Error(
    `A rule of secretlint ${what}, which redaction has no answer to. Leave the rule out, or add the answer.`,
  );
}
