import fc from 'fast-check';
import type { z } from 'zod';
import { inventedAlert } from '../../test/inventedAlert';
import type { PatientAlert } from '../patients/schema';
import type { Alert, AlertEvent } from './alert';
import { alertPathText, alertsStoppedSince } from './alertPath';
import { alertPathHeaderValue, parseAlertPathEvent } from './alertPathSchema';
import { alertSide } from './alertSide';
import { awaitedAlerts, awaitedText } from './awaitedAlerts';
import { continuousRules } from './continuousRules';
import type { Episode } from './episode';
import { type Evidence, unreadEvidence } from './evidence';
import { historyQueryOf, readHistoryAddress } from './historyAddress';
import { inOrderOfMeasuring } from './inOrderOfMeasuring';
import { inOrderOfUrgency, type RankedAlert } from './inOrderOfUrgency';
import { isFolded } from './isFolded';
import { atLeast, atMost, below, type Limit } from './limit';
import { alertWords, numberMark } from './numberMark';
import type { Parameter } from './parameters';
import type { Entry } from './plan';
import { priorities, type Priority } from './priority';
import { approverOf } from '../proposals/proposals';
import { readAlertConflict } from './readAlertConflict';
import {
  alertEventsResponse,
  alertItem,
  type AlertItem,
  alertsQuery,
  alertsResponse,
  loggedEvent,
  type LoggedEvent,
  pauseAudioBody,
  reassignBody,
  rejectBody,
  resolveBody,
  takeBody,
  undoBody,
  versionBody,
} from './schema';
import { stripPlace } from './stripPlace';
import type { StripItem } from './stripSchema';
import { tabTitle } from './tabTitle';
import { takeEpisode } from './takeEpisode';
import { createWindow, type Order, takeEntry, type Window } from './window';
import { withWorst } from './withWorst';
import { withoutRedundant } from './withoutRedundant';

describe('the order of alerts', () => {
  const alert = (more: Partial<RankedAlert> = {}): RankedAlert => ({
    id: 1,
    parameter: 'spo2',
    rule: 'spo2.low',
    priority: 'high',
    condition: 'active',
    isOwned: false,
    isAsystole: false,
    escalationStep: 1,
    lastRaisedAt: 1_000,
    ...more,
  });

  it.each<[string, Partial<RankedAlert>, Partial<RankedAlert>]>([
    ['MEDIUM before LOW, also if a user has accepted it', { priority: 'medium', isOwned: true }, { priority: 'low' }],
    ['MEDIUM that no one has accepted before HIGH that a user has', { priority: 'medium' }, { isOwned: true }],
    ['HIGH before MEDIUM', {}, { priority: 'medium', escalationStep: 4 }],
    [
      'what is beyond its limits before a poor signal',
      { isOwned: true, escalationStep: 0 },
      { parameter: 'sensor', rule: 'sensor.poor', priority: 'medium' },
    ],
    ['a patient before equipment', { condition: 'ended' }, { parameter: 'gateway', rule: 'gateway.long' }],
    ['what lasts before what has ended', { lastRaisedAt: 1 }, { condition: 'ended', rule: 'spo2.desat' }],
    ['asystole before a desaturation', { rule: 'hr.extreme', isAsystole: true }, { rule: 'spo2.desat' }],
    ['a desaturation before a red flag', { rule: 'spo2.desat' }, { rule: 'symptoms.red_flag' }],
    ['a red flag before an extreme rate', { rule: 'symptoms.red_flag' }, { rule: 'hr.extreme' }],
    ['an extreme rate before a low SpO2', { rule: 'hr.extreme' }, { rule: 'spo2.low' }],
    ['a low SpO2 before a red reading at home', {}, { rule: 'home.spo2.red', escalationStep: 4 }],
    ['a red reading at home before the rest', { rule: 'home.spo2.red' }, { rule: 'home.weight.red' }],
    ['what was escalated further', { escalationStep: 3, lastRaisedAt: 1 }, { escalationStep: 2 }],
    ['what was raised or upgraded last', { lastRaisedAt: 2_000 }, { id: 9 }],
  ])('puts %s first', (_, first, second) => {
    expect(inOrderOfUrgency(alert(first), alert(second))).toBeLessThan(0);
    expect(inOrderOfUrgency(alert(second), alert(first))).toBeGreaterThan(0);
  });

  it('is the same in whatever order the alerts come', () => {
    const any = fc.record({
      id: fc.nat(),
      parameter: fc.constantFrom('spo2', 'rate', 'gateway'),
      rule: fc.constantFrom('spo2.desat', 'hr.extreme', 'gateway.long', 'symptoms.red_flag'),
      priority: fc.constantFrom(...priorities),
      condition: fc.constantFrom('active', 'ended'),
      isOwned: fc.boolean(),
      isAsystole: fc.boolean(),
      escalationStep: fc.nat(4),
      lastRaisedAt: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.uniqueArray(any, { selector: ({ id }) => id }), (alerts) => {
        expect(alerts.toReversed().sort(inOrderOfUrgency)).toEqual([...alerts].sort(inOrderOfUrgency));
      }),
    );
  });
});

