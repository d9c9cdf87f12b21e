import semver from 'semver';
import { parse } from 'yaml';
import { z } from 'zod';
import { errorMessage } from '../../base/errors.ts';
import { UpdateProblem } from './update-problem.ts';

const MAX_VERSION_LENGTH = 64;
const MAX_FILE = 1_000_000_000;

/** A file name without folders, so that it stays where it is put and on the server that it was announced by. */
const releaseFile = z.object({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,149}$/),
  bytes: z.int().min(1).max(MAX_FILE),
  /** The checksum in Base64. */
  sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
});

export const release = z.object({
  version: z
    .string()
    .max(MAX_VERSION_LENGTH)
    .refine((value) => semver.valid(value) === value),
  releasedAt: z.iso.datetime().nullable(),
  files: z.array(releaseFile).min(1).max(50),
});

export type ReleaseFile = z.output<typeof releaseFile>;
export type Release = z.output<typeof release>;

/** The form of `latest.yml` and its like, as electron-builder writes them. */
const announcement = z
  .object({
    version: z.unknown(),
    releaseDate: z.iso.datetime().optional().catch(undefined),
    files: z.array(z.object({ url: z.unknown(), size: z.unknown(), sha512: z.unknown() })).max(50),
  })
  .transform(({ version, releaseDate, files }) => ({
    version,
    releasedAt: releaseDate ?? null,
    files: files.map(({ url, size, sha512 }) => ({ name: url, bytes: size, sha512 })),
  }))
  .pipe(release);

/** Reads the announcement of a release, whose text may be anything. Throws `UpdateProblem` (`unusable`). */
export function parseRelease(text: string): Release {
  const parsed = announcement.safeParse(parsedYaml(text));
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  throw new UpdateProblem('unusable', `${first?.path.join('.') || 'it'} is not what was expected`);
}

function parsedYaml(text: string): unknown {
  try {
    // Only JSON's types are read, and nothing that grows when it is read.
    return parse(text, { schema: 'core', maxAliasCount: 0, logLevel: 'error' });
  } catch (error) {
    throw new UpdateProblem('unusable', 'it is not YAML', { cause: errorMessage(error) });
  }
}

/** A test version is offered only to people who run one. */
export function isNewer(version: string, running: string): boolean {
  const isTest = semver.prerelease(version) !== null && semver.prerelease(running) === null;
  return !isTest && semver.gt(version, running);
}
