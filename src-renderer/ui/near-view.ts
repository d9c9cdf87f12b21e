import type { Attachment } from 'svelte/attachments';

/** The distance a fast scroll covers in one frame. */
const MARGIN = '1500px';

/** Reports whether a part of a scrolling block is in or near view; `height`: height of the part, in pixels. */
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
