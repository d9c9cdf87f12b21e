import type { WebContents } from 'electron';

/** Another world than the page's own, in which nothing of the page can pose as the selection. */
const WORLD = 1_001;
const CODE = `(() => {
  const selection = getSelection();
  const thread = document.querySelector('[data-thread]');
  const isInside = (node) => node !== null && thread?.contains(node) === true;
  return selection !== null && isInside(selection.anchorNode) && isInside(selection.focusNode) ? String(selection) : '';
})()`;

/** What is selected among the messages. Empty if it is nothing, or something else. */
export async function selectedText(contents: WebContents): Promise<string> {
  const text: unknown = await contents.executeJavaScriptInIsolatedWorld(WORLD, [{ code: CODE }]);
  return typeof text === 'string' ? text : '';
}
