import fc from 'fast-check';
import { redFlags, symptoms } from '../symptoms/symptoms';
import { toWallTime } from '../time/wallTime';
import { dangersOf } from './dangersOf';
import { deviceKindOf } from './deviceKindOf';
import { duesAround, type DueTimes, firstUnanswered, nextDueAt } from './dueTimes';
import { evaluateMissedCheckIns } from './missedCheckIns';
import { dangerSigns, symptomWords } from './patientWords';
import { readTyped } from './readTyped';
import { receivedLines } from './receivedLines';
import { redReadingsOf } from './redReadingsOf';
import { newCheckIn, type OpenedCheckIn, redReadings } from './schema';
import { sortKept } from './sortKept';
import { telHref } from './telHref';
import { answersOf, emptyCheckIn, isEmpty, readingsOf, type TypedCheckIn } from './typedCheckIn';

describe('deviceKindOf', () => {
  it.each([
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1', 'phone'],
    ['Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36', 'phone'],
    ['Mozilla/5.0 (Linux; Android 15; SM-X710) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', 'tablet'],
    ['Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1', 'tablet'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'computer'],
    ['', null],
    [undefined, null],
  ])('takes a browser that says "%s" to run on: %s', (userAgent, expected) => {
    expect(deviceKindOf(userAgent)).toBe(expected);
  });
});

