import type { Connections, RefusedConnection } from './tool-card.ts';

const WHY: Readonly<Record<RefusedConnection['why'], string>> = {
  declined: 'not allowed',
  unanswered: 'not answered within a minute',
  too_many: 'not asked about, because it wanted too many at once',
  unreached: 'allowed, but not reached',
};

/** Why the command was not connected to a host. */
export function refusedText({ why, error }: RefusedConnection): string {
  const text = Object.hasOwn(WHY, why) ? WHY[why] : 'not reached';
  return error === undefined ? text : `${text} (${error})`;
}

export function moreText(more: number): string {
  return more === 1 ? '1 more host.' : `${more.toLocaleString('en')} more hosts.`;
}

/** What the user is told of a command's connections, one line each. */
export function connectionLines({ reached, refused, more = 0 }: Connections): readonly string[] {
  return [
    ...(reached.length === 0 ? [] : [`Connected to ${reached.join(', ')}.`]),
    ...refused.map((each) => `${each.host}: ${refusedText(each)}.`),
    ...(more === 0 ? [] : [moreText(more)]),
  ];
}