describe('isFolded', () => {
  const now = 1_000_000;
  const episode = (priority: Priority, endedAt: number | null = null): Episode => ({
    rule: 'spo2.low',
    priority,
    startedAt: now,
    count: 1,
    since: now,
    endedAt,
    source: null,
    lowest: 80,
    highest: 80,
    unconfirmedUntil: null,
  });
  function alertOf(parameter: Parameter, priority: Priority, isEnded = false): Alert {
    const raised = takeEpisode(null, parameter, episode(priority), now, { isHeld: false })?.alert ?? null;
    const ended = isEnded ? takeEpisode(raised, parameter, episode(priority, now), now, { isHeld: false }) : null;
    const alert = ended?.alert ?? raised;
    if (alert === null) {
      throw new Error('no alert');
    }
    return alert;
  }
  const high = alertOf('spo2', 'high');
  const medium = alertOf('spo2', 'medium');
  const fast = alertOf('rate', 'high');
  const flag = alertOf('symptoms', 'high');

  it.each([
    ['SpO2 explains all but two points', { spo2: 3, systolic: 2 }, 'medium', { spo2: high }, true],
    ['three points are left over', { spo2: 3, systolic: 3 }, 'medium', { spo2: high }, false],
    ['two alerts explain it together', { spo2: 3, pulse: 3, systolic: 1 }, 'high', { spo2: high, rate: fast }, true],
    ['the alert is milder than the score', { spo2: 3, pulse: 2, systolic: 2 }, 'high', { spo2: medium }, false],
    ['the alert is as urgent', { spo2: 3, systolic: 2 }, 'medium', { spo2: medium }, true],
    ['the alert has ended', { spo2: 3, systolic: 2 }, 'medium', { spo2: alertOf('spo2', 'high', true) }, false],
    ['another alert explains nothing', { spo2: 3, systolic: 2 }, 'medium', { symptoms: flag }, false],
    ['there is no alert', { spo2: 3, systolic: 2 }, 'medium', {}, false],
    ['there is no alert and few points', { systolic: 2 }, 'medium', {}, false],
  ] as const)('if %s: %j', (_, points, priority, alerts, expected) => {
    expect(isFolded(points, priority, alerts)).toBe(expected);
  });
  // prettier-ignore
});

describe('the alerts that need someone', () => {
  const item = (priority: StripItem['priority'], owned = false): StripItem => ({
    unit: 'West',
    bed: '1',
    isTrial: false,
    priority,
    raisedAt: '2026-05-01T10:00:00Z',
    owned,
  });

  it('are neither LOW ones nor those that somebody has accepted', () => {
    expect(awaitedAlerts([item('low'), item('high', true), item('medium', true)])).toEqual({ count: 0, worst: null });
  });

  it('are counted, with the most urgent priority among them', () => {
    expect(awaitedAlerts([item('medium'), item('low'), item('medium')])).toEqual({ count: 2, worst: 'medium' });
    expect(awaitedAlerts([item('medium'), item('high'), item('high', true)])).toEqual({ count: 2, worst: 'high' });
  });

  it.each([
    [0, 'No alert needs someone'],
    [1, '1 alert needs someone'],
    [2, '2 alerts need someone'],
  ])('are %d in words', (count, text) => {
    expect(awaitedText(count)).toBe(text);
  });
});

