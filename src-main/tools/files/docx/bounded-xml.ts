import { Parser } from 'htmlparser2';
import { grouped, shortened } from '../../../base/text.ts';

/** The budget of all parts of one document together. */
export interface XmlBudget {
  /** The number of elements, attributes and texts that are still allowed. */
  nodesLeft: number;
}

/** What is changed while XML is written anew. All that it sees may be left out by others. */
export interface XmlEdits {
  /** What an element is called in the new XML. */
  nameOf(name: string): string;
  /**
   * `path` are the open elements, from the root to this one. Returns whether the element is left out, with all that is
   * in it.
   */
  opened(path: readonly string[]): boolean;
  /** Returns whether it is kept. */
  attribute(path: readonly string[], name: string, value: string): boolean;
  text(path: readonly string[], text: string): void;
  /** `path` does not contain the element itself. Returns well-formed XML that is written after it. */
  closed(path: readonly string[], name: string): string;
}

/** This is about 2,000 pages. Each costs the parser up to 1.2 kB. */
export const MAX_XML_NODES = 1_000_000;
/** Word itself stops at a few dozen nested tables. */
const MAX_DEPTH = 256;
/** The most namespaces. Each element that declares one makes the parser copy all of them. */
const MAX_PREFIXES = 200;
const MAX_CHARACTERS = 64 * 1024 * 1024;

const NAME = /^[\p{L}_:][\p{L}\p{N}\p{M}_:.\-\u00b7]*$/u;
/** Half of a document's attributes record when something was edited. */
const EDIT_MARK = /^(?:w:rsid|w14:(?:para|text)Id)/;

/**
 * Writes XML anew as it was understood here, so that the next parser cannot understand it differently. What it holds is
 * counted meanwhile, so that the memory which that parser takes is bounded: a thread that runs out of it can end the
 * whole process, whatever its limits say. Comments, processing instructions and the looks of runs are left out. Throws
 * an error that says why it can't be written.
 */
export function boundedXml(source: string, budget: XmlBudget, edits?: XmlEdits): string {
  const xml = source.replace(/\r\n?/g, '\n');
  const written = new XmlWriter();
  const prefixes = new Set<string>();
  const open: string[] = [];
  /** How many elements are open, counted from the one that is left out. */
  let leftOut = 0;
  let isInText = false;
  const count = () => {
    budget.nodesLeft--;
    if (budget.nodesLeft < 0)
      throw new Error(`it has more than the ${grouped(MAX_XML_NODES)} elements, attributes and texts that can be read`);
  };
  const parser = new Parser(
    {
      // `onopentag` is not used: for its sake the parser collects all attributes of an element.
      onopentagname: (name) => {
        isInText = false;
        const isLookOfRun = name === 'w:rPr' && open.at(-1) === 'w:r';
        open.push(name);
        if (open.length > MAX_DEPTH) throw new Error(`it is nested more than ${MAX_DEPTH} levels deep`);
        const isLeftOut = edits?.opened(open) === true;
        if (isLeftOut) count();
        if (leftOut > 0 || isLookOfRun || isLeftOut) leftOut++;
        if (leftOut > 0) return;
        count();
        written.openTag(edits?.nameOf(checkedName(name)) ?? checkedName(name));
      },
      onattribute: (name, value, quote) => {
        if (EDIT_MARK.test(name)) return;
        const isKept = edits?.attribute(open, name, value) !== false;
        if (leftOut > 0 || !isKept) return;
        count();
        if (typeof quote !== 'string') throw damaged(`the attribute ${shown(name)} has no quoted value`);
        if (name.startsWith('xmlns')) prefixes.add(name);
        if (prefixes.size > MAX_PREFIXES) throw new Error(`it has more than ${MAX_PREFIXES} namespace prefixes`);
        written.attribute(checkedName(name), value);
      },
      ontext: (text) => {
        edits?.text(open, text);
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
        else written.closeTag(edits?.nameOf(name) ?? name);
        const added = edits?.closed(open, name) ?? '';
        if (leftOut === 0) written.markup(added);
      },
      onprocessinginstruction: (name) => {
        // ECMA-376, part 2, 6.2.5 forbids a document type in parts. It could declare entities.
        if (name.startsWith('!')) throw new Error('it declares a document type');
      },
    },
    { xmlMode: true },
  );
  parser.write(xml);
  if (open.length > 0) throw damaged('it ends within an element');
  return written.text();
}

/** Collects the new XML. Long texts arrive in pieces, possibly millions of them. */
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

  markup(xml: string): void {
    if (xml === '') return;
    this.#endTag();
    this.#add(xml);
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
export function escaped(text: string): string {
  return /[&<\r]/.test(text) ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\r', '&#13;') : text;
}

function damaged(reason: string): Error {
  return new Error(`its XML is damaged: ${reason}`);
}

const MAX_SHOWN_NAME_LENGTH = 60;

function shown(name: string): string {
  return shortened(name, MAX_SHOWN_NAME_LENGTH);
}
