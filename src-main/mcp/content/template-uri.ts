import { ownValue } from '../../base/json.ts';
/** Thrown for what is no URI template, or can't be expanded. */
export class TemplateFailure extends Error {
  override readonly name = 'TemplateFailure';
}

interface Operator {
  readonly first: string;
  readonly separator: string;
  readonly isNamed: boolean;
  readonly allowsReserved: boolean;
}

const plain = { isNamed: false, allowsReserved: false };
/** Source: RFC 6570, appendix A. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  '': { ...plain, first: '', separator: ',' },
  '+': { ...plain, first: '', separator: ',', allowsReserved: true },
  '#': { ...plain, first: '#', separator: ',', allowsReserved: true },
  '.': { ...plain, first: '.', separator: '.' },
  '/': { ...plain, first: '/', separator: '/' },
  ';': { ...plain, first: ';', separator: ';', isNamed: true },
  '?': { ...plain, first: '?', separator: '&', isNamed: true },
  '&': { ...plain, first: '&', separator: '&', isNamed: true },
};

const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g;
const VARIABLE = /^([\p{L}\p{N}_.%-]+)(?:\*|:(\d{1,4}))?$/u;
const MAX_EXPRESSIONS = 100;
const MAX_TEMPLATE_LENGTH = 10_000;
const MAX_URI_LENGTH = 100_000;

/** The variables of a URI template (RFC 6570), deduplicated, in order. Throws `TemplateFailure`. */
export function templateVariables(uriTemplate: string): readonly string[] {
  return [...new Set(expressionsOf(uriTemplate).flatMap(({ variables }) => variables.map(({ name }) => name)))];
}

/**
 * Expands a template with these values; an empty value counts as absent. Values are encoded so that they can't become
 * another part of the URI, unless the template allows it (`{+path}`). Throws `TemplateFailure`.
 */
export function expandTemplate(uriTemplate: string, values: Readonly<Record<string, string>>): string {
  let uri = '';
  let at = 0;
  for (const { index, length, operator, variables } of expressionsOf(uriTemplate)) {
    uri += uriTemplate.slice(at, index);
    at = index + length;
    const filled = variables.flatMap(({ name, most }) => {
      const value = ownValue(values, name);
      if (value === undefined || value === '') return [];
      const encoded = encodedValue([...value].slice(0, most).join(''), operator);
      return [operator.isNamed ? `${name}=${encoded}` : encoded];
    });
    if (filled.length > 0) uri += operator.first + filled.join(operator.separator);
    if (uri.length > MAX_URI_LENGTH) throw new TemplateFailure('The URI would be too long');
  }
  return uri + uriTemplate.slice(at);
}

interface Expression {
  readonly index: number;
  readonly length: number;
  readonly operator: Operator;
  readonly variables: readonly { readonly name: string; readonly most: number | undefined }[];
}

function expressionsOf(uriTemplate: string): readonly Expression[] {
  const refused = () => new TemplateFailure(`Not a URI template: ${uriTemplate.slice(0, 200)}`);
  const found = uriTemplate.length > MAX_TEMPLATE_LENGTH ? [] : [...uriTemplate.matchAll(EXPRESSION)];
  const hasStray = /[{}]/.test(uriTemplate.replace(EXPRESSION, ''));
  if (hasStray || uriTemplate.length > MAX_TEMPLATE_LENGTH || found.length > MAX_EXPRESSIONS) throw refused();
  return found.map(({ 0: { length }, 1: sign = '', 2: list = '', index }) => {
    const operator = OPERATORS[sign];
    const variables = list.split(',').map((each) => {
      const [, name, most] = VARIABLE.exec(each.trim()) ?? [];
      if (name === undefined) throw refused();
      return { name, most: most === undefined ? undefined : Number(most) };
    });
    if (operator === undefined) throw refused();
    return { index, length, operator, variables };
  });
}

function encodedValue(value: string, { allowsReserved }: Operator): string {
  try {
    // RFC 3986 reserves these too; `encodeURIComponent` leaves them.
    if (!allowsReserved) return encodeURIComponent(value).replace(/[!'()*]/g, percent);
    return encodeURI(value).replaceAll('%5B', '[').replaceAll('%5D', ']');
  } catch (error) {
    throw new TemplateFailure('A value contains half a surrogate pair', { cause: error });
  }
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
