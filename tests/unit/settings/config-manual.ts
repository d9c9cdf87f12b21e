import { z } from 'zod';
import { configSchema } from '../../../src-main/settings/config-schema.ts';
import { asZodType, withoutDefault } from '../../../src-main/settings/tolerant-parse.ts';

/** docs/CONFIG.md, from the schema. */
export function configManual(): string {
  const sections = Object.entries(configSchema.shape).map(([key, member]) => {
    const schema = asZodType(member);
    const inner = withoutDefault(schema);
    const meta = schema.meta();
    const lines = [`## \`${key}\``, '', meta?.description ?? '', ''];
    if (inner instanceof z.ZodObject) lines.push(...table(inner, true), '');
    else {
      lines.push(`Type: ${typeOf(schema)}. Default: ${defaultOf(schema)}.`, '');
      if (inner instanceof z.ZodRecord) lines.push('Each entry:', '', ...table(asZodType(inner.valueType), false), '');
    }
    const example = Array.isArray(meta?.examples) ? meta.examples[0] : undefined;
    if (example !== undefined) lines.push('```json', JSON.stringify({ [key]: example }, null, 2), '```', '');
    return lines.join('\n');
  });
  return `${introduction}\n${sections.join('\n')}`;
}

const introduction = `# config.json

Settings of a profile, in \`config.json\` in the profile folder (\`--profile DIR\`; default \`~/.config/Steward\`,
\`~/Library/Application Support/Steward\`, \`%APPDATA%\\Steward\`). The file is optional, and so is every key in it.

- It is JSON in UTF-8. Comments (\`// …\`, \`/* … */\`) and a comma after the last entry are allowed, and stay where they are when Steward saves a setting.
- A bad value is reported with its key and counts as not set; in lists and in \`providers\`, \`mcpServers\` and \`endpoints\` only the bad entry is left out.
  Everything else keeps working. Unknown keys are reported and kept.
- A file that is no valid JSON is reported with line and column and never overwritten: the next save keeps it as \`config.json.broken-1\`
  (\`-2\`, …) first.
- Changes take effect while the app runs. The app and any number of \`ask\` runs may change the file at the same time.
- A permission grant (\`workingDirectory\`, \`folders\`, \`endpoints\`, a provider's \`baseUrl\`, \`mcpServers\`, \`updates.check\`) takes effect
  only after you have confirmed exactly that value.
- Keys and tokens do not belong here: they are kept in the keychain of your system.
- The configuration wins over the environment. \`ANTHROPIC_BASE_URL\` is used where \`endpoints.anthropic\` is not set; from a \`.env\` file it is not read.

<!-- From here on rendered from src-main/settings/config-schema.ts: vitest run -u tests/unit/settings/config-manual.test.ts -->
`;

function table(schema: z.ZodType, withDefaults: boolean): string[] {
  const object = withoutDefault(schema);
  if (!(object instanceof z.ZodObject)) throw new TypeError('not an object schema');
  const rows = Object.entries(object.shape).map(([key, shape]) => {
    const member = asZodType(shape);
    const description = member.meta()?.description;
    if (description === undefined) throw new Error(`${key} has no description`);
    const standard = withDefaults || member.safeParse(undefined).success ? defaultOf(member) : requiredOrDerived(key);
    return `| \`${key}\` | ${typeOf(member)} | ${standard} | ${description} |`.replaceAll('\n', ' ');
  });
  return ['| key | type | default | meaning |', '|---|---|---|---|', ...rows];
}

function requiredOrDerived(key: string): string {
  return key === 'transport' ? 'see meaning' : 'required';
}

function defaultOf(schema: z.ZodType): string {
  const standard: unknown = schema.parse(undefined);
  return standard === undefined ? 'not set' : `\`${JSON.stringify(standard)}\``;
}

function typeOf(schema: z.ZodType): string {
  const expected = schema.meta()?.expected ?? withoutDefault(schema).meta()?.expected;
  if (expected === undefined) throw new Error('a key does not say what is expected');
  return expected;
}
