import type { DailyUsageRow, PriceRow, usage } from '../../../src-preload/contract/usage.ts';
import { compactAbove } from '../../assistant/context-window.ts';
import { ownValue } from '../../base/json.ts';
import { ModelChoiceError } from '../../models/registry.ts';
import type { ModelsPart, ProfilePart, SettingsPart } from '../../services.ts';
import { SettingsError } from '../../settings/problems.ts';
import { localDay } from '../../storage/records/count-usage.ts';
import type { Desktop } from '../desktop-port.ts';
import { needGesture } from '../gesture.ts';
import type { Handlers } from '../handlers.ts';
import { IpcError } from '../ipc-error.ts';
import { saveText } from '../save-text.ts';

type UsageServices = ProfilePart & SettingsPart & ModelsPart;

export interface UsagePorts {
  readonly services: UsageServices;
  readonly desktop: Pick<Desktop, 'takeGesture' | 'chooseFileToSave'>;
  readonly onChanged: () => void;
}

/** Models that were used within these days have a row in the price table. */
const PRICED_DAYS = 30;

export function usageHandlers({ services, desktop, onChanged }: UsagePorts): Handlers<typeof usage> {
  const { storage, settings } = services;
  const within = (days: number) => storage.usage.since(firstOf(days, new Date()));

  return {
    totals: ({ days }) => ({ today: localDay(new Date()), rows: within(days) }),

    ofConversation: ({ id }) => storage.usage.ofConversation(id),

    exportCsv: async ({ days }, circumstances) => {
      needGesture(desktop, circumstances);
      const path = await desktop.chooseFileToSave(`steward-usage-${localDay(new Date())}.csv`);
      if (path === null) return null;
      await saveText(path, usageCsv(within(days)), 'The usage');
      return { path };
    },

    prices: () => priceRows(services),

    setPrice: async ({ key, price }, circumstances) => {
      needGesture(desktop, circumstances);
      try {
        await settings.update(({ prices }) => ({ prices: withPrice(prices, key, price) }));
      } catch (error) {
        if (error instanceof SettingsError) throw new IpcError('unusable_price', error.message, { cause: error });
        throw error;
      }
      onChanged();
      return priceRows(services);
    },

    context: async () => {
      const { type, label, limits } = await services.modelFacts(undefined);
      if (type === 'guide') return null;
      return { model: label, tokens: limits.contextTokens, compactAbove: Math.round(compactAbove(limits)) };
    },
  };
}

/** The first of so many days that end today. */
function firstOf(days: number, today: Date): string {
  return localDay(new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1));
}

type OwnPrices = SettingsPart['config']['prices'];
type GivenPrice = Parameters<Handlers<typeof usage>['setPrice']>[0]['price'];

/** A key in another case is the same one. */
function withPrice(prices: OwnPrices, key: string, price: GivenPrice): OwnPrices {
  const others = Object.entries(prices).filter(([each]) => each.toLowerCase() !== key.toLowerCase());
  if (price === null) return Object.fromEntries(others);
  const { source = '', ...rates } = price;
  const entry = { ...rates, ...(source === '' ? {} : { source }), date: localDay(new Date()) };
  return Object.fromEntries([...others, [key, entry]]);
}

async function priceRows(services: UsageServices): Promise<PriceRow[]> {
  const { config, storage } = services;
  const used = storage.usage.since(firstOf(PRICED_DAYS, new Date()));
  const keys = [
    ...(await answeringKey(services)),
    ...used.map(({ provider, model }) => `${provider}:${model}`),
    ...Object.entries(config.providers).map(([name, { model }]) => `${name}:${model}`),
    ...Object.keys(config.prices),
  ];
  const unique = new Map(keys.map((key) => [key.toLowerCase(), key]));
  const rows = await Promise.all([...unique.values()].map((key) => priceRow(key, services)));
  return rows.sort((a, b) => a.key.localeCompare(b.key));
}

async function answeringKey(services: ModelsPart): Promise<string[]> {
  const facts = await factsOf(undefined, services);
  return facts === undefined || facts.type === 'guide' ? [] : [`${facts.provider}:${facts.model}`];
}

async function priceRow(key: string, services: UsageServices): Promise<PriceRow> {
  const own = ownValue(services.config.prices, key);
  // A wildcard, and a provider that is no longer configured, have only what config.json says.
  const facts = key.endsWith(':*') ? undefined : await factsOf(key, services);
  const price =
    facts?.price ?? (own && { ...own, cacheRead: own.cacheRead ?? own.input, cacheWrite: own.cacheWrite ?? own.input });
  const { longPrompt = null, source = null, date = null } = price ?? {};
  return {
    key,
    longPrompt,
    source,
    date,
    ownKey: facts?.ownPriceKey ?? (own === undefined ? null : key),
    rates: price === undefined ? null : ratesOf(price),
  };
}

function ratesOf({
  input,
  output,
  cacheRead,
  cacheWrite,
}: NonNullable<PriceRow['rates']>): NonNullable<PriceRow['rates']> {
  return { input, output, cacheRead, cacheWrite };
}

/** The facts of a model, or undefined if it can't be used. */
async function factsOf(specification: string | undefined, services: ModelsPart) {
  try {
    return await services.modelFacts(specification);
  } catch (error) {
    if (error instanceof ModelChoiceError) return undefined;
    throw error;
  }
}

const CSV_HEAD =
  'day,provider,model,requests,input_tokens,output_tokens,cache_read_tokens,cache_write_tokens,cost_usd,requests_without_cost';

/** The oldest day first. */
function usageCsv(rows: readonly DailyUsageRow[]): string {
  const lines = rows.toReversed().map((row) => {
    const { day, provider, model, requests, input, output, cacheRead, cacheWrite, costUsd, unpriced } = row;
    const cells = [day, provider, model, requests, input, output, cacheRead, cacheWrite, costUsd.toFixed(6), unpriced];
    return cells.map(csvCell).join(',');
  });
  return [CSV_HEAD, ...lines, ''].join('\r\n');
}

function csvCell(value: string | number): string {
  // Providers and services name models, and a spreadsheet would calculate a name that begins like a formula.
  const text = typeof value === 'string' ? value.replace(/^[=+\-@\t\r]/, "'$&") : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
