import { homedir } from 'node:os';
import { isAbsolute, join, normalize, parse } from 'node:path';
import { z } from 'zod';
import { baseUrl } from './endpoints.ts';

declare module 'zod' {
  interface GlobalMeta {
    /** Completes "expected …" in an error. */
    expected?: string;
  }
}

/** Values that several keys of config.json have. */

export const text = z.string().trim().min(1).max(1000);

/** Reports a refused value in the words of `reason`; the generic "is X; expected Y" could not. */
export function checked(check: (value: string) => { readonly value: string } | { readonly refused: string }) {
  return z.string().transform((value, context) => {
    const result = check(value);
    if ('value' in result) return result.value;
    context.addIssue({ code: 'custom', message: result.refused });
    return z.NEVER;
  });
}

/** An absolute folder, with `~` expanded and no trailing separator. Whether it exists is checked on use. */
export const folder = checked((value) => {
  if (value.includes('\0')) return { refused: 'holds a NUL character' };
  const written = value.trim();
  const expanded = written === '~' || /^~[\\/]/.test(written) ? join(homedir(), written.slice(1)) : written;
  if (!isAbsolute(expanded)) return { refused: 'is not an absolute path' };
  const whole = normalize(expanded);
  return { value: whole.length > parse(whole).root.length ? whole.replace(/(?<![\\/])[\\/]+$/, '') : whole };
}).meta({ expected: 'the absolute path of a folder ("~" stands for the home folder)' });

export const serviceUrl = checked((value) => {
  const result = baseUrl(value.trim());
  return 'url' in result ? { value: result.url } : result;
}).meta({ expected: 'an http or https URL without user name, query and fragment; a path prefix is allowed' });
