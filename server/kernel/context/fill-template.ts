// Prompts are templates as people write them: {{ and }} stand for braces, known {placeholders} are filled, unknown ones kept.

/** Filled text is not scanned again: a value with braces in it stays as it is. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_.]{0,63})\}/g, (whole, name: string | undefined) => {
    if (whole === "{{") return "{";
    if (whole === "}}") return "}";
    return name !== undefined && Object.hasOwn(values, name) ? (values[name] ?? whole) : whole;
  });
}
