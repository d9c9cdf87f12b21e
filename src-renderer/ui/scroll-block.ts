import type { Attachment } from 'svelte/attachments';

/** Makes a block that scrolls named and reachable with Tab. A block that does not scroll is not a tab stop. */
export function scrollBlock(name: string): Attachment<HTMLElement> {
  return (element) => {
    const update = () => {
      const scrolls = element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1;
      if (scrolls) {
        element.tabIndex = 0;
        // This is not a region, because regions are landmarks, which need unique names.
        element.setAttribute('role', 'group');
        element.setAttribute('aria-label', name);
      } else {
        element.removeAttribute('tabindex');
        element.removeAttribute('role');
        element.removeAttribute('aria-label');
      }
    };
    const observer = new ResizeObserver(update);
    observer.observe(element);
    return () => observer.disconnect();
  };
}
