import { isRecord } from '../../base/json.ts';
import { type Comparison, compare, type Literal } from './json-compare.ts';
import { ExactNumber } from './json-document.ts';
import type { Segment } from './json-path-parser.ts';

/** The parts of a value that a path selects, in order. Only the path itself is evaluated. */
export function partsAt(value: unknown, segments: readonly Segment[]): unknown[] {
  let parts: unknown[] = [value];
  for (const segment of segments) {
    parts = parts.flatMap((part) => step(part, segment));
    if (parts.length === 0) break;
  }
  return parts;
}

function step(part: unknown, segment: Segment): readonly unknown[] {
  switch (segment.kind) {
    case 'key':
      return isJsonObject(part) && Object.hasOwn(part, segment.key) ? [part[segment.key]] : [];
    case 'index': {
      if (!Array.isArray(part)) return [];
      const index = segment.index < 0 ? part.length + segment.index : segment.index;
      return index >= 0 && index < part.length ? [part[index]] : [];
    }
    case 'every':
      return childrenOf(part);
    case 'filter':
      return childrenOf(part).filter((child) => {
        const found = partsAt(child, segment.path);
        return isTrue(found, segment.comparison, segment.literal);
      });
  }
}

/** A missing value equals nothing and is neither less nor greater (RFC 9535, section 2.3.5.2.2). */
function isTrue([found, ...more]: readonly unknown[], comparison: Comparison, literal: Literal): boolean {
  if (found === undefined || more.length > 0) return comparison === '!=';
  return compare(found, comparison, literal);
}

function childrenOf(part: unknown): readonly unknown[] {
  if (Array.isArray(part)) return part;
  return isJsonObject(part) ? Object.values(part) : [];
}

function isJsonObject(part: unknown): part is Readonly<Record<string, unknown>> {
  return isRecord(part) && !(part instanceof ExactNumber);
}
