/** The stream of events that a signed-in page listens to. It carries no data, only what there is something newer of. */
export const serverEventsPath = '/api/v2/events';

/**
 * What the server tells of, each the name of an event: `alerts` when an alert of the site was raised or changed,
 * `patients` when anything about the site's patients or their newest values may have changed, `session` when the
 * session that the stream was opened with has ended.
 */
export const serverTopics = ['alerts', 'patients', 'session'] as const;
export type ServerTopic = (typeof serverTopics)[number];
