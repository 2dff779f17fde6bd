import { inventedAlert } from '../../test/inventedAlert';
import { escalationWords } from './escalationWords';
import type { AlertItem, EscalationItem } from './schema';

const at = (time: string): string => `2026-05-01T${time}:00.000Z`;
const ada = { id: 1, name: 'Ada Example' };
const cy = { id: 3, name: 'Cy Example' };
type Asked = EscalationItem['asked'][number];
const nurse: Asked = {
  step: 0,
  at: at('10:40'),
  roles: ['nurse'],
  users: [ada],
  unheld: [],
  wholeUnit: false,
  contact: null,
};
const wordsOf = (escalation: Partial<EscalationItem>, more: Partial<AlertItem> = {}): string =>
  escalationWords(
    { ...inventedAlert(1), ...more, escalation: { ...inventedAlert(1).escalation, ...escalation } },
    'UTC',
  );

describe('the escalation of an alert in words', () => {
  it('says who was asked when, which role no one holds, and who is next', () => {
    const charge: Asked = {
      ...nurse,
      step: 1,
      at: at('10:41'),
      roles: ['buddy', 'charge_nurse'],
      users: [cy],
      unheld: ['charge_nurse'],
    };
    const next = { roles: ['on_call_physician' as const], wholeUnit: true, contact: null };
    expect(wordsOf({ asked: [nurse, charge], next, nextAt: at('10:42') })).toBe(
      'Asked: nurse Ada Example 10:40, buddy Cy Example, no charge nurse 10:41 · ' +
        'next: on-call physician, whole unit 10:42',
    );
  });

  it('says that the whole unit was asked, or everyone on duty for a patient without a unit', () => {
    const all: Asked = { ...nurse, users: [], unheld: ['nurse'], wholeUnit: true };
    expect(wordsOf({ asked: [all] })).toBe('Asked: no nurse, whole unit 10:40');
    expect(wordsOf({ asked: [{ ...all, users: [ada, cy] }] }, { unitId: null })).toBe(
      'Asked: no nurse, everyone on duty 10:40',
    );
  });

  it('names the contact outside, and the worklist if no one is asked', () => {
    const outside: Asked = { ...nurse, roles: [], users: [], contact: 'rapid_response' };
    expect(wordsOf({ asked: [outside] })).toBe('Asked: rapid response 10:40');
    expect(wordsOf({ asked: [{ ...outside, contact: null }] })).toBe('Asked: worklist 10:40');
  });

  it('names people who were asked without a role', () => {
    expect(wordsOf({ asked: [{ ...nurse, roles: [], users: [ada, cy] }] })).toBe(
      'Asked: Ada Example, Cy Example 10:40',
    );
  });

  it('says whose acceptance ended and why, and until when it has to be given again', () => {
    const released = { by: ada, at: at('06:00'), because: 'previous_shift' } as const;
    expect(wordsOf({}, { released })).toBe('Accepted by Ada Example, previous shift');
    expect(wordsOf({ answerBy: at('10:43') })).toBe('To be accepted again by 10:43');
  });

  it('is empty if no one was asked', () => {
    expect(wordsOf({ nextAt: null })).toBe('');
  });
});
