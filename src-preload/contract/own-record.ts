import { z } from 'zod';

/** zod leaves this key out, because on most objects it can't be set. */
const PROTO = '__proto__';
const IN_ITS_PLACE = '\u0000__proto__';

/**
 * Reads texts like `z.record`, but each key becomes an own property, even `__proto__`: a header, a variable or a
 * parameter can have that name and must not get lost. `isName` says which keys are valid.
 */
export function ownRecord<Value extends z.ZodType>(
  value: Value,
  isName: (name: string) => boolean = () => true,
): z.ZodType<Record<string, z.output<Value>>, Record<string, z.input<Value>>> {
  const name = z.string().refine((given) => isName(given === IN_ITS_PLACE ? PROTO : given));
  const schema = z
    .preprocess((given) => withKeyRenamed(given, PROTO, IN_ITS_PLACE), z.record(name, value))
    .transform((read) => withKeyRenamed(read, IN_ITS_PLACE, PROTO));
  // zod gives what is preprocessed the type `unknown`.
  return schema as z.ZodType<Record<string, z.output<Value>>, Record<string, z.input<Value>>>;
}

function withKeyRenamed<Given>(given: Given, from: string, to: string): Given {
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, from)) return given;
  const entries = Object.entries(given).map(([name, value]) => [name === from ? to : name, value]);
  return Object.fromEntries(entries) as Given;
}