describe('missedCheckIns', () => {
  const minute = 60_000;
  const hour = 60 * minute;
  const usual: DueTimes = { times: ['08:00', '14:00', '20:00'], timeZone: 'Europe/London' };
  /** The times of a day in May by the clocks of London, which are an hour ahead of UTC. */
  const may = (day: number, time: string): number =>
    Date.parse(`2026-05-${String(day).padStart(2, '0')}T${time}+01:00`);

  /** Returns "low since 16:00" and the like. */
  function shown(lastAt: number, now: number, due = usual): string | null {
    const active = evaluateMissedCheckIns(lastAt, due, now);
    return active === null ? null : `${active.priority} since ${toWallTime(active.since, due.timeZone).slice(8)}`;
  }

  describe('a check-in that is due at 08:00, 14:00 and 20:00', () => {
    it.each([
      // The last one, now, and what is raised (clinical.md section 2.5).
      ['on time', '07T08:00', '07T15:59:59.999', null],
      ['missed once, after 2 h', '07T08:00', '07T16:00', 'low since 07T16:00'],
      ['missed once, before 2 h after the second', '07T08:00', '07T21:59:59.999', 'low since 07T16:00'],
      ['missed twice in a row', '07T08:00', '07T22:00', 'medium since 07T22:00'],
      ['missed for days', '07T08:00', '09T12:00', 'medium since 07T22:00'],
      ['late, before the next is nearer', '07T10:59', '07T16:00', 'low since 07T16:00'],
      ['early for the next', '07T11:00', '07T21:59', null],
      ['early for the next, which is the last of the day', '07T11:00', '07T22:00', 'low since 07T22:00'],
      ['made after it was missed', '07T16:30', '07T21:59', null],
      ['made in the evening', '07T20:00', '08T09:59', null],
      ['missed in the morning', '07T20:00', '08T10:00', 'low since 08T10:00'],
      ['missed in the morning and at noon', '07T20:00', '08T16:00', 'medium since 08T16:00'],
      ['made at night, for the evening', '08T03:59', '08T10:00', 'low since 08T10:00'],
      ['made at night, for the morning', '08T04:00', '08T10:00', null],
    ])('%s', (_, last, now, expected) => {
      const at = (text: string): number => Date.parse(`2026-05-${text.length === 8 ? `${text}:00` : text}+01:00`);
      expect(shown(at(last), at(now))).toBe(expected);
    });

    it('once a day is not silent before the grace is over, and is after a day of silence', () => {
      const daily = { ...usual, times: ['08:00'] };
      expect(shown(may(7, '08:00:00'), may(8, '09:59:59'), daily)).toBeNull();
      expect(shown(may(7, '08:00:00'), may(8, '10:00:00'), daily)).toBe('medium since 08T10:00');
      // Made at 14:00: the day of silence is over four hours after the grace.
      expect(shown(may(7, '14:00:00'), may(8, '13:59:59'), daily)).toBe('low since 08T10:00');
      expect(shown(may(7, '14:00:00'), may(8, '14:00:00'), daily)).toBe('medium since 08T14:00');
    });

    it('once a day in the evening is not answered in the morning, and silent after a day and 2 h at most', () => {
      const daily = { ...usual, times: ['20:00'] };
      expect(shown(may(7, '08:30:00'), may(7, '21:59:59'), daily)).toBeNull();
      expect(shown(may(7, '08:30:00'), may(7, '22:00:00'), daily)).toBe('low since 07T22:00');
      expect(shown(may(7, '08:30:00'), may(8, '08:29:59'), daily)).toBe('low since 07T22:00');
      expect(shown(may(7, '08:30:00'), may(8, '08:30:00'), daily)).toBe('medium since 08T08:30');
      // As early as counts: the next is due 28 h later.
      expect(shown(may(7, '16:00:00'), may(8, '17:59:59'), daily)).toBeNull();
      expect(shown(may(7, '16:00:00'), may(8, '18:00:00'), daily)).toBe('medium since 08T18:00');
    });

    it('six times a day is silent two hours after the second', () => {
      const often = { ...usual, times: ['06:00', '09:00', '12:00', '15:00', '18:00', '21:00'] };
      expect(shown(may(7, '06:00:00'), may(7, '11:00:00'), often)).toBe('low since 07T11:00');
      expect(shown(may(7, '06:00:00'), may(7, '14:00:00'), often)).toBe('medium since 07T14:00');
    });

    it('follows the clocks of the site when they change', () => {
      // On 29 March 2026 clocks in London go forward at 01:00, on 25 October back at 02:00.
      const forward = Date.parse('2026-03-28T20:00:00Z');
      expect(shown(forward, Date.parse('2026-03-29T08:59:59Z'))).toBeNull();
      expect(shown(forward, Date.parse('2026-03-29T09:00:00Z'))).toBe('low since 29T10:00');
      const back = Date.parse('2026-10-24T19:00:00Z');
      expect(shown(back, Date.parse('2026-10-25T09:59:59Z'))).toBeNull();
      expect(shown(back, Date.parse('2026-10-25T10:00:00Z'))).toBe('low since 25T10:00');
      // A silence counts in hours, also over the night that has one more: 26 are over at 09:00.
      const daily = { ...usual, times: ['08:00'] };
      expect(shown(Date.parse('2026-10-24T07:00:00Z'), Date.parse('2026-10-25T08:59:59Z'), daily)).toBeNull();
      expect(shown(Date.parse('2026-10-24T07:00:00Z'), Date.parse('2026-10-25T09:00:00Z'), daily)).toBe(
        'medium since 25T09:00',
      );
    });

    it('at a time that clocks skip or show twice is due once', () => {
      const atNight = { ...usual, times: ['01:30', '13:30'] };
      for (const day of ['2026-03-29', '2026-10-25']) {
        const noon = Date.parse(`${day}T12:00:00Z`);
        const dues = duesAround(atNight, noon).filter((at) => toWallTime(at, atNight.timeZone).startsWith(day));
        expect(dues).toHaveLength(2);
      }
    });
  });

  describe('the next check-in', () => {
    it.each([
      ['nothing before', null, '09:00', '07T08:00'],
      ['the morning is done', '08:10', '09:00', '07T14:00'],
      ['noon is due now', '08:10', '13:00', '07T14:00'],
      ['noon is missed and still counts', '08:10', '16:50', '07T14:00'],
      ['noon is missed and the evening is nearer', '08:10', '17:00', '07T20:00'],
      ['the day is done', '20:00', '23:00', '08T08:00'],
    ])('if %s', (_, last, now, expected) => {
      const lastAt = last === null ? null : may(7, `${last}:00`);
      expect(toWallTime(nextDueAt(usual, lastAt, may(7, `${now}:00`)), usual.timeZone).slice(8)).toBe(expected);
    });
  });

  it('is next this evening for who has to check in once a day, also before a check-in counts for it', () => {
    const daily = { ...usual, times: ['20:00'] };
    const next = (last: string | null, now: string) =>
      toWallTime(nextDueAt(daily, last === null ? null : may(7, last), may(7, now)), usual.timeZone).slice(8);
    expect(next(null, '14:00:00')).toBe('07T20:00');
    expect(next('14:00:00', '14:00:00')).toBe('07T20:00');
    expect(next('16:00:00', '16:00:00')).toBe('08T20:00');
  });

  describe('for any times, zone and moment', () => {
    const arbitraryDue = fc
      .record({
        minutes: fc.uniqueArray(fc.integer({ min: 0, max: 1_439 }), { minLength: 1, maxLength: 6 }),
        timeZone: fc.constantFrom('UTC', 'Europe/London', 'America/St_Johns', 'Pacific/Auckland', 'Pacific/Kiritimati'),
      })
      .map(({ minutes, timeZone }) => ({
        timeZone,
        times: minutes
          .sort((a, b) => a - b)
          .map((at) => `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`),
      }));
    const arbitraryAt = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) });

    it('what is due next lies after the last one, and the second after it', () => {
      fc.assert(
        fc.property(arbitraryDue, arbitraryAt, (due, lastAt) => {
          const { first, second } = firstUnanswered(due, lastAt);
          expect(first).toBeGreaterThan(lastAt);
          expect(second).toBeGreaterThan(first);
          expect(second).toBeLessThan(lastAt + 75 * hour);
        }),
      );
    });

    it('gets no better by waiting, is raised from when it says, and ends with the next check-in', () => {
      const rank = { low: 1, medium: 2, high: 3 };
      fc.assert(
        fc.property(arbitraryDue, arbitraryAt, fc.integer({ min: 0, max: 80 * hour }), (due, lastAt, after) => {
          const now = lastAt + after;
          const active = evaluateMissedCheckIns(lastAt, due, now);
          const later = evaluateMissedCheckIns(lastAt, due, now + 10 * minute);
          expect(later === null ? 0 : rank[later.priority]).toBeGreaterThanOrEqual(
            active === null ? 0 : rank[active.priority],
          );
          const { since = now, rule = null } = active ?? {};
          expect(evaluateMissedCheckIns(lastAt, due, since)?.rule ?? null).toBe(rule);
          expect(rule !== null && evaluateMissedCheckIns(lastAt, due, since - 1)?.rule === rule).toBe(false);
          expect(evaluateMissedCheckIns(now, due, now)).toBeNull();
          // No one is silent for longer than a day and the grace without someone who calls.
          expect(evaluateMissedCheckIns(lastAt, due, lastAt + 26 * hour)?.priority).toBe('medium');
        }),
      );
    });
  });
});

