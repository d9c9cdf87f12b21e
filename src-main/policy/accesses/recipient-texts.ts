/** One text for each recipient, in which those outside the user's organisation are marked. */
export function recipientTexts({
  recipients,
  external = [],
}: {
  readonly recipients: readonly string[];
  readonly external?: readonly string[] | undefined;
}): readonly string[] {
  return recipients.map((each) => (external.includes(each) ? `${each}  (outside your organisation)` : each));
}
