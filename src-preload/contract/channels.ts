/**
 * The two channels. A request is `{ route, input }`, an event `{ name, data }`. In their own file, so that preloads
 * don't load zod.
 */
export const REQUEST_CHANNEL = 'steward:request';
export const EVENT_CHANNEL = 'steward:event';
