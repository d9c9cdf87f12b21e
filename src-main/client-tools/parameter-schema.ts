import type { Ajv } from 'ajv';

/** Meta-schemas of other drafts are not at hand: what is valid there is repaired when it is sent to a model. */
const UNCHECKED = /json-schema\.org\/draft-0[346]\//;
const OLDER = /json-schema\.org\/draft-07\//;

type Validator = Pick<Ajv, 'validateSchema' | 'errorsText' | 'errors'>;
const OPTIONS = { strict: false, logger: false, validateFormats: false } as const;
let validators: { readonly draft07: Validator; readonly draft2020: Validator } | undefined;

/** Before the first `schemaProblem`: most runs have no client whose schemas are to be checked. */
export async function loadSchemaChecks(): Promise<void> {
  if (validators !== undefined) return;
  const [{ Ajv: Draft07 }, { Ajv2020 }] = await Promise.all([import('ajv'), import('ajv/dist/2020.js')]);
  validators ??= { draft07: new Draft07(OPTIONS), draft2020: new Ajv2020(OPTIONS) };
}

export function hasSchemaChecks(): boolean {
  return validators !== undefined;
}

/**
 * Why it is no valid JSON Schema of its draft (default: 2020-12); `undefined`: it is one. It is only held against the
 * meta-schema: nothing of it is compiled or resolved. Throws `TypeError` before `loadSchemaChecks`.
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
