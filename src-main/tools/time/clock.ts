import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

/** Tells the local time, in 24 hours. Source: tool catalogue B.10. */
export const getTime = defineTool({
  name: 'get_time',
  access: 'read',
  description: "The current time of day in the user's time zone, as HH:MM:SS.",
  input: z.object({}),
  words: { title: 'Get time', done: 'Checked the time', icon: 'clock', about: [] },
  manual: { example: {} },
  async execute(_input, { now }) {
    const time = now();
    return [time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(':');
  },
});

/** Tells the local date. Source: tool catalogue B.10. */
export const getDate = defineTool({
  name: 'get_date',
  access: 'read',
  description: "Today's date in the user's time zone, as YYYY-MM-DD.",
  input: z.object({}),
  words: { title: 'Get date', done: 'Checked the date', icon: 'calendar', about: [] },
  manual: { example: {} },
  async execute(_input, { now }) {
    const date = now();
    return [
      String(date.getFullYear()).padStart(4, '0'),
      twoDigits(date.getMonth() + 1),
      twoDigits(date.getDate()),
    ].join('-');
  },
});

function twoDigits(count: number): string {
  return String(count).padStart(2, '0');
}