describe('a typed reading', () => {
  it.each([
    ['spo2', '101', 'Type a number from 1 to 100 %.'],
    ['spo2', '0', 'Type a number from 1 to 100 %.'],
    ['pulseRate', '19', 'Type a number from 20 to 300.'],
    ['temperature', '98.6', 'Type a number from 10 to 46 °C.'],
    ['temperature', '3 7', 'Type a number from 10 to 46 °C.'],
    ['respiratoryRate', '-4', 'Type a number from 0 to 150.'],
    ['weight', '1e2', 'Type a number from 0.2 to 700 kg.'],
    ['temperature', '98.6 F', 'Type a number from 10 to 46 °C.'],
    ['weight', '180 lb', 'Type a number from 0.2 to 700 kg.'],
    ['spo2', '%', 'Type a number from 1 to 100 %.'],
    ['spo2', '88 kg', 'Type a number from 1 to 100 %.'],
    ['spo2', 'ninety', 'Type a number from 1 to 100 %.'],
  ] as const)('is refused: %s "%s"', (kind, text, fault) => {
    expect(readTyped(kind, text)).toMatchObject({ fault });
  });

  it('that is refused for being too low is known, because it may be true', () => {
    const fault = 'Type a number from 20 to 300.';
    expect(readTyped('pulseRate', '15')).toEqual({ fault, tooLow: 15 });
    expect(readTyped('pulseRate', '15 bpm')).toMatchObject({ tooLow: 15 });
    expect(readTyped('spo2', '0')).toMatchObject({ tooLow: 0 });
    expect(readTyped('pulseRate', '301')).not.toHaveProperty('tooLow');
    expect(readTyped('pulseRate', 'x')).not.toHaveProperty('tooLow');
  });

  it('is nothing as long as nothing is typed', () => {
    expect(readTyped('spo2', '  ')).toBeNull();
  });

  it.each([
    ['spo2', '92', 92],
    ['respiratoryRate', '0', 0],
    ['temperature', '36,8', 36.8],
    ['temperature', ' 37. ', 37],
    ['weight', '81.25', 81.25],
    ['spo2', '88%', 88],
    ['spo2', '85 %', 85],
    ['spo2', '85 percent', 85],
    ['pulseRate', '140 bpm', 140],
    ['pulseRate', '140/min', 140],
    ['respiratoryRate', '30 per minute', 30],
    ['temperature', '39,2 °C', 39.2],
    ['temperature', '39c', 39],
    ['weight', '80 KG', 80],
  ] as const)('is taken: %s "%s"', (kind, text, value) => {
    expect(readTyped(kind, text)).toEqual({ value });
  });
});

