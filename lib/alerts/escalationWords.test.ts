import { inventedAlert } from '../../test/inventedAlert';
import { escalationWords, isEscalatedToTheEnd, nextStepWords } from './escalationWords';
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

const nextOf = (escalation: Partial<EscalationItem>, now: number, unitId: number | null = 1): string | null =>
  nextStepWords({ escalation: { ...inventedAlert(1).escalation, ...escalation }, unitId }, now);

describe('the escalation of an alert in words', () => {
  it('says who was asked when, and which role no one holds', () => {
    const charge: Asked = {
      ...nurse,
      step: 1,
      at: at('10:41'),
      roles: ['buddy', 'charge_nurse'],
      users: [cy],
      unheld: ['charge_nurse'],
    };
    expect(wordsOf({ asked: [nurse, charge] })).toBe(
      'Asked: nurse Ada Example 10:40, buddy Cy Example, charge nurse (none on duty) 10:41',
    );
  });

  it.each([
    [42_000, 'Asks charge nurse in 0:42'],
    [41_100, 'Asks charge nurse in 0:42'],
    [600_000, 'Asks charge nurse in 10:00'],
    [3_600_001, 'Asks charge nurse in 2 h'],
    [0, 'Asks charge nurse now'],
    [-5_000, 'Asks charge nurse now'],
  ])('says who is next and how soon: %d ms', (left, words) => {
    const next = { roles: ['charge_nurse' as const], wholeUnit: false, contact: null };
    expect(nextOf({ next, nextAt: at('10:42') }, Date.parse(at('10:42')) - left)).toBe(words);
  });

  it('says that everyone is next, and no one while the clock waits or no step is left', () => {
    const now = Date.parse(at('10:41'));
    const next = { roles: ['on_call_physician' as const], wholeUnit: true, contact: null };
    expect(nextOf({ next, nextAt: at('10:42') }, now)).toBe('Asks on-call physician, whole unit in 1:00');
    expect(nextOf({ next: { ...next, roles: [] }, nextAt: at('10:42') }, now, null)).toBe(
      'Asks everyone on duty in 1:00',
    );
    expect(nextOf({ next: { roles: [], wholeUnit: false, contact: 'rapid_response' }, nextAt: at('10:42') }, now)).toBe(
      'Asks for rapid response in 1:00',
    );
    expect([nextOf({ next, nextAt: null }, now), nextOf({ next: null, nextAt: at('10:42') }, now)]).toEqual([
      null,
      null,
    ]);
  });

  it('says that the whole unit was asked, or everyone on duty for a patient without a unit', () => {
    const all: Asked = { ...nurse, users: [], unheld: ['nurse'], wholeUnit: true };
    expect(wordsOf({ asked: [all] })).toBe('Asked: nurse (none on duty), whole unit 10:40');
    expect(wordsOf({ asked: [{ ...all, users: [ada, cy] }] }, { unitId: null })).toBe(
      'Asked: nurse (none on duty), everyone on duty 10:40',
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
    expect(wordsOf({}, { released })).toBe('Taken by Ada Example, previous shift');
    expect(wordsOf({ answerBy: at('10:43') })).toBe('To be taken again by 10:43');
  });

  it('is empty if no one was asked', () => {
    expect(wordsOf({ nextAt: null })).toBe('');
  });
});

describe('an escalation at its end', () => {
  const alert = inventedAlert(1);
  const { escalation } = alert;
  const step = {
    step: 0,
    at: '2026-05-01T10:40:00Z',
    roles: [],
    users: [],
    unheld: [],
    wholeUnit: true,
    contact: null,
  };
  const over = { ...alert, accepted: null, endedAt: null, escalation: { ...escalation, asked: [step], next: null } };
  const ada = { by: { id: 7, name: 'Ada Example' }, at: '2026-05-01T10:41:00Z' };

  it.each([
    ['everyone was asked', over, true],
    ['a step is left', { ...over, escalation: { ...over.escalation, next: { ...step, unheld: undefined } } }, false],
    ['no one was asked yet', { ...over, escalation: { ...over.escalation, asked: [] } }, false],
    ['someone has taken it', { ...over, accepted: ada }, false],
    ['it has ended', { ...over, endedAt: '2026-05-01T10:42:00Z' }, false],
  ])('is said where it is true: %s', (_, of, expected) => {
    expect(isEscalatedToTheEnd(of)).toBe(expected);
  });
});
