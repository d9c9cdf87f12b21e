/** The two channels. A request is `{ route, input }`, an event `{ name, data }`. Apart, so that preloads load no zod. */
export const REQUEST_CHANNEL = 'steward:request';
export const EVENT_CHANNEL = 'steward:event';
