import type { Attachment } from 'svelte/attachments';

/** As far from view as a quick scroll comes in a frame. */
const MARGIN = '1500px';

/** Tells a part of a block that scrolls whether it is in view or near it; `height`: of the part, in pixels. */
export function nearView(tell: (isNear: boolean, height: number) => void): Attachment<HTMLElement> {
  return (element) => {
    const root = element.parentElement;
    const observer = new IntersectionObserver(
      (entries) => {
        const last = entries.at(-1);
        if (last !== undefined) tell(last.isIntersecting, last.boundingClientRect.height);
      },
      { root, rootMargin: `${MARGIN} 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  };
}
