import type { Ajv } from 'ajv';

/** Meta-schemas of other drafts are not at hand: what is valid there is repaired when it is sent to a model. */
const UNCHECKED = /json-schema\.org\/draft-0[346]\//;
const OLDER = /json-schema\.org\/draft-07\//;

type Validator = Pick<Ajv, 'validateSchema' | 'errorsText' | 'errors'>;
const OPTIONS = { strict: false, logger: false, validateFormats: false } as const;
let validators: { readonly draft07: Validator; readonly draft2020: Validator } | undefined;

/** Has to be called before the first `schemaProblem`. Most runs have no client whose schemas are to be checked. */
export async function loadSchemaChecks(): Promise<void> {
  if (validators !== undefined) return;
  const [{ Ajv: Draft07 }, { Ajv2020 }] = await Promise.all([import('ajv'), import('ajv/dist/2020.js')]);
  validators ??= { draft07: new Draft07(OPTIONS), draft2020: new Ajv2020(OPTIONS) };
}

export function hasSchemaChecks(): boolean {
  return validators !== undefined;
}

/**
 * Why this is no valid JSON Schema of its draft, or undefined if it is one. If it names no draft, it is 2020-12. It is
 * only compared with the meta-schema, and nothing of it is compiled or resolved. Throws `TypeError` before
 * `loadSchemaChecks`.
 */
export function schemaProblem(schema: Readonly<Record<string, unknown>>): string | undefined {
  const { $schema: dialect = '', ...rest } = schema;
  if (typeof dialect !== 'string') return '$schema must be a string';
  if (UNCHECKED.test(dialect)) return undefined;
  if (validators === undefined) throw new TypeError('The checks of schemas are not loaded');
  const validator = OLDER.test(dialect) ? validators.draft07 : validators.draft2020;
  if (validator.validateSchema(rest) === true) return undefined;
  return validator.errorsText(validator.errors?.slice(0, 1), { dataVar: 'schema' });
}