describe('the worst of an alert', () => {
  const minute = 60_000;
  const episode = (rule: 'spo2.desat' | 'spo2.low' | 'spo2.mild', more: Partial<Episode>): Episode => ({
    rule,
    priority: continuousRules[rule].priority,
    startedAt: 1,
    count: 1,
    since: 1,
    endedAt: null,
    lowest: null,
    highest: null,
    source: 0,
    unconfirmedUntil: null,
    ...more,
  });

  interface Known {
    alert: Alert;
    evidence: Evidence;
  }

  /** Takes the episodes one after another, as the server does. */
  function take(known: Known | null, ...steps: readonly (readonly [now: number, episode: Episode])[]): Known {
    let after = known;
    for (const [now, next] of steps) {
      const change = takeEpisode(after?.alert ?? null, 'spo2', next, now, { isHeld: false });
      if (change === null) {
        throw new Error('no change');
      }
      const isRaised = change.events.some(({ is }) => is === 'raised' || is === 'raised_again' || is === 'upgraded');
      const limits = Object.entries(continuousRules).find(([id]) => id === next.rule)?.[1].limits[1] ?? null;
      const evidence = isRaised || after === null ? { ruleVersion: 1, limits, samples: [] } : after.evidence;
      const before = after === null ? null : { alert: after.alert, worst: after.evidence.worst };
      after = { alert: change.alert, evidence: withWorst(before, change.alert, evidence, isRaised) };
    }
    if (after === null) {
      throw new Error('no steps');
    }
    return after;
  }

  const fallen = take(null, [1, episode('spo2.low', {})], [2, episode('spo2.desat', {})]);
  const over = take(
    fallen,
    [minute, episode('spo2.mild', {})],
    [2 * minute, episode('spo2.mild', { endedAt: 2 * minute, lowest: 77, highest: 93 })],
  );
  const desat = { rule: 'spo2.desat', priority: 'high', limits: continuousRules['spo2.desat'].limits[1] };

  it('is its most urgent rule with the limits of that time, not the one with which it ended', () => {
    expect(fallen.evidence.worst).toEqual({ ...desat, lowest: null, highest: null });
    expect(over.evidence.worst).toEqual({ ...desat, lowest: 77, highest: 93 });
  });

  it('stays while the alert keeps its priority, although a milder condition followed', () => {
    const later = episode('spo2.mild', { startedAt: 20 * minute, since: 20 * minute });
    const again = take(over, [20 * minute, later], [30 * minute, { ...later, endedAt: 30 * minute, lowest: 92 }]);
    expect(again.alert.priority).toBe('high');
    expect(again.evidence.worst).toEqual({ ...desat, lowest: 77, highest: 93 });
  });

  it('begins again with another episode that the alert is about', () => {
    const mild = take(null, [1, episode('spo2.low', {})]);
    const seen = { ...mild, alert: { ...mild.alert, priority: 'low', acknowledged: null } as const };
    const later = episode('spo2.mild', { startedAt: 20 * minute, since: 20 * minute });
    const again = take(seen, [minute, episode('spo2.low', { endedAt: minute, lowest: 85 })], [20 * minute, later]);
    expect(again.evidence.worst).toMatchObject({ rule: 'spo2.mild', lowest: null });
  });

  it('is not added to evidence that cannot be read, which stays as it is in the store', () => {
    expect(withWorst(null, fallen.alert, unreadEvidence, true)).toBe(unreadEvidence);
  });
});

