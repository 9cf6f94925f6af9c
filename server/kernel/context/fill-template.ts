// Prompts are templates: {{ and }} stand for braces, known {placeholders} are filled, unknown ones are kept.

/** Filled text is not scanned again: a value with braces in it is not changed. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_.]{0,63})\}/g, (whole, name: string | undefined) => {
    if (whole === "{{") return "{";
    if (whole === "}}") return "}";
    return name !== undefined && Object.hasOwn(values, name) ? (values[name] ?? whole) : whole;
  });
}
