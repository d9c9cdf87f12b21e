// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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

/**
 * @param {string} root
 * @param {string} folder relative to root, with `/`
 * @returns {string[]}
 */
function sourceFiles(root, folder) {
  let entries;
  try {
    entries = readdirSync(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sourceFiles(root, path);
    return /\.(svelte|ts|js|mjs|html)$/.test(entry.name) ? [path] : [];
  });
}
