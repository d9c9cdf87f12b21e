import { isRecord } from '../../../src-main/base/json.ts';

type Json = Readonly<Record<string, unknown>>;

/** Deeper objects have only what they require: schemas may contain themselves. */
const MAX_DEPTH = 5;
/** A text of each kind that a careless client takes for something else. */
const TEXTS = ['a text', '7', 'true', '{"a":1}', 'null', 'Ünïcode 日本 🙂', '', ' spaces  around\n', '[1,2]', '007'];
/** The next one is none that a double holds. */
const LARGE = Number.MAX_SAFE_INTEGER;

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-11-24T10:00:00Z',
  date: '2026-11-24',
  time: '10:00:00Z',
  uri: 'https://example.com/a?b=c',
  url: 'https://example.com/a?b=c',
  email: 'ada@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  ipv4: '192.0.2.1',
};

/**
 * Arguments that fit a tool's schema by type: only what is required, everything, and everything in other variants,
 * among them null and further parameters where the schema allows them. Always the same for a schema.
 */
export function generatedArguments(inputSchema: Json): readonly Json[] {
  const given = [
    generated(inputSchema, 0, false),
    ...[0, 1, 2].map((variant) => generated(inputSchema, variant, true)),
  ];
  const texts = new Set<string>();
  return given.filter((each) => {
    const text = JSON.stringify(each);
    return texts.has(text) ? false : texts.add(text);
  });
}

function generated(root: Json, variant: number, isWhole: boolean): Json {
  return new Generator(root, variant, isWhole).object(root, 0);
}

class Generator {
  readonly #root: Json;
  readonly #variant: number;
  /** With what is optional. */
  readonly #isWhole: boolean;
  #count = 0;

  constructor(root: Json, variant: number, isWhole: boolean) {
    this.#root = root;
    this.#variant = variant;
    this.#isWhole = isWhole;
  }

