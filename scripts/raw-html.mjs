// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceFiles } from './source-files.mjs';

/** The only file that may insert markup into the page directly, because it sanitises it first. */
export const RAW_HTML_FILE = 'src-renderer/ui/SanitizedHtml.svelte';

// Svelte allows blanks around the @. The others are DOM APIs with the same effect.
const RAW_HTML =
  /\{\s*@\s*html\b|\b(?:innerHTML|outerHTML|srcdoc)\s*=(?!=)|\b(?:insertAdjacentHTML|createContextualFragment|setHTMLUnsafe)\s*\(|\bdocument\s*\.\s*write(?:ln)?\s*\(/;

/**
 * Finds markup that reaches the page unsanitised.
 * @param {string} root folder that holds src-renderer
 * @returns {string[]} `file:line: text` of each place outside RAW_HTML_FILE
 */
export function findRawHtml(root) {
  /** @type {string[]} */
  const found = [];
  for (const file of sourceFiles(root, 'src-renderer')) {
    if (file === RAW_HTML_FILE) continue;
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    lines.forEach((line, index) => {
      if (RAW_HTML.test(line)) found.push(`${file}:${index + 1}: ${line.trim()}`);
    });
  }
  return found;
}