describe('readings of a check-in', () => {
  const red: OpenedCheckIn['red'] = {
    spo2: [{ is: 'atMost', value: 91 }],
    pulseRate: [
      { is: 'atMost', value: 40 },
      { is: 'atLeast', value: 131 },
    ],
    respiratoryRate: [],
  };

  it('are RED on both sides of their limits, as rounded for the screen', () => {
    expect(redReadingsOf({ spo2: 91.4, pulseRate: 131 }, red)).toEqual(['spo2', 'pulseRate']);
    expect(redReadingsOf({ pulseRate: 40 }, red)).toEqual(['pulseRate']);
    expect(redReadingsOf({ spo2: 91.5, pulseRate: 41 }, red)).toEqual([]);
  });

  it('are not RED if they were not typed, or have no limit', () => {
    expect(redReadingsOf({}, red)).toEqual([]);
    expect(redReadingsOf({ respiratoryRate: 0, temperature: 41, weight: 80 }, red)).toEqual([]);
  });

  it('are each looked at', () => {
    const all = { is: 'atLeast', value: 0 } as const;
    const every = redReadingsOf(
      { spo2: 1, pulseRate: 20, respiratoryRate: 0 },
      { spo2: [all], pulseRate: [all], respiratoryRate: [all] },
    );
    expect(every).toEqual(redReadings);
  });
});

