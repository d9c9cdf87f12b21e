import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { calendarAccess } from './calendar-access.ts';
import { eventCard, personOf, sourceOf } from './event-text.ts';
import { withGoogleFailures } from './google-failure.ts';
import { googleRequests } from './google-requests.ts';

const PREFIX = 'Error getting calendar event: ';

/** Source: tool catalogue B.6. */
export const calendarGetEvent = defineTool({
  name: 'calendar_get_event',
  access: 'read',
  errorPrefix: 'Error: ',
  description:
    "Details of one event of the user's Google Calendar: description, place, organizer, guests and their answers, video call, recurrence.",
  input: z.object({
    eventId: z.string().describe('ID of the event, from calendar_list_events'),
    calendarId: z.string().default('primary').describe('Another calendar than the main one, by its ID'),
  }),
  aliases: { event_id: 'eventId', id: 'eventId', calendar_id: 'calendarId' },
  strictParameters: ['calendarId'],
  words: { title: 'Read calendar event', done: 'Read calendar event', icon: 'calendar', about: [] },
  manual: { example: { eventId: '4f0jk2m3n4o5p6q7' } },
  async assess({ eventId, calendarId }, context) {
    return { access: [await calendarAccess('read', calendarId, context)], plan: { eventId, calendarId } };
  },
  async execute(plan, context) {
    return withGoogleFailures(PREFIX, async () => {
      const { calendar } = await import('@googleapis/calendar');
      const options = googleRequests({ service: 'calendar', tool: calendarGetEvent.name }, context);
      const { data: event } = await calendar('v3').events.get(plan, options);
      const card = await eventCard(event, false);
      const { description, organizer, guests, recurrence, meeting, event: shown } = card;
      context.card(card);
      context.mark({ kind: 'untrusted', source: sourceOf(shown) });
      return [
        `Summary: ${shown.summary}`,
        `Status: ${shown.status}`,
        `Start: ${shown.start}`,
        `End: ${shown.end}`,
        `Location: ${shown.location}`,
        `Description: ${description}`,
        `Organizer: ${organizer}`,
        `Creator: ${personOf(event.creator)}`,
        ...(guests.length === 0 ? [] : ['Attendees:']),
        ...guests.map(({ email, response }) => `    ${email} (${response})`),
        ...(meeting === undefined ? [] : [`Conference Link: ${meeting}`]),
        ...(recurrence.length === 0 ? [] : [`Recurrence: ${recurrence.join('; ')}`]),
      ]
        .map((line) => line.trimEnd())
        .join('\n');
    });
  },
});
