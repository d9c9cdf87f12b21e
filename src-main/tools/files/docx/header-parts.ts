import { posix } from 'node:path';
import { getElementsByTagName } from 'domutils';
import { parseDocument } from 'htmlparser2';
import { WordEdits } from './word-edits.ts';
import type { ZipParts } from './zip-parts.ts';

export interface HeaderPart {
  readonly kind: 'header' | 'footer';
  /** XML to be put into the body of the document. */
  readonly xml: string;
}

/**
 * Returns the headers and footers of a document (the names of their parts), in the order of its relationships.
 * `bounded` returns the XML of a part.
 */
export async function headerParts(
  document: string,
  parts: ZipParts,
  bounded: (name: string, edits?: WordEdits) => Promise<string>,
): Promise<readonly HeaderPart[]> {
  const found: HeaderPart[] = [];
  for (const { type, target } of await relationshipsOf(document, parts, bounded)) {
    const kind = /\/(header|footer)$/.exec(type)?.[1];
    if (kind !== 'header' && kind !== 'footer') continue;
    const name = partName(document, target);
    if (!parts.has(name)) continue;
    const links = new Map<string, string>();
    for (const { id, target: address, isExternal } of await relationshipsOf(name, parts, bounded)) {
      if (isExternal) links.set(id, address);
    }
    const xml = (await bounded(name, new WordEdits({ links }))).trim();
    // The content of the part is read as if it were in the body; the namespaces that it declares stay with it.
    if (/^<w:(?:hdr|ftr)[\s>]/.test(xml))
      found.push({ kind, xml: `<w:customXml${xml.slice('<w:hdr'.length, xml.lastIndexOf('</'))}</w:customXml>` });
  }
  return found;
}

interface Relationship {
  readonly id: string;
  readonly type: string;
  readonly target: string;
  readonly isExternal: boolean;
}

async function relationshipsOf(
  name: string,
  parts: ZipParts,
  bounded: (name: string) => Promise<string>,
): Promise<readonly Relationship[]> {
  const file = posix.join(posix.dirname(name), '_rels', `${posix.basename(name)}.rels`);
  if (!parts.has(file)) return [];
  const xml = parseDocument(await bounded(file), { xmlMode: true });
  return getElementsByTagName('Relationship', xml, true).map(({ attribs }) => ({
    id: attribs.Id ?? '',
    type: attribs.Type ?? '',
    target: attribs.Target ?? '',
    isExternal: attribs.TargetMode === 'External',
  }));
}

/** Targets are relative to the part, or to the root of the archive. */
function partName(from: string, target: string): string {
  return target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(from), target);
}