describe('the check-ins that a phone keeps', () => {
  const hour = 3_600_000;
  const now = Date.parse('2026-05-01T12:00:00Z');
  const old = now - 24 * hour - 1;
  const answers = answersOf({ ...emptyCheckIn, sinceYesterday: 'same' });
  const redAnswers = answersOf({ ...emptyCheckIn, ticked: ['blueLips'] });
  const row = (clientId: string, link: string, madeAt: number) => ({
    clientId: `6f2b3c1e-0d7e-4b1c-9f43-3f1c7f6d2a1${clientId}`,
    link,
    madeAt,
    answers,
    mayHaveArrived: true,
  });
  const nothing = { kept: [], tooOld: [], forget: [], notice: [] };

  it('leave behind that they were too old, without their answers, until their own link is opened', () => {
    const [mine, other] = [row('1', 'L', old), row('2', 'M', old)];
    const notices = [mine, other].map(({ answers: _answers, ...rest }) => ({ ...rest, isTooOld: true as const }));
    const atStart = sortKept([mine, other], '', now);
    expect(atStart).toEqual({ ...nothing, notice: notices });
    expect(sortKept(atStart.notice, 'L', now)).toEqual({
      ...nothing,
      tooOld: [{ madeAt: old, mayHaveArrived: true }],
      forget: [mine.clientId],
    });
    expect(sortKept(atStart.notice, '', now)).toEqual(nothing);
  });

  it('are named at once if the link that is opened is their own', () => {
    const mine = row('1', 'L', old);
    expect(sortKept([mine], 'L', now)).toEqual({
      ...nothing,
      tooOld: [{ madeAt: old, mayHaveArrived: true }],
      forget: [mine.clientId],
    });
  });

  it('are forgotten altogether after the longest time for which a link can be valid', () => {
    const { answers: _answers, ...rest } = row('1', 'M', now - 91 * 24 * hour);
    const notice = { ...rest, isTooOld: true };
    expect(sortKept([notice], '', now)).toEqual({ ...nothing, forget: [notice.clientId] });
  });

  it.each([25 * hour, 400 * 24 * hour])(
    'go to the ward if they have a red flag, although the clock was set and they look %d ms old',
    (age) => {
      const red = { ...row('1', 'L', now - age), answers: redAnswers };
      // The page starts before it knows which link is opened.
      expect(sortKept([red], '', now)).toEqual(nothing);
      expect(sortKept([red], 'L', now)).toEqual({ ...nothing, kept: [red] });
    },
  );

  it('stay with a red flag until another link is opened after the last day on which theirs can be valid', () => {
    const red = (days: number) => ({ ...row('1', 'M', now - days * 24 * hour), answers: redAnswers });
    expect(sortKept([red(90)], 'L', now)).toEqual(nothing);
    expect(sortKept([red(91)], 'L', now)).toEqual({ ...nothing, forget: [red(91).clientId] });
  });

  it('wait for their own link, the oldest first, also if they seem to come from the future', () => {
    const rows = [row('1', 'L', now + hour), row('2', 'L', now - hour), row('3', 'M', now)];
    expect(sortKept(rows, 'L', now)).toEqual({ ...nothing, kept: [rows[1], rows[0]] });
  });

  it('may have arrived if an older release kept them, which did not say', () => {
    const { mayHaveArrived: _unknown, ...said } = row('1', 'L', now);
    expect(sortKept([said], 'L', now)).toEqual({ ...nothing, kept: [row('1', 'L', now)] });
  });

  it('are deleted if an older release kept them in another form', () => {
    expect(sortKept([{ clientId: 'x', text: 'what?' }], '', now)).toEqual({ ...nothing, forget: ['x'] });
  });
});

describe('a link that dials', () => {
  it.each(['112 or 999', 'the ward', '', '1', '112, 999', 'tel:112'])('is not made of "%s"', (text) => {
    expect(telHref(text)).toBeNull();
  });

  it.each([
    ['112', 'tel:112'],
    ['+44 (0)20 7946-0958', 'tel:+442079460958'],
    ['*112#', 'tel:*112#'],
  ])('is made of "%s"', (number, href) => {
    expect(telHref(number)).toBe(href);
  });
});

