import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { systemCode } from '../base/errors.ts';
import { parsedJson } from '../base/json.ts';
import { renameOver } from '../base/rename-over.ts';
import { replaceFile } from '../base/replace-file.ts';
import type { ListedModel } from '../models/provider.ts';

const limit = z.number().int().positive().max(1e9).optional().catch(undefined);
const rate = z.number().min(0).max(1e6);
const rates = z.object({ input: rate, output: rate, cacheRead: rate, cacheWrite: rate });
const flag = z.boolean().optional().catch(undefined);

const listedModel = z.object({
  id: z.string().min(1).max(500),
  name: z.string().max(500).optional().catch(undefined),
  limits: z.object({ contextTokens: limit, maxOutputTokens: limit }).optional().catch(undefined),
  price: rates
    .extend({ longPrompt: rates.extend({ overTokens: rate }).optional() })
    .optional()
    .catch(undefined),
  capabilities: z
    .object({
      tools: flag,
      images: flag,
      audio: flag,
      documents: flag,
      deferredTools: flag,
      efforts: z
        .array(z.enum(['none', 'low', 'medium', 'high', 'max']))
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/** More than any service offers; the rest is dropped. */
const MAX_MODELS = 5_000;

const record = z.object({
  /** What the entry was about: another address's models are not this one's. */
  place: z.string(),
  listedAt: z.iso.datetime().nullable(),
  models: z.array(listedModel),
  test: z
    .object({ works: z.boolean(), code: z.string(), message: z.string(), at: z.iso.datetime() })
    .nullable()
    .catch(null),
});

/** The result of a provider's last test. Times are ISO 8601. */
type LastTest = NonNullable<z.output<typeof record>['test']>;

export interface CachedService {
  /** The time at which the service was asked for its models, or null if it never was. */
  readonly listedAt: string | null;
  /** The models by id, in the service's order. */
  readonly models: ReadonlyMap<string, ListedModel>;
  readonly test: LastTest | null;
}

const NOTHING: CachedService = { listedAt: null, models: new Map(), test: null };

/**
 * What the services of providers said last: their models, and whether a test worked. A file per provider in the
 * profile's `cache/models/` instead of a table: it can be fetched again, so it belongs in no backup, and a version that
 * keeps it differently only has to ignore it.
 */
export class ModelCache {
  readonly #folder: string;
  readonly #known = new Map<string, { readonly place: string; readonly service: CachedService }>();

  constructor(profileDirectory: string) {
    this.#folder = join(profileDirectory, 'cache', 'models');
  }

  /** `place` is type and address. What was kept of another place does not count. */
  async of(provider: string, place: string): Promise<CachedService> {
    const known = this.#known.get(provider) ?? (await this.#read(provider));
    return known?.place === place ? known.service : NOTHING;
  }

  /** Keeps this of a provider, and what is known of the rest. */
  async keep(
    provider: string,
    place: string,
    news: { readonly models?: readonly ListedModel[]; readonly test?: LastTest | null },
  ): Promise<CachedService> {
    const before = await this.of(provider, place);
    const { models = undefined, test = before.test } = news;
    const service: CachedService = {
      listedAt: models === undefined ? before.listedAt : new Date().toISOString(),
      models: models === undefined ? before.models : byId(models.slice(0, MAX_MODELS)),
      test,
    };
    this.#known.set(provider, { place, service });
    const text = JSON.stringify({ place, ...service, models: [...service.models.values()] });
    // If this fails, the list is fetched again.
    await this.#write(provider, text).catch(() => undefined);
    return service;
  }

  async forget(provider: string): Promise<void> {
    this.#known.delete(provider);
    await rm(this.#fileOf(provider), { force: true }).catch(() => undefined);
  }

  /** Moves what is known to a provider's new name. */
  async rename(provider: string, name: string): Promise<void> {
    this.#known.delete(provider);
    this.#known.delete(name);
    // If this fails, the list is fetched again.
    await renameOver(this.#fileOf(provider), this.#fileOf(name)).catch(() => undefined);
  }

  async #read(provider: string) {
    const text = await readFile(this.#fileOf(provider), 'utf8').catch(() => undefined);
    const parsed = record.safeParse(text === undefined ? undefined : parsedJson(text));
    if (!parsed.success) return undefined;
    const { place, models, ...rest } = parsed.data;
    const known = { place, service: { ...rest, models: byId(models) } };
    this.#known.set(provider, known);
    return known;
  }

  async #write(provider: string, text: string): Promise<void> {
    // Not recursive, so that a deleted profile is not recreated.
    for (const folder of [dirname(this.#folder), this.#folder])
      await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
        if (systemCode(error) !== 'EEXIST') throw error;
      });
    await replaceFile(this.#fileOf(provider), text);
  }

  /** A provider's name may contain characters that a file's may not. */
  #fileOf(provider: string): string {
    return join(this.#folder, `${createHash('sha256').update(provider).digest('hex').slice(0, 32)}.json`);
  }
}

function byId(models: readonly ListedModel[]): ReadonlyMap<string, ListedModel> {
  return new Map(models.map((model) => [model.id, model]));
}
