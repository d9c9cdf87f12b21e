/** What is nested that deep that its indentation is most of it is easier to read without. */
const MOST_INDENTATION = 4;

/** An argument or a setting as it is shown to a person. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  const dense = JSON.stringify(value) ?? 'undefined';
  const indented = JSON.stringify(value, undefined, 2) ?? dense;
  return indented.length > MOST_INDENTATION * dense.length ? dense : indented;
}
