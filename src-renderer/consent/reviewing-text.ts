/** `reviews` is how many files changed earlier. */
export function itOrThem(reviews: number): string {
  return reviews === 1 ? 'it' : 'them';
}

/** What the button does apart from allowing. */
export function reviewingText(reviews: number): string {
  return `“I’ve reviewed ${itOrThem(reviews)}” allows this once, and your rules apply again.`;
}
