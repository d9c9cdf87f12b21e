import type { Attachment } from 'svelte/attachments';

/**
 * Tells how much height is left for messages and a question together, in CSS pixels: main keeps a question small enough
 * for everything else to stay in the window. What the question takes doesn't change it.
 */
export function questionRoom(tell: (room: number) => void): Attachment<HTMLElement> {
  return (parts) => {
    const isShared = (part: Element) => part.matches('[data-docked]') || part.querySelector('[data-thread]') !== null;
    const update = () => {
      const others = [...parts.children].filter((part) => !isShared(part));
      tell(parts.clientHeight - others.reduce((sum, part) => sum + part.getBoundingClientRect().height, 0));
    };
    const sizes = new ResizeObserver(update);
    const follow = () => {
      sizes.disconnect();
      for (const each of [parts, ...parts.children]) sizes.observe(each);
    };
    const children = new MutationObserver(follow);
    children.observe(parts, { childList: true });
    follow();
    return () => {
      sizes.disconnect();
      children.disconnect();
    };
  };
}
