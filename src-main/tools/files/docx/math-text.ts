/** An element of Office Math Markup (ECMA-376, part 1, chapter 22.1), without its prefix. */
export interface MathElement {
  readonly name: string;
  /** The attribute `m:val`. */
  value: string | undefined;
  text: string;
  readonly children: MathElement[];
}

export function mathElement(name: string): MathElement {
  return { name, value: undefined, text: '', children: [] };
}

/** Writes an equation in one line, as people type it: `x^2`, `(a+b)/c`, `√(x)`, `∑_(i=1)^n i`. */
export function mathText({ name, text, children }: MathElement): string {
  const part = (wanted: string) => {
    const found = children.find((child) => child.name === wanted);
    return found === undefined ? '' : textOf(found.children);
  };
  const property = (wanted: string) =>
    children.find((child) => child.name === `${name}Pr`)?.children.find((child) => child.name === wanted)?.value;
  switch (name) {
    case 't':
      return text;
    case 'f':
      return property('type') === 'noBar'
        ? `(${part('num')} ¦ ${part('den')})`
        : `${grouped(part('num'))}/${grouped(part('den'))}`;
    case 'sSup':
      return `${grouped(part('e'))}^${grouped(part('sup'))}`;
    case 'sSub':
      return `${grouped(part('e'))}_${grouped(part('sub'))}`;
    case 'sSubSup':
      return `${grouped(part('e'))}_${grouped(part('sub'))}^${grouped(part('sup'))}`;
    case 'sPre':
      return `_${grouped(part('sub'))}^${grouped(part('sup'))} ${part('e')}`;
    case 'rad': {
      const degree = part('deg');
      return `√${degree === '' ? '' : `[${degree}]`}(${part('e')})`;
    }
    case 'nary':
      return `${property('chr') ?? '∫'}${marked('_', part('sub'))}${marked('^', part('sup'))} ${part('e')}`;
    case 'limLow':
      return `${part('e')}_${grouped(part('lim'))}`;
    case 'limUpp':
      return `${part('e')}^${grouped(part('lim'))}`;
    case 'func':
      return `${part('fName')} ${part('e')}`;
    case 'd': {
      const parts = children.filter((child) => child.name === 'e').map((each) => textOf(each.children));
      return `${property('begChr') ?? '('}${parts.join(property('sepChr') ?? '|')}${property('endChr') ?? ')'}`;
    }
    case 'acc':
      // A combining character stands after its base.
      return `${grouped(part('e'))}${property('chr') ?? '\u0302'}`;
    case 'bar':
      return `${grouped(part('e'))}${property('pos') === 'top' ? '\u0305' : '\u0332'}`;
    case 'm':
      return `[${children
        .filter((child) => child.name === 'mr')
        .map((row) =>
          row.children
            .filter((cell) => cell.name === 'e')
            .map((each) => textOf(each.children))
            .join(', '),
        )
        .join('; ')}]`;
    case 'eqArr':
      return children
        .filter((child) => child.name === 'e')
        .map((each) => textOf(each.children))
        .join('; ');
    default:
      return name.endsWith('Pr') ? '' : textOf(children);
  }
}

function textOf(elements: readonly MathElement[]): string {
  return elements.map(mathText).join('');
}

function marked(mark: string, text: string): string {
  return text === '' ? '' : `${mark}${grouped(text)}`;
}

/** Puts a text in parentheses, unless it is one thing. */
function grouped(text: string): string {
  return /^(?:[\p{L}\p{M}\p{N}.,′]*|\([^()]*\)|\[[^[\]]*\])$/u.test(text) ? text : `(${text})`;
}
