/** The stream of events that a signed-in page listens to. It carries no data of patients, only what has changed. */
export const serverEventsPath = '/api/v2/events';

/**
 * The names of the events: `alerts` when an alert of the site was raised or changed, `patients` when anything about the
 * site's patients or their newest values may have changed, `session` when the session that opened the stream has ended.
 */
export const serverTopics = ['alerts', 'patients', 'session'] as const;
export type ServerTopic = (typeof serverTopics)[number];

/** The event that says, at least every 5 s, when the alarm path last worked (`lib/alerts/alertPathSchema`). */
export const alertPathTopic = 'alertPath';