describe('of a device that sends many values in a second the rules judge', () => {
  const second = 1_000;
  const start = Date.UTC(2026, 4, 1, 10);
  const order: Order<Entry, number> = {
    retrospectiveAfterMs: 60 * second,
    slotMs: 15 * second,
    step: (count) => count + 1,
    compare: inOrderOfMeasuring,
    isRepeat: (a, b) => a.value === b.value,
  };
  const entryAt = (ms: number, value: number, more: Partial<Entry> = {}): Entry => ({
    at: start + ms,
    measuredAt: start + ms,
    source: 0,
    deviceId: 1,
    isAssigned: true,
    isValid: true,
    value,
    isDoubtful: false,
    hasStoppedStating: false,
    ...more,
  });
  /** What is judged of entries that arrive one after another. */
  const judged = (entries: readonly Entry[]): Entry[] => {
    let window: Window<Entry, number> = createWindow(0);
    return entries.flatMap((entry) => {
      const needed = withoutRedundant(window, [entry]);
      needed.forEach((each) => {
        window = takeEntry(window, each, start + 30 * second, order);
      });
      return needed;
    });
  };
  const ten = Array.from({ length: 10 }, (_, index) => entryAt(index, 96));

  it.each([
    ['the first ten', entryAt(50, 96), false],
    ['a lower one', entryAt(50, 70), true],
    ['a higher one', entryAt(50, 99), true],
    ['one that is 100 ms later', entryAt(109, 96), true],
    ['none that is less than 100 ms later', entryAt(108, 96), false],
    ['a correction of one that was judged', entryAt(5, 96), true],
    ['a doubtful value beside good ones', entryAt(50, 96, { isDoubtful: true }), true],
    ['a value of the next second', entryAt(second, 96), true],
    ['a value of another device', entryAt(50, 96, { deviceId: 2 }), true],
    ['a value of another kind', entryAt(50, 96, { source: 1 }), true],
    ['what a person typed in', entryAt(50, 96, { deviceId: -4 }), true],
    ['no signal that is lost and back within 100 ms', entryAt(50, 0, { isValid: false }), false],
  ])('%s', (_, entry, isJudged) => {
    expect(judged([...ten, entry])).toHaveLength(isJudged ? 11 : 10);
    expect(withoutRedundant(createWindow(0), [...ten, entry])).toHaveLength(isJudged ? 11 : 10);
  });

  it('every value of one that sends up to ten a second', () => {
    const entries = Array.from({ length: 300 }, (_, index) => entryAt(index * 100, 90 + (index % 7)));
    expect(judged(entries)).toEqual(entries);
  });

  it('the lowest and the highest of each second, and few others, in whatever order they arrive', () => {
    const values = fc.array(fc.integer({ min: 50, max: 100 }), { minLength: 240, maxLength: 240 });
    const all = values.map((list) => list.map((value, index) => entryAt(index * 4, value)));
    fc.assert(
      fc.property(
        all.chain((entries) => fc.shuffledSubarray(entries, { minLength: 240 })),
        (entries) => {
          const found = judged(entries).map(({ value }) => value);
          const sent = entries.map(({ value }) => value);
          expect([Math.min(...found), Math.max(...found)]).toEqual([Math.min(...sent), Math.max(...sent)]);
          expect(found.length).toBeLessThanOrEqual(70);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('the side of an alert', () => {
  const evidenceOf = (
    raise: readonly Limit[],
    ...samples: [kind: 'spo2' | 'heartRate' | 'pulseRate', value: number][]
  ) =>
    ({
      ruleVersion: 1,
      limits: { raise, clear: [] },
      samples: samples.map(([kind, value]) => ({ kind, value, measuredAt: 0, deviceId: 1, isDoubtful: false })),
    }) satisfies Evidence;
  const extreme = [atMost(40), atLeast(150)];

  it('is not known without a limit, and with evidence that cannot be read', () => {
    expect(alertSide({ rule: 'symptoms.red_flag' }, { ruleVersion: 1, limits: null, samples: [] })).toBeNull();
    expect(alertSide({ rule: 'hr.extreme' }, unreadEvidence)).toBeNull();
  });

  it('is not known if the values are beyond neither limit', () => {
    expect(alertSide({ rule: 'hr.extreme' }, evidenceOf(extreme, ['heartRate', 80]))).toBeNull();
  });

  it('is that of the only limit, whatever the values are by now', () => {
    expect(alertSide({ rule: 'spo2.low' }, evidenceOf([below(88)], ['spo2', 99]))).toBe('low');
    expect(alertSide({ rule: 'spo2.over_o2' }, evidenceOf([atLeast(97)]))).toBe('high');
    expect(alertSide({ rule: 'hr.low' }, evidenceOf([atMost(45)]))).toBe('low');
  });

  it('is that of the limit which the newest value beyond one is beyond', () => {
    expect(alertSide({ rule: 'hr.extreme' }, evidenceOf(extreme, ['heartRate', 152]))).toBe('high');
    expect(alertSide({ rule: 'hr.extreme' }, evidenceOf(extreme, ['heartRate', 30], ['heartRate', 152]))).toBe('low');
    // The ECG is well while the oximeter is not (clinical.md section 0, Q4).
    expect(alertSide({ rule: 'hr.extreme' }, evidenceOf(extreme, ['heartRate', 80], ['pulseRate', 30]))).toBe('low');
  });

  it('is evaluated on the value that is shown', () => {
    expect(alertSide({ rule: 'hr.extreme' }, evidenceOf(extreme, ['heartRate', 149.6]))).toBe('high');
  });

  it('of a trend is not that of the difference', () => {
    expect(alertSide({ rule: 'spo2.drop' }, evidenceOf([atLeast(3)], ['spo2', 91]))).toBe('low');
    expect(alertSide({ rule: 'hr.jump' }, evidenceOf([atLeast(30)], ['heartRate', 120]))).toBeNull();
  });
});

describe('the alarm path', () => {
  const now = Date.UTC(2026, 4, 1, 10, 0, 0);

  it.each<[string, number, number, number | null]>([
    ['runs', 0, 0, null],
    ['runs with a tick of 10 s and a beat of 90 s', 10_000, 90_000, null],
    ['has stopped after 10 s without a tick', 10_001, 0, now - 10_001],
    ['has stopped after 90 s without a beat, although it ticks', 0, 90_001, now - 90_001],
    ['has stopped since the earlier of the two', 60_000, 100_000, now - 100_000],
    ['has stopped since its last tick while the beat is not missed yet', 60_000, 70_000, now - 60_000],
    ['runs if the two are a moment ahead of the clock that judges them', -300, -300, null],
  ])('%s', (_, tickAge, beatAge, since) => {
    expect(alertsStoppedSince({ lastTickAt: now - tickAge, lastHeartbeatAt: now - beatAge }, now)).toBe(since);
  });

  it('is in a header as two numbers', () => {
    const path = { lastTickAt: now - 1_000, lastHeartbeatAt: now - 30_000 };
    expect(alertPathText(path)).toBe('1777629599000,1777629570000');
    expect(alertPathHeaderValue.parse(alertPathText(path))).toEqual(path);
  });

  it.each(['', '1', '1,', ',1', '1,2,3', '-1,2', '1.5,2', ' 1,2', '1,2026-05-01T10:00:00Z', '9'.repeat(16) + ',1'])(
    'is not read from the header %j',
    (text) => {
      expect(alertPathHeaderValue.safeParse(text).success).toBe(false);
    },
  );

  it('is in an event with the server’s time', () => {
    const event = { topic: 'alertPath', serverTime: now, lastTickAt: now - 1_000, lastHeartbeatAt: now - 30_000 };
    expect(parseAlertPathEvent(JSON.stringify(event))).toEqual({
      serverTime: now,
      path: { lastTickAt: now - 1_000, lastHeartbeatAt: now - 30_000 },
      // One of an earlier release.
      notStoredSince: null,
    });
    const notStored = { ...event, notStoredSince: now - 11_000 };
    expect(parseAlertPathEvent(JSON.stringify(notStored))).toMatchObject({ notStoredSince: now - 11_000 });
  });

  it.each([
    '',
    '{}',
    '{"topic":"alertPath","serverTime":1,"lastTickAt":1}',
    '{"topic":"alerts","serverTime":1,"lastTickAt":1,"lastHeartbeatAt":1}',
    '{"topic":"alertPath","serverTime":1,"lastTickAt":"1","lastHeartbeatAt":1}',
    '{"topic":"alertPath","serverTime":1,"lastTickAt":1,"lastHeartbeatAt":1,"notStoredSince":"1"}',
  ])('is not read from the event %s', (text) => {
    expect(parseAlertPathEvent(text)).toBeNull();
  });
});

describe('the title of a tab', () => {
  const page = 'Patients - Wardlight';
  const quiet = { awaited: 0, isNotLive: false, areAlertsStopped: false };

  it('is that of its page while no alert waits', () => {
    expect(tabTitle(page, quiet)).toBe(page);
  });

  it.each([
    [{ ...quiet, awaited: 2 }, `(2!) ${page}`],
    [{ ...quiet, awaited: 2, isNotLive: true }, `(NOT LIVE) ${page}`],
    [{ awaited: 2, isNotLive: true, areAlertsStopped: true }, `(ALERTS NOT RUNNING) ${page}`],
  ])('says first what matters more than the page: %j', (news, title) => {
    expect(tabTitle(page, news)).toBe(title);
  });

  it('has one prefix, however often it changes', () => {
    const titles = [{ ...quiet, awaited: 2 }, { ...quiet, awaited: 12 }, { ...quiet, isNotLive: true }, quiet];
    expect(titles.reduce((title, news) => tabTitle(title, news), page)).toBe(page);
    expect(tabTitle(`(2!) ${page}`, { ...quiet, awaited: 3 })).toBe(`(3!) ${page}`);
  });
});

describe('the place of an alert on a locked screen and in a notification', () => {
  it.each([
    [{ unit: 'North', bed: '3', isTrial: false }, 'North · Bed 3'],
    [{ unit: null, bed: null, isTrial: false }, 'No bed'],
    [{ unit: 'North', bed: '3', isTrial: true }, 'Trial · North · Bed 3'],
  ])('of %j is %s', (item, words) => {
    expect(stripPlace(item)).toBe(words);
  });
});

describe('numberMark', () => {
  const now = Date.parse('2026-03-07T15:00:00.000Z');
  const certain = { asOf: '2026-03-07T14:59:58.000Z', quality: 'good', expectedEveryMs: 1_000 } as const;
  const latestOf = (values: object) =>
    Object.fromEntries(
      Object.entries(values).map(([kind, value]: [string, object]) => [kind, { ...certain, value: 0, ...value }]),
    );
  const alert: PatientAlert = {
    id: 1,
    parameter: 'spo2',
    priority: 'high',
    side: 'low',
    condition: 'active',
    acknowledged: false,
    owner: null,
    raisedAt: '2026-03-07T15:00:00.000Z',
    confirmBy: null,
  };

  describe('the mark of a number', () => {
    it('is not there without an open alert of its own parameter', () => {
      expect(numberMark([], 'spo2', {}, now)).toBeNull();
      expect(numberMark([{ ...alert, parameter: 'sensor' }], 'spo2', {}, now)).toBeNull();
      expect(numberMark([alert], 'rate', {}, now)).toBeNull();
    });

    it('is not there once an ended alert was acknowledged', () => {
      expect(numberMark([{ ...alert, condition: 'ended', acknowledged: true }], 'spo2', {}, now)).toBeNull();
    });

    it.each<[Partial<PatientAlert>, string, 'low' | null]>([
      [{}, 'filled', 'low'],
      [{ acknowledged: true }, 'outlined', 'low'],
      [{ owner: 'ND' }, 'outlined', 'low'],
      [{ acknowledged: true, owner: 'ND' }, 'outlined', 'low'],
      [{ condition: 'ended' }, 'dashed', null],
      [{ condition: 'ended', owner: 'ND' }, 'dashed', null],
    ])('of %j is %s', (change, look, side) => {
      expect(numberMark([{ ...alert, ...change }], 'spo2', {}, now)).toMatchObject({ look, side, priority: 'high' });
    });

    it.each<[object, 'filled' | 'outlined']>([
      [{ spo2: { value: 91.4 } }, 'filled'],
      [{ spo2: { value: 91.5 } }, 'outlined'],
      [{ spo2: { value: 101 } }, 'filled'],
      [{ spo2: { value: 97, quality: 'questionable' } }, 'filled'],
      [{ spo2: { value: 97, quality: 'invalid' } }, 'filled'],
      [{ spo2: { value: 97, ageUnknown: true } }, 'filled'],
      [{ spo2: { value: 97, asOf: '2026-03-07T14:59:29.999Z' } }, 'filled'],
      [{ spo2: { value: 97, asOf: '2026-03-07T14:58:00.000Z' } }, 'filled'],
      [{ spo2: { value: 97, other: { value: 72 } } }, 'filled'],
      [{ spo2: { value: 97, other: { value: 96 } } }, 'outlined'],
      [{}, 'filled'],
    ])('by values of now %j, within 91 and 101, is %s', (values, look) => {
      const calm = { above: 91, below: 101 };
      const mark = numberMark([{ ...alert, calm }], 'spo2', latestOf(values), now);
      expect(mark).toMatchObject({ look, side: look === 'filled' ? 'low' : null });
      expect(numberMark([{ ...alert, calm, condition: 'ended' }], 'spo2', latestOf(values), now)?.look).toBe('dashed');
    });

    it('of a rate is filled as long as one of both rates is beyond the limit', () => {
      const rate: PatientAlert = { ...alert, parameter: 'rate', side: 'high', calm: { above: 40, below: 146 } };
      const lookAt = (values: object) => numberMark([rate], 'rate', latestOf(values), now)?.look;
      expect(lookAt({ heartRate: { value: 80 }, pulseRate: { value: 146 } })).toBe('filled');
      expect(lookAt({ heartRate: { value: 80 }, pulseRate: { value: 40 } })).toBe('filled');
      expect(lookAt({ heartRate: { value: 80 }, pulseRate: { value: 145 } })).toBe('outlined');
      expect(lookAt({ heartRate: { value: 80 }, pulseRate: { value: 146, asOf: '2026-03-07T14:00:00.000Z' } })).toBe(
        'outlined',
      );
    });

    it('has the priority of its own alert, not of the patient’s worst', () => {
      const rate: PatientAlert = { ...alert, id: 2, parameter: 'rate', priority: 'low', side: 'high' };
      expect(numberMark([alert, rate], 'rate', {}, now)).toMatchObject({ priority: 'low', side: 'high' });
    });
  });

  it.each<[Partial<PatientAlert>, string]>([
    [{}, 'high-priority alert'],
    [{ priority: 'medium', acknowledged: true }, 'medium-priority alert, acknowledged'],
    [{ acknowledged: true, owner: 'ND' }, 'high-priority alert, taken by ND'],
    [{ condition: 'ended' }, 'high-priority alert, ended, not acknowledged'],
    [{ condition: 'ended', owner: 'ND' }, 'high-priority alert, ended, taken by ND, not acknowledged'],
  ])('%j is read out as "%s"', (change, words) => {
    expect(alertWords({ ...alert, ...change })).toBe(words);
  });
});

describe('the alert of a refused action', () => {
  const alert = inventedAlert(7);
  const lastAct = { is: 'acknowledged', at: alert.startedAt, by: { id: 2, name: 'Ada Zorn' } };

  it('is none if the refusal names none, or one that this release does not know', () => {
    expect(readAlertConflict(undefined, undefined)).toBeNull();
    expect(readAlertConflict({ ...alert, priority: 'purple' }, lastAct)).toBeNull();
  });

  it('comes without the last act if that is one that this release does not know', () => {
    expect(readAlertConflict(alert, { ...lastAct, is: 'sung' })).toEqual({ alert, lastAct: null });
    expect(readAlertConflict(alert, undefined)).toEqual({ alert, lastAct: null });
  });

  it('comes with what a user last did to it', () => {
    expect(readAlertConflict(alert, lastAct)).toEqual({ alert, lastAct });
    expect(readAlertConflict(alert, null)).toEqual({ alert, lastAct: null });
  });
});

describe('the address of the history of alerts', () => {
  it('leaves out what it does not know, so that a shortened address opens the page', () => {
    const odd = readHistoryAddress({
      unit: 'West',
      patient: '-1',
      priority: 'x',
      person: ['1'],
      from: 'May',
      days: '9',
    });
    expect(historyQueryOf(odd)).toEqual({});
    expect(odd).toMatchObject({ view: 'history', days: '1' });
  });

  it('comes back as it was', () => {
    const query = {
      view: 'budget',
      days: '14',
      unit: '3',
      patient: '12',
      rule: 'spo2.low',
      state: 'open',
      from: '2026-05-01',
    };
    expect(historyQueryOf(readHistoryAddress(query))).toEqual(query);
  });
});

describe('schema', () => {
  /** The fields that a schema complains about. */
  function faults(schema: z.ZodType, input: unknown): string[] {
    const parsed = schema.safeParse(input);
    return parsed.success ? [] : [...new Set(parsed.error.issues.map((issue) => issue.path.join('.')))];
  }

  const at = '2026-05-01T10:00:00.000Z';
  const by = { id: 7, name: 'Nora Nurse' };

  const item: AlertItem = {
    id: 1,
    version: 3,
    patientId: 4,
    deviceId: null,
    deviceName: null,
    unitId: 2,
    patient: {
      familyName: 'Sample',
      givenName: 'Sam',
      isTrial: false,
      mrn: 'A1',
      unit: 'West',
      bed: null,
      profile: 'continuous',
    },
    parameter: 'spo2',
    rule: 'spo2.low',
    escalationStep: 1,
    escalation: { startedAt: at, nextAt: at, next: null, asked: [], unheldRoles: [], answered: null, answerBy: null },
    episodes: 1,
    priority: 'high',
    condition: 'active',
    latched: false,
    startedAt: at,
    endedAt: null,
    raisedAt: at,
    lastRaisedAt: at,
    acknowledged: { by, at },
    accepted: null,
    reassigned: null,
    rejected: null,
    released: null,
    audioPausedUntil: null,
    remindedAt: null,
    outcome: null,
    resolved: null,
    closedAt: null,
    closedBecause: null,
    undo: { eventId: 12, until: at },
    sentence: 'SpO2 86 % for 4 min, limit 88',
    headline: 'SpO2 86 % for 4 min',
    values: {},
    evidence: {
      ruleVersion: 1,
      limits: { raise: [{ is: 'below', value: 88 }], clear: [{ is: 'atLeast', value: 90 }] },
      samples: [{ kind: 'spo2', value: 86, takenAt: at, quality: 'good', source: 'bedside 4' }],
    },
  };

  describe('an alert in an answer', () => {
    it.each([
      ['an escalation step that is a priority', { escalationStep: 'high' }, 'escalationStep'],
      ['a priority that is an escalation step', { priority: 1 }, 'priority'],
      ['a parameter without a rule', { parameter: 'glucose' }, 'parameter'],
      ['an instant in milliseconds', { startedAt: 0 }, 'startedAt'],
      ['the user who acknowledged it as a number', { acknowledged: { by: 7, at } }, 'acknowledged.by'],
      ['no evidence', { evidence: null }, 'evidence'],
      ['no version', { version: undefined }, 'version'],
      ['a patient without a name', { patient: { ...item.patient, familyName: undefined } }, 'patient.familyName'],
    ])('is refused with %s', (_, change, field) => {
      expect(faults(alertItem, { ...item, ...change })).toEqual([field]);
    });

    it('passes as it is, about a device as well', () => {
      expect(alertItem.parse(item)).toEqual(item);
      const device = {
        ...item,
        patientId: null,
        deviceId: 3,
        deviceName: 'gateway',
        unitId: null,
        patient: null,
        parameter: 'gateway',
        escalationStep: 0,
      };
      expect(faults(alertItem, { ...device, evidence: { ruleVersion: 1, limits: null, samples: [] } })).toEqual([]);
    });

    it('is a page with its version, or nothing if nothing is newer', () => {
      expect(faults(alertsResponse, { items: [item], total: 1, version: '12' })).toEqual([]);
      expect(alertsResponse.parse({ unchanged: true, version: '12' })).toEqual({ unchanged: true, version: '12' });
    });
  });

  describe('a question for alerts', () => {
    it.each([
      ['a state that is not listed', { state: 'latched' }, 'state'],
      ['a patient who is no row id', { patientId: '0' }, 'patientId'],
      ['a page before the first', { page: '0' }, 'page'],
      ['more than 500 on a page', { pageSize: '501' }, 'pageSize'],
      ['a word that it does not know', { priority: 'high' }, ''],
    ])('is refused with %s', (_, query, field) => {
      expect(faults(alertsQuery, query)).toEqual([field]);
    });

    it('asks for the open ones of the site by default', () => {
      expect(alertsQuery.parse({})).toEqual({ state: 'open', page: 1, pageSize: 25 });
      expect(alertsQuery.parse({ state: 'closed', patientId: '4', page: '2', pageSize: '500', after: '12' })).toEqual({
        state: 'closed',
        patientId: 4,
        page: 2,
        pageSize: 500,
        after: '12',
      });
    });
  });

  describe('what somebody does with an alert', () => {
    const version = 3;
    const one = { id: 7, version };

    it.each<[string, z.ZodType, unknown, string]>([
      ['a rejection without a reason', rejectBody, { version }, 'reason'],
      ['a rejection with a reason of spaces', rejectBody, { version, reason: '  ' }, 'reason'],
      ['a pause of 0 s', pauseAudioBody, { version, seconds: 0 }, 'seconds'],
      ['a pause of 121 s', pauseAudioBody, { version, seconds: 121 }, 'seconds'],
      ['a pause of half a second', pauseAudioBody, { version, seconds: 0.5 }, 'seconds'],
      ['a pause without an end', pauseAudioBody, { version }, 'seconds'],
      ['an outcome that is not listed', resolveBody, { version, outcome: 'fine' }, 'outcome'],
      ['no outcome', resolveBody, { version, note: 'fine' }, 'outcome'],
      ['a note of 1,001 characters', resolveBody, { version, outcome: 'artefact', note: 'x'.repeat(1_001) }, 'note'],
      ['a NUL in a note', resolveBody, { version, outcome: 'artefact', note: 'a\0b' }, 'note'],
      ['no version of the alert', versionBody, {}, 'version'],
      ['a version before the first', versionBody, { version: 0 }, 'version'],
      ['no alert to take', takeBody, { alerts: [] }, 'alerts'],
      ['an alert that is to be taken twice', takeBody, { alerts: [one, { ...one, version: 4 }] }, 'alerts'],
      ['an alert to take without its version', takeBody, { alerts: [{ id: 7 }] }, 'alerts.0.version'],
      ['a comment of spaces', takeBody, { alerts: [one], comment: ' ' }, 'comment'],
      ['no event to take back', undoBody, {}, 'eventId'],
      ['no user to ask', reassignBody, { version }, 'userId'],
      ['half a character in a note', resolveBody, { version, outcome: 'artefact', note: 'a\ud800b' }, 'note'],
    ])('is refused with %s', (_, schema, body, field) => {
      expect(faults(schema, body)).toEqual([field]);
    });

    it('passes at its edges', () => {
      expect(takeBody.parse({ alerts: [one] })).toEqual({ alerts: [one], takeOver: false });
      expect(pauseAudioBody.parse({ version, seconds: 1 })).toEqual({ version, seconds: 1 });
      expect(pauseAudioBody.parse({ version, seconds: 120 })).toEqual({ version, seconds: 120 });
      expect(rejectBody.parse({ version, reason: ' in theatre ' })).toEqual({ version, reason: 'in theatre' });
      expect(resolveBody.parse({ version, outcome: 'artefact' })).toEqual({ version, outcome: 'artefact', note: '' });
      expect(resolveBody.parse({ version, outcome: 'sensor_fixed', note: ' new probe,\nleft hand ' })).toEqual({
        version,
        outcome: 'sensor_fixed',
        note: 'new probe,\nleft hand',
      });
      expect(faults(resolveBody, { version, outcome: 'artefact', note: ` ${'x'.repeat(1_000)} ` })).toEqual([]);
    });
  });

  describe('the log of an alert', () => {
    const to = { roles: ['nurse'], users: [by], wholeUnit: false, unheld: ['buddy'], contact: null };

    it.each([
      ['an action without a user', { is: 'acknowledged', at, by: null }, 'by'],
      ['a person behind what happens by itself', { is: 'resumed', at, by }, 'by'],
      ['a step that does not say whom it reached', { is: 'asked', at, by: null, step: 0 }, 'to'],
      [
        'a role that does not exist',
        { is: 'asked', at, by: null, step: 0, to: { ...to, unheld: ['porter'] } },
        'to.unheld.0',
      ],
      ['a word that no alert says', { is: 'deleted', at, by }, 'is'],
    ])('is refused with %s', (_, line, field) => {
      expect(faults(loggedEvent, line)).toEqual([field]);
    });

    it('names who was asked and who acted; lines of the system have no name', () => {
      const items = [
        { is: 'raised', at, by: null, rule: 'spo2.low', priority: 'high' },
        { is: 'asked', at, by: null, step: 0, to },
        { is: 'rejected', at, by, reason: 'in theatre' },
        { is: 'closed', at, by: null, because: 'administrative', reason: 'discharged' },
      ];
      expect(alertEventsResponse.parse({ items })).toEqual({ items });
    });

    it('knows every line that an alert can have', () => {
      type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
      const same: Same<AlertEvent['is'], LoggedEvent['is']> = true;
      expect(same).toBe(true);
    });
  });
});

describe('a proposal', () => {
  const proposer = 1;

  it.each([
    ['of a physician', [2], 'ward_lead'],
    ['of a physician, with two ward leads', [2, 3], 'ward_lead'],
    ['of a ward lead, with another one', [proposer, 2], 'ward_lead'],
    ['of the only ward lead', [proposer], 'physician'],
    ['of a physician, without a ward lead', [], 'no_one'],
  ] as const)('%s is approved by a certain user', (_, wardLeads, approver) => {
    expect(approverOf(proposer, wardLeads)).toBe(approver);
  });
});
