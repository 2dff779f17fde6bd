import type { z } from 'zod';
import { inventedAlert } from '../../test/inventedAlert';
import { siteEscalation } from '../../test/siteEscalation';
import {
  accept,
  acknowledge,
  answerContact,
  closeAdministratively,
  noteOwner,
  pauseAudio,
  reassign,
  reject,
  release,
  resolve,
  take as takeAlert,
} from './actions';
import type { Alert, AlertChange, AlertEvent } from './alert';
import { alertEvent, alertFacts } from './alertFacts';
import { conflictWords } from './conflictWords';
import { desatWords } from './desatWords';
import type { Episode } from './episode';
import { escalate } from './escalate';
import { recipientsOf } from './escalation';
import { escalationWords, nextStepWords } from './escalationWords';
import { logWords } from './logWords';
import { type AlertItem, type EscalationItem, type LoggedEvent, loggedEvent } from './schema';
import { takeEpisode, takeRetrospectiveEpisode } from './takeEpisode';
import { waitWords } from './waitWords';
import { withdraw } from './withdraw';

const ada = { id: 1, name: 'Ada Example' };

describe('alertFacts', () => {
  /**
   * True where each of two types takes the other: a field or a kind of event that only one of them knows does not
   * compile.
   */
  type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
  const sameFacts: Same<Alert, z.infer<typeof alertFacts>> = true;
  const sameEvents: Same<AlertEvent, z.infer<typeof alertEvent>> = true;

  const start = 1_000_000;
  const minute = 60_000;
  const nurse = 7;

  const episode: Episode = {
    rule: 'spo2.low',
    priority: 'high',
    startedAt: start,
    count: 1,
    since: start,
    endedAt: null,
    lowest: 86,
    highest: 87,
    source: null,
    unconfirmedUntil: null,
  };
  const over: Episode = { ...episode, endedAt: start + 2 * minute };

  type Step = (alert: Alert | null, now: number) => AlertChange | string | null;
  const take =
    (one: Episode | null): Step =>
    (alert, now) =>
      takeEpisode(alert, 'spo2', one, now, { isHeld: false });
  const action =
    (does: (alert: Alert, now: number) => AlertChange | string | null): Step =>
    (alert, now) =>
      alert === null ? null : does(alert, now);

  const holders = [{ role: 'nurse' as const, userId: nurse }];

  /** Each act in its turn, a minute apart. */
  function live(...steps: Step[]): { alerts: Alert[]; events: AlertEvent[] } {
    const alerts: Alert[] = [];
    const events: AlertEvent[] = [];
    steps.forEach((step, index) => {
      const change = step(alerts.at(-1) ?? null, start + index * minute);
      if (change === null || typeof change === 'string') {
        throw new Error(`Step ${index} changed nothing: ${change}`);
      }
      alerts.push(change.alert);
      events.push(...change.events);
    });
    return { alerts, events };
  }

  const later = (ms: number): Step =>
    action((alert, now) =>
      escalate(
        { alert, events: [] },
        siteEscalation('continuous', (each) => recipientsOf(each, holders)),
        now + ms,
      ),
    );
  const step = later(0);
  const lives = {
    'is seen, ends and begins again': live(
      take(episode),
      step,
      action((alert, now) => acknowledge(alert, nurse, now)),
      take({ ...episode, rule: 'spo2.desat' }),
      take(episode),
      take(over),
      take({ ...episode, count: 2, since: start + 6 * minute }),
      take(null),
    ),
    'is passed on, taken on and resolved': live(
      take(episode),
      step,
      action((alert, now) => reject(alert, nurse, 'with another patient', now)),
      step,
      action((alert, now) => accept(alert, nurse, 1, now)),
      action((alert, now) => pauseAudio(alert, nurse, 120_000, now)),
      action((alert, now) => resolve(alert, nurse, { is: 'sensor_fixed', note: 'new probe' }, now)),
      later(2 * minute),
      later(30 * minute),
      action((alert, now) => reject(alert, nurse, 'called away', now)),
      take(over),
      take(episode),
      action((alert, now) => closeAdministratively(alert, 'discharged', now)),
    ),
    'is taken over, taken back and handed on': live(
      take(episode),
      step,
      action((alert, now) => accept(alert, 8, 1, now)),
      action((alert, now) => takeAlert(alert, nurse, { unitId: 1, comment: 'I am here', takeOver: true }, now)),
      action((alert) => withdraw(alert, nurse, start + 3 * minute + 9_000)),
      action((alert, now) => reassign(alert, 8, nurse, now)),
      step,
    ),
    'has an owner who goes away': live(
      take(episode),
      step,
      action((alert, now) => accept(alert, nurse, 1, now)),
      action((alert, now) => noteOwner(alert, now - minute, now)),
      action((alert, now) => noteOwner(alert, null, now)),
      action((alert, now) => release(alert, 'signed_out', now)),
      action((alert, now) => acknowledge(alert, nurse, now)),
      action((alert, now) => release(alert, 'signed_out', now)),
      action((alert, now) => escalate({ alert, events: [] }, { ...siteEscalation(), unitId: 2 }, now)),
      later(minute),
      later(2 * minute),
      later(5 * minute),
      later(10 * minute),
      action((alert, now) => answerContact(alert, nurse, { answer: 'not_needed', reason: 'in the room' }, now)),
    ),
    'is acknowledged and lasts': live(
      take(episode),
      action((alert, now) => acknowledge(alert, nurse, now)),
      later(minute),
    ),
    'was over when its values came': live((alert, now) =>
      takeRetrospectiveEpisode(
        alert,
        {
          parameter: 'spo2',
          episode: over,
          endedAt: start + 2 * minute,
          worst: { rule: 'spo2.low', priority: 'high', values: [] },
          late: null,
        },
        now,
      ),
    ),
  };
  const stages = Object.entries(lives).flatMap(([name, { alerts }]) =>
    alerts.map((alert, index) => [name, index, alert] as const),
  );
  const lines = Object.values(lives).flatMap(({ events }) => events);

  const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

  describe('a stored alert', () => {
    it.each(['priority', 'closed', 'since', 'responsibility'] as const)('is refused without its %s', (field) => {
      const { [field]: _, ...rest } = lives['is seen, ends and begins again'].alerts[0] ?? {};
      expect(alertFacts.safeParse(rest).success).toBe(false);
    });

    it.each(stages)('that %s is the same after JSON at step %i', (_, __, alert) => {
      expect(alertFacts.parse(throughJson(alert))).toEqual(alert);
    });

    it('of an earlier release has an owner who is there', () => {
      const [kept] = lives['is seen, ends and begins again'].alerts;
      expect(alertFacts.parse(throughJson({ ...kept, notSeenSince: undefined })).notSeenSince).toBeNull();
    });

    it('has the fields of an alert and no others', () => {
      expect(sameFacts).toBe(true);
    });
  });

  describe('a stored line of the log', () => {
    it('is rejected if it has an asked step without the people whom it reached', () => {
      expect(alertEvent.safeParse({ is: 'asked', step: 0, at: start }).success).toBe(false);
    });

    it.each(alertEvent.options.map(({ shape }) => shape.is.value))('that says "%s" is the same after JSON', (is) => {
      const known = lines.filter((line) => line.is === is);
      expect(known).not.toEqual([]);
      for (const line of known) {
        expect(alertEvent.parse(throughJson(line))).toEqual(line);
      }
    });

    it('is one of those that an alert can have', () => {
      expect(sameEvents).toBe(true);
    });
  });
});

