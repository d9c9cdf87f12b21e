import type { Attachment } from 'svelte/attachments';

/** A block that scrolls can be reached with Tab and is named; one that does not is no stop on the way. */
export function scrollBlock(name: string): Attachment<HTMLElement> {
  return (element) => {
    const update = () => {
      const scrolls = element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1;
      if (scrolls) {
        element.tabIndex = 0;
        // Not a region: those are landmarks, of which no two may bear the same name.
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
