// The redaction engine as the pure builder takes it.
import { deniedPath } from "../redaction/denied-path";
import { redactText, redactValue } from "../redaction/redact";
import { RULESET } from "../redaction/ruleset";
import type { Redactor } from "./build/outcome";

export const redactor: Redactor = { ruleset: RULESET, text: redactText, value: redactValue, denied: deniedPath };
