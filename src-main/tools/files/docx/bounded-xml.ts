import { Parser } from 'htmlparser2';
import { grouped, shortened } from '../../../base/text.ts';

/** For all parts of one document together. */
export interface XmlBudget {
  /** Elements, attributes and texts still allowed. */
  nodesLeft: number;
}

/** About 2,000 pages. Each costs the parser up to 1.2 kB. */
export const MAX_XML_NODES = 1_000_000;
/** Word itself stops at a few dozen nested tables. */
const MAX_DEPTH = 256;
/** Namespaces. Each element that declares one makes the parser copy all of them. */
const MAX_PREFIXES = 200;
const MAX_CHARACTERS = 64 * 1024 * 1024;

const NAME = /^[\p{L}_:][\p{L}\p{N}\p{M}_:.\-\u00b7]*$/u;
/** Half of a document's attributes record when something was edited. */
const EDIT_MARK = /^(?:w:rsid|w14:(?:para|text)Id)/;

/**
 * The same XML, written anew as it was understood here, so that the next parser cannot understand it differently. What it holds
 * is counted meanwhile, so that the memory which that parser takes is bounded: a thread that runs out of it can end the whole
 * process, whatever its limits say. Comments, processing instructions and the looks of runs are left out. Throws an error that
 * says why not.
 */
export function boundedXml(source: string, budget: XmlBudget): string {
  const xml = source.replace(/\r\n?/g, '\n');
  const written = new XmlWriter();
  const prefixes = new Set<string>();
  const open: string[] = [];
  /** How many elements are open from the one on that is left out. */
  let leftOut = 0;
  let isInText = false;
  const count = () => {
    budget.nodesLeft--;
    if (budget.nodesLeft < 0)
      throw new Error(`it has more than the ${grouped(MAX_XML_NODES)} elements, attributes and texts that can be read`);
  };
  const parser = new Parser(
    {
      // Not `onopentag`: for its sake the parser collects all attributes of an element.
      onopentagname: (name) => {
        isInText = false;
        const isLookOfRun = name === 'w:rPr' && open.at(-1) === 'w:r';
        open.push(name);
        if (open.length > MAX_DEPTH) throw new Error(`it is nested more than ${MAX_DEPTH} levels deep`);
        if (leftOut > 0 || isLookOfRun) leftOut++;
        if (leftOut > 0) return;
        count();
        written.openTag(checkedName(name));
      },
      onattribute: (name, value, quote) => {
        if (leftOut > 0 || EDIT_MARK.test(name)) return;
        count();
        if (typeof quote !== 'string') throw damaged(`the attribute ${shown(name)} has no quoted value`);
        if (name.startsWith('xmlns')) prefixes.add(name);
        if (prefixes.size > MAX_PREFIXES) throw new Error(`it has more than ${MAX_PREFIXES} namespace prefixes`);
        written.attribute(checkedName(name), value);
      },
      ontext: (text) => {
        if (leftOut > 0) return;
        if (!isInText) count();
        isInText = true;
        written.characters(text);
      },
      onclosetag: (name, isImplied) => {
        const isClosedAtOnce = xml[parser.endIndex - 1] === '/';
        if (isImplied && !isClosedAtOnce) throw damaged(`the element ${shown(name)} is not closed`);
        isInText = false;
        open.pop();
        if (leftOut > 0) leftOut--;
        else written.closeTag(name);
      },
      onprocessinginstruction: (name) => {
        // ECMA-376, part 2, 6.2.5: parts must not have one. It could declare entities.
        if (name.startsWith('!')) throw new Error('it declares a document type');
      },
    },
    { xmlMode: true },
  );
  parser.write(xml);
  if (open.length > 0) throw damaged('it ends within an element');
  return written.text();
}

/** Long texts arrive in pieces, possibly millions of them. */
class XmlWriter {
  readonly #done: string[] = [];
  #piece = '';
  #length = 0;
  #isInTag = false;

  openTag(name: string): void {
    this.#endTag();
    this.#add(`<${name}`);
    this.#isInTag = true;
  }

  attribute(name: string, value: string): void {
    this.#add(` ${name}="${escaped(value).replaceAll('"', '&quot;')}"`);
  }

  characters(text: string): void {
    this.#endTag();
    this.#add(escaped(text));
  }

  closeTag(name: string): void {
    this.#endTag();
    this.#add(`</${name}>`);
  }

  text(): string {
    return this.#done.join('') + this.#piece;
  }

  #endTag(): void {
    if (this.#isInTag) this.#add('>');
    this.#isInTag = false;
  }

  #add(text: string): void {
    this.#piece += text;
    this.#length += text.length;
    if (this.#length > MAX_CHARACTERS)
      throw new Error(`it has more than the ${grouped(MAX_CHARACTERS)} characters that can be read`);
    if (this.#piece.length < 65_536) return;
    this.#done.push(this.#piece);
    this.#piece = '';
  }
}

function checkedName(name: string): string {
  if (!NAME.test(name)) throw damaged(`${shown(name)} is not a name`);
  return name;
}

/** A carriage return still present here was written as `&#13;`; otherwise it would have become a line feed. */
function escaped(text: string): string {
  return /[&<\r]/.test(text) ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\r', '&#13;') : text;
}

function damaged(reason: string): Error {
  return new Error(`its XML is damaged: ${reason}`);
}

const LONGEST_SHOWN_NAME = 60;

function shown(name: string): string {
  return shortened(name, LONGEST_SHOWN_NAME);
}