describe('the refusal of an action on an alert', () => {
  const raisedAt = '2026-05-01T10:00:00.000Z';
  const later = '2026-05-01T10:00:30.000Z';
  const nia = { id: 4, name: 'Nia Newcomer' };
  const taken: LoggedEvent = { is: 'accepted', at: later, by: nia };
  const alert = (change: Partial<AlertItem> = {}): AlertItem =>
    inventedAlert(1, { raisedAt, lastRaisedAt: raisedAt, ...change });

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

describe('desatWords', () => {
  it('names the limit that follows that of low SpO2 beside it, and beside no other', () => {
    expect(desatWords('spo2.low', { low: 88 })).toBe('SpO2 very low: < 78, at once');
    expect([desatWords('spo2.below', { low: 91 }), desatWords('spo2.low', null)]).toEqual([null, null]);
  });
});

describe('escalationWords', () => {
  const at = (time: string): string => `2026-05-01T${time}:00.000Z`;
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
    it('says that no one was present of those whom a step asked', () => {
      expect(wordsOf({ asked: [{ ...nurse, nobodyPresent: true }] })).toBe(
        'Asked: nurse Ada Example (no one present) 10:40',
      );
    });

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
      expect(
        nextOf({ next: { roles: [], wholeUnit: false, contact: 'rapid_response' }, nextAt: at('10:42') }, now),
      ).toBe('Asks for rapid response in 1:00');
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
});

describe('the log of an alert in words', () => {
  const at = '2026-05-01T10:00:00.000Z';
  const kim = { id: 2, name: 'Kim Example' };
  const itself = { at, by: null };
  const to = { roles: ['nurse' as const], users: [ada], wholeUnit: false, unheld: [], contact: null };

  const lines: [LoggedEvent, string][] = [
    [{ is: 'raised', ...itself, rule: 'spo2.low', priority: 'high' }, 'Raised with high priority: SpO2 low'],
    [
      { is: 'raised_again', ...itself, rule: 'hr.low', priority: 'medium', episodes: 3 },
      'Raised again with medium priority: Heart rate low, 3 times so far',
    ],
    [{ is: 'resumed', ...itself }, 'Goes on: late values show that it had not ended'],
    [
      { is: 'upgraded', ...itself, rule: 'spo2.desat', from: 'medium', to: 'high' },
      'More urgent, from medium to high priority: SpO2 very low',
    ],
    [
      { is: 'upgraded', ...itself, rule: 'spo2.desat', from: 'high', to: 'high' },
      'Another rule, high priority: SpO2 very low',
    ],
    [
      { is: 'downgraded', ...itself, rule: 'of another release', from: 'high', to: 'low' },
      'Less urgent, from high to low priority: of another release',
    ],
    [{ is: 'ended', ...itself, lowest: 84, highest: 88 }, 'Condition ended, lowest 84, highest 88'],
    [{ is: 'ended', ...itself, lowest: 0, highest: 0 }, 'Condition ended, lowest 0'],
    [{ is: 'ended', ...itself, lowest: null, highest: null }, 'Condition ended'],
    [{ is: 'withdrawn', ...itself }, 'Withdrawn: values were corrected'],
    [
      { is: 'retrospective', ...itself, rule: 'spo2.low', priority: 'high' },
      'Found in values that came too late, high priority: SpO2 low',
    ],
    [{ is: 'asked', ...itself, step: 0, to }, 'Step 0, asked: nurse Ada Example'],
    [
      {
        is: 'asked',
        ...itself,
        step: 2,
        to: { ...to, roles: ['charge_nurse'], users: [], unheld: ['charge_nurse'], wholeUnit: true },
      },
      'Step 2, asked: charge nurse (none on duty), whole unit',
    ],
    [
      { is: 'owner_asked', ...itself, user: ada, because: 'lasting' },
      'Asked Ada Example to take it again, because it lasts',
    ],
    [{ is: 'owner_missing', ...itself, user: ada, since: at }, 'Ada Example not seen since 11:00'],
    [{ is: 'owner_back', ...itself, user: ada }, 'Ada Example is back'],
    [
      { is: 'contact_answered', at, by: ada, answer: 'not_needed', reason: 'in the room' },
      'Ada Example: help outside not needed: in the room',
    ],
    [{ is: 'contact_answered', at, by: ada, answer: 'called', reason: '' }, 'Ada Example: help outside called'],
    [{ is: 'moved', ...itself }, 'The patient came to another unit: it begins again there'],
    [{ is: 'reminded', ...itself, reminder: 2 }, 'Sounds again, reminder 2'],
    [{ is: 'acknowledged', at, by: ada }, 'Ada Example acknowledged it'],
    [{ is: 'accepted', at, by: ada }, 'Ada Example took it'],
    [{ is: 'accepted', at, by: ada, comment: 'On my way' }, 'Ada Example took it: On my way'],
    [{ is: 'rejected', at, by: ada, reason: 'In theatre' }, 'Ada Example cannot come: In theatre'],
    [{ is: 'acknowledgement_withdrawn', at, by: ada }, 'Ada Example took the acknowledgement back'],
    [{ is: 'acceptance_withdrawn', at, by: ada }, 'Ada Example gave it back'],
    [{ is: 'reassigned', at, by: ada, user: kim }, 'Ada Example asked Kim Example to take it'],
    [{ is: 'released', ...itself, user: kim, because: 'moved' }, 'Kim Example no longer has it: patient moved'],
    [
      { is: 'released', ...itself, user: kim, because: 'signed_out', acknowledgement: true },
      'The acknowledgement of Kim Example is over: signed out',
    ],
    [
      { is: 'audio_paused', at, by: ada, until: '2026-05-01T10:02:00.000Z' },
      'Ada Example paused its sound until 11:02',
    ],
    [
      { is: 'resolved', at, by: ada, outcome: 'artefact', note: 'Cold hand' },
      'Ada Example recorded: Artefact, not the patient. Cold hand',
    ],
    [
      { is: 'closed', ...itself, because: 'administrative', reason: 'discharged' },
      'Closed: administrative, discharged',
    ],
  ];

  it('has a sentence for every line that there can be', () => {
    const known = loggedEvent.options.map(({ shape }) => shape.is.value);
    expect([...new Set(lines.map(([{ is }]) => is))].sort()).toEqual(known.sort());
  });

  it.each(lines)('says %j', (event, words) => {
    expect(logWords(event, 'Europe/London')).toBe(words);
  });
});

describe('how long an alert waited', () => {
  it.each([
    [null, '--'],
    [0, '0 s'],
    [45_001, '46 s'],
    [60_000, '1 min'],
    [190_000, '3 min 10 s'],
    [3_600_000, '1 h'],
    [3_900_000, '1 h 5 min'],
  ])('%p is "%s"', (ms, words) => {
    expect(waitWords(ms)).toBe(words);
  });
});