describe('typedCheckIn', () => {
  const red: OpenedCheckIn['red'] = { spo2: [{ is: 'atMost', value: 91 }], pulseRate: [], respiratoryRate: [] };
  const typed = (change: Partial<TypedCheckIn>): TypedCheckIn => ({ ...emptyCheckIn, ...change });
  const withReadings = (change: Partial<TypedCheckIn['readings']>): TypedCheckIn =>
    typed({ readings: { ...emptyCheckIn.readings, ...change } });

  const dangersIn = (of: TypedCheckIn): string[] => dangersOf(answersOf(of), red, null);

  describe('what a patient typed', () => {
    it('is empty until something is answered, and 0 is an answer', () => {
      expect(isEmpty(emptyCheckIn)).toBe(true);
      expect(isEmpty(withReadings({ spo2: ' ' }))).toBe(true);
      expect(isEmpty(typed({ breathlessness: 0 }))).toBe(false);
      expect(isEmpty(typed({ ticked: ['seizure'] }))).toBe(false);
      expect(isEmpty(typed({ answers: { cough: 'absent' } }))).toBe(false);
      expect(isEmpty(typed({ sinceYesterday: 'same' }))).toBe(false);
      expect(isEmpty(withReadings({ weight: 'x' }))).toBe(false);
    });

    it('never says "no" about a question without an answer', () => {
      const { answers } = answersOf(typed({ answers: { cough: 'absent' } }));
      expect(Object.keys(answers)).toEqual(Object.keys(symptoms));
      expect(Object.entries(answers).filter(([, answer]) => answer !== 'unanswered')).toEqual([['cough', 'absent']]);
    });

    it('is a check-in that the server takes', () => {
      const opened = { secret: 's', yearOfBirth: 1950, clientId: '00000000-0000-4000-8000-000000000000' };
      const clocks = { sentAt: '2026-05-01T10:00:00Z', reportedAt: '2026-05-01T10:00:00Z' };
      const all = typed({
        ticked: ['blueLips'],
        breathlessness: 0,
        sinceYesterday: 'worse',
        answers: { fever: 'mild' },
        readings: { spo2: '92', pulseRate: '80', temperature: '36,8', weight: '81.2', respiratoryRate: '16' },
      });
      expect(newCheckIn.parse({ ...opened, ...clocks, ...answersOf(all) })).toEqual({
        ...opened,
        ...clocks,
        ...answersOf(all),
      });
    });

    it('omits a reading that cannot have been measured', () => {
      expect(readingsOf(withReadings({ spo2: '930', pulseRate: '80' }))).toEqual({ pulseRate: 80 });
    });

    it('means danger by a ticked sign, by an answer that implies one, and by a RED reading, but by no slip', () => {
      expect(dangersIn(typed({ ticked: ['blueLips'] }))).toEqual(['Blue lips or face']);
      expect(dangersIn(typed({ answers: { haemoptysis: 'mild' } }))).toEqual(['Coughing up blood']);
      expect(dangersIn(withReadings({ spo2: '91' }))).toEqual(['Oxygen (SpO2): 91 %']);
      expect(dangersIn(withReadings({ spo2: '0' }))).toEqual([]);
      expect(dangersIn(withReadings({ spo2: '92' }))).toEqual([]);
      expect(dangersIn(emptyCheckIn)).toEqual([]);
      const found = { redFlags: ['seizure' as const], redReadings: ['pulseRate' as const] };
      expect(dangersOf(answersOf(withReadings({ spo2: '91' })), red, found)).toEqual([
        'A fit (seizure)',
        'Oxygen (SpO2): 91 %',
        'Pulse',
      ]);
    });

    it('is repeated in words, with the number of questions that were not answered', () => {
      expect(
        receivedLines(
          answersOf(
            typed({
              ticked: ['seizure'],
              breathlessness: 0,
              sinceYesterday: 'better',
              answers: { cough: 'absent' },
              readings: { ...emptyCheckIn.readings, pulseRate: '80', weight: '81,2' },
            }),
          ),
        ),
      ).toEqual([
        'A fit (seizure)',
        'Breathlessness now: 0 of 10',
        'Better than yesterday',
        'Cough: no',
        'Pulse: 80',
        'Weight: 81.2 kg',
        '19 questions not answered',
      ]);
    });
  });

  describe('the words for patients', () => {
    it('name each sign and each symptom, in the order of the tables', () => {
      expect(Object.keys(dangerSigns)).toEqual(Object.keys(redFlags));
      expect(Object.keys(symptomWords)).toEqual(Object.keys(symptoms));
    });
  });
});
