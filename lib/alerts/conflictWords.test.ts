import { inventedAlert } from '../../test/inventedAlert';
import { conflictWords } from './conflictWords';
import type { AlertItem, LoggedEvent } from './schema';

const raisedAt = '2026-05-01T10:00:00.000Z';
const later = '2026-05-01T10:00:30.000Z';
const nia = { id: 4, name: 'Nia Newcomer' };
const taken: LoggedEvent = { is: 'accepted', at: later, by: nia };
const alert = (change: Partial<AlertItem> = {}): AlertItem =>
  inventedAlert(1, { raisedAt, lastRaisedAt: raisedAt, ...change });

describe('the refusal of an action on an alert', () => {
  it.each([
    ['who was first', 'alert_changed', alert(), taken, 'This alert has changed. Nia Newcomer took it.'],
    [
      'that it is worse, although a user had acted on it',
      'alert_changed',
      alert({ lastRaisedAt: '2026-05-01T10:01:00.000Z' }),
      taken,
      'This alert has changed. It has high priority and lasts.',
    ],
    [
      'that it has ended',
      'alert_changed',
      alert({ condition: 'ended', endedAt: later }),
      null,
      'This alert has changed. It has ended.',
    ],
    ['who closed it', 'alert_closed', alert({ closedAt: later }), taken, 'This alert is closed. Nia Newcomer took it.'],
    ['that it is closed by itself', 'alert_closed', alert({ closedAt: later }), null, 'This alert is closed.'],
    [
      'whose it is',
      'accepted_by_somebody_else',
      alert({ accepted: { by: nia, at: later } }),
      taken,
      'Nia Newcomer has this alert.',
    ],
  ] as const)('says %s', (_, code, item, lastAct, expected) => {
    expect(conflictWords(code, { alert: item, lastAct })).toBe(expected);
  });
});