  object(given: Json, depth: number): Json {
    const node = this.#resolved(given);
    const properties = isRecord(node.properties) ? node.properties : {};
    const required: readonly unknown[] = Array.isArray(node.required) ? node.required : [];
    const isShallow = depth <= MAX_DEPTH;
    const names = Object.keys(properties).filter((name) => (this.#isWhole && isShallow) || required.includes(name));
    const made: Record<string, unknown> = {};
    for (const name of names) define(made, name, this.#value(properties[name], depth + 1, required.includes(name)));
    for (const name of required) if (typeof name === 'string' && !Object.hasOwn(made, name)) define(made, name, 'x');
    if (this.#isWhole && isShallow && this.#variant === 2 && isOpen(node)) {
      const of = isRecord(node.additionalProperties) ? node.additionalProperties : {};
      define(made, 'unlisted', this.#value(of, depth + 1, true));
    }
    return made;
  }

  #value(given: unknown, depth: number, isRequired: boolean): unknown {
    const node = this.#resolved(isRecord(given) ? given : {});
    if ('const' in node) return node.const;
    if (Array.isArray(node.enum) && node.enum.length > 0) return this.#oneOf(node.enum);
    const types = typesOf(node);
    const usable = isRequired && this.#variant === 0 ? types.filter((type) => type !== 'null') : types;
    return this.#ofType(String(this.#oneOf(usable.length === 0 ? types : usable)), node, depth);
  }

  #ofType(type: string, node: Json, depth: number): unknown {
    switch (type) {
      case 'null':
        return null;
      case 'boolean':
        return typeof node.default === 'boolean' ? !node.default : this.#variant % 2 === 0;
      case 'integer':
      case 'number':
        return this.#number(type, node);
      case 'array':
        return this.#array(node, depth);
      case 'object':
        return depth > 5 * MAX_DEPTH ? {} : this.object(node, depth);
      default:
        return this.#text(node);
    }
  }

  #number(type: string, node: Json): unknown {
    const least = numberOf(node.minimum) ?? (numberOf(node.exclusiveMinimum) ?? Number.NaN) + 1;
    const most = numberOf(node.maximum) ?? (numberOf(node.exclusiveMaximum) ?? Number.NaN) - 1;
    const isBounded = !Number.isNaN(least) || !Number.isNaN(most);
    if (!isBounded && this.#variant === 2) return type === 'integer' ? LARGE : 0.1;
    if (!isBounded) return this.#oneOf([3, 0, -1]);
    return this.#variant === 1 ? firstOf(most, least) : firstOf(least, most);
  }

  #array(node: Json, depth: number): unknown {
    const least = numberOf(node.minItems) ?? 0;
    const length = Math.max(least, depth > MAX_DEPTH ? 0 : this.#variant);
    const most = Math.min(length, numberOf(node.maxItems) ?? length);
    const items = Array.isArray(node.items) ? node.items : undefined;
    return Array.from({ length: most }, (_, index) => this.#value(items?.[index] ?? node.items, depth + 1, true));
  }

  #text(node: Json): string {
    const ofFormat = typeof node.format === 'string' ? FORMATS[node.format] : undefined;
    if (ofFormat !== undefined) return ofFormat;
    const [least, most] = [numberOf(node.minLength), numberOf(node.maxLength)];
    // Lengths are counted in characters.
    if (least !== undefined || most !== undefined) return 'x'.repeat(Math.max(least ?? 0, Math.min(6, most ?? 6)));
    return String(this.#oneOf(TEXTS));
  }

  /** Another one at each place, and in each variant. */
  #oneOf<T>(values: readonly T[]): T | undefined {
    return values[(this.#variant + (this.#isWhole ? this.#count++ : 0)) % values.length];
  }

  /** The schema without references and alternatives; what several schemas must hold at once is put together. */
  #resolved(given: Json, seen = 0): Json {
    if (seen > 20) return {};
    if (typeof given.$ref === 'string') {
      const { $ref, ...beside } = given;
      return this.#resolved({ ...this.#target($ref), ...beside }, seen + 1);
    }
    if (Array.isArray(given.allOf)) {
      const { allOf, ...beside } = given;
      const all = [beside, ...allOf].map((each) => this.#resolved(isRecord(each) ? each : {}, seen + 1));
      return Object.assign({}, ...all, { properties: Object.assign({}, ...all.map(({ properties }) => properties)) });
    }
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = given[keyword];
      if (!Array.isArray(branches) || branches.length === 0) continue;
      const { [keyword]: _, ...beside } = given;
      const branch: unknown = branches[this.#variant % branches.length];
      return this.#resolved(merged(beside, isRecord(branch) ? branch : {}), seen + 1);
    }
    return given;
  }

  #target(reference: string): Json {
    const path = reference
      .replace(/^#\/?/, '')
      .split('/')
      .filter((key) => key !== '');
    const found = path.reduce<unknown>(
      (node, key) => memberOf(node, key.replaceAll('~1', '/').replaceAll('~0', '~')),
      this.#root,
    );
    return isRecord(found) ? found : {};
  }
}

function merged(some: Json, others: Json): Json {
  const properties = { ...recordOf(some.properties), ...recordOf(others.properties) };
  const required = [some.required, others.required].flatMap((each) => (Array.isArray(each) ? each : []));
  return { ...some, ...others, ...(Object.keys(properties).length > 0 ? { properties, required } : {}) };
}

function typesOf(node: Json): readonly string[] {
  if (Array.isArray(node.type)) return node.type.map(String);
  if (typeof node.type === 'string') return [node.type];
  if (isRecord(node.properties)) return ['object'];
  if ('items' in node) return ['array'];
  return ['string', 'number', 'boolean', 'array', 'object', 'null'];
}

function isOpen(node: Json): boolean {
  return node.additionalProperties !== false && node.unevaluatedProperties !== false && !('propertyNames' in node);
}

/** `__proto__` too is a name. */
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** A pointer leads through lists too. */
function memberOf(node: unknown, key: string): unknown {
  if (Array.isArray(node)) return node[Number(key)];
  return isRecord(node) ? node[key] : undefined;
}

function recordOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function firstOf(value: number, otherwise: number): number {
  return Number.isNaN(value) ? otherwise : value;
}
