import { builtInTools } from '../../../src-main/tools/built-in-tools.ts';
import type { JsonSchema, Tool, Undo } from '../../../src-main/tools/contract.ts';
import type { Registration } from '../../../src-main/tools/registry/registry.ts';

/** docs/TOOLS.md, from the registry. */
export function toolsManual(): string {
  return [introduction, index(), '', ...builtInTools.map(section)].join('\n');
}

const introduction = `# Tools

What models (and you, with \`/tool_name {…}\`) can have Steward do. A model is told the name, the description and the parameters of every
tool that is switched on, as long as there are no more than 128; it finds further ones with \`find_tools\`. \`/tools\` and Settings → Tools list them and
switch them on and off.

- Names are found in any letter case, and by the aliases given here.
- A parameter that is absent or null has its default. Values are converted where that is possible without guessing (\`"5"\` → 5, \`"true"\` →
  true, a single value → a list of one), numbers are brought into their range, and parameters that a tool does not know are ignored.
- A failure is a text too: it begins with \`Error\` or says what went wrong in the tool's own words.
- A result longer than \`tools.maxResultChars\` is cut for the model, with a note; you see the whole. Tools with a cap of their own say so below.
- Class: **read** does not ask inside the workspace and the folders that you granted; **write** asks unless a rule of yours allows edits in that
  folder; **execute** asks unless it only reads or a rule allows exactly that command in that folder; **network** does not ask for public addresses as long as nothing
  private could leave with it; **send** acts in your name and always asks. Addresses of your own machine and network always ask first.
- What writes only to Steward's own memory or to-do list does not ask; memory does while text from outside is in the
  conversation.
- Undone: what \`/undo\` and the Undo button can put back.

<!-- From here on rendered from src-main/tools/built-in-tools.ts: vitest run -u tests/unit/tools/tools-manual.test.ts -->
`;

function index(): string {
  const rows = builtInTools.map(({ tool, gate }) => {
    const aliases = tool.nameAliases.map((alias) => `\`${alias}\``).join(', ');
    return `| [${tool.name}](#${tool.name}) | ${tool.access} | ${gate?.needs ?? ''} | ${aliases} |`;
  });
  return ['| tool | class | needs | aliases |', '|---|---|---|---|', ...rows].join('\n');
}

function section({ tool, gate, overlaps }: Registration): string {
  const { manual } = tool;
  if (manual === undefined) throw new Error(`${tool.name} has no manual`);
  const facts = [
    `Class: ${tool.access}.`,
    ...(gate === undefined ? [] : [`Needs ${gate.needs}.`]),
    ...(tool.nameAliases.length === 0 ? [] : [`Also reached as ${tool.nameAliases.map(code).join(', ')}.`]),
    UNDONE[tool.undo],
    ...(overlaps === true ? ['Left out of the `lean` profile.'] : []),
  ];
  const limits = [...(manual.limits ?? []), ...(tool.hasOwnResultCap ? ['Has its own cap on the result.'] : [])];
  return [
    `## ${tool.name}`,
    '',
    tool.description,
    '',
    facts.join(' '),
    '',
    ...parameters(tool),
    '',
    ...(limits.length === 0 ? [] : ['Limits:', '', ...limits.map((limit) => `- ${limit}`), '']),
    '```',
    `/${tool.name} ${JSON.stringify(manual.example)}`,
    '```',
    '',
  ].join('\n');
}

const UNDONE: Readonly<Record<Undo, string>> = {
  'before-image': 'Can be undone: the files that it changes are kept as they were.',
  checkpoint: 'What it changes in the workspace and the granted folders can be undone; nothing else can.',
  nothing: 'Changes no files, so there is nothing to put back.',
  impossible: 'Cannot be undone.',
};

function parameters(tool: Tool): string[] {
  const rows = rowsOf(tool.inputSchema, '', tool.parameterAliases);
  if (rows.length === 0) return ['No parameters.'];
  return ['| parameter | type | required | default | meaning |', '|---|---|---|---|---|', ...rows];
}

/** A row for each property, and for each of what the items of a list hold: `todos[].content`. */
function rowsOf({ properties, required }: JsonSchema, above: string, aliasesOf: Tool['parameterAliases']): string[] {
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(recordOf(properties)).flatMap(([name, property]) => {
    const schema = recordOf(property);
    const aliases = Object.entries(aliasesOf).flatMap(([alias, of]) => (of === name ? [code(alias)] : []));
    const standard = schema.default === undefined ? '–' : code(JSON.stringify(schema.default));
    const cells = [
      [code(above + name), ...aliases].join(', '),
      typeOf(schema),
      needed.includes(name) ? 'yes' : 'no',
      standard,
      `${schema.description ?? ''}${range(schema)}`,
    ];
    const row = `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`;
    return [row, ...rowsOf(recordOf(schema.items), `${above}${name}[].`, {})];
  });
}

function typeOf(schema: JsonSchema): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => code(String(value))).join(', ');
  if (schema.type === 'array') return `array of ${typeOf(recordOf(schema.items))}`;
  return typeof schema.type === 'string' ? schema.type : 'any value';
}

function range({ minimum, maximum }: JsonSchema): string {
  const [from, to] = [minimum, maximum].map((bound) =>
    typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound.toLocaleString('en-US') : undefined,
  );
  if (from === undefined) return to === undefined ? '' : ` (at most ${to})`;
  return to === undefined ? ` (at least ${from})` : ` (${from} to ${to})`;
}

function recordOf(value: unknown): JsonSchema {
  return Object(value);
}

function code(text: string): string {
  return `\`${text}\``;
}
