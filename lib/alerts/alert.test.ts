import fc from 'fast-check';
import type { z } from 'zod';
import { inventedAlert } from '../../test/inventedAlert';
import { siteEscalation, wardPlans } from '../../test/siteEscalation';
import {
  accept,
  acknowledge,
  answerContact,
  closeAdministratively,
  endAdministratively,
  longestPauseMs,
  noteOwner,
  pauseAudio,
  reassign,
  reject,
  release,
  resolve,
  settleSource,
  take as takeAlert,
  unsettle,
} from './actions';
import { type Alert, type AlertChange, type AlertEvent, isOpen, isSounding } from './alert';
import { alertEvent, alertFacts } from './alertFacts';
import { conflictWords } from './conflictWords';
import { desatWords } from './desatWords';
import type { Episode } from './episode';
import { escalate } from './escalate';
import { type EscalationStep, recipientsOf } from './escalation';
import { escalationWords, nextStepWords } from './escalationWords';
import { logWords } from './logWords';
import type { Parameter } from './parameters';
import { isInComfortCare, isInStandby, isRenewalOf, standbyMinutesLeft, type StandbyTime } from './pauses';
import { raisedOften } from './poorSignal';
import type { RetrospectiveEpisode } from './retrospective';
import { type AlertItem, type EscalationItem, loggedEvent, type LoggedEvent } from './schema';
import { takeEpisode, takeRetrospectiveEpisode } from './takeEpisode';
import { waitWords } from './waitWords';
import { withdraw } from './withdraw';

const minute = 60_000;

describe('alert', () => {
  const now = 1_000_000;
  const nurse = 7;
  const other = 8;

  const episodeOf = (more: Partial<Episode> = {}): Episode => ({
    rule: 'spo2.low',
    priority: 'high',
    startedAt: now,
    count: 1,
    since: now,
    endedAt: null,
    lowest: 86,
    highest: 87,
    source: null,
    unconfirmedUntil: null,
    ...more,
  });
  const mild = { rule: 'spo2.mild', priority: 'low' } as const;
  const middle = { rule: 'spo2.below', priority: 'medium' } as const;

  function changeOf(result: AlertChange | string | null): AlertChange {
    if (result === null || typeof result === 'string') {
      throw new Error(`No change: ${result}`);
    }
    return result;
  }
  const take = (alert: Alert | null, episode: Episode | null, at = now, parameter: Parameter = 'spo2'): AlertChange =>
    changeOf(takeEpisode(alert, parameter, episode, at, { isHeld: false }));
  const raised = (more: Partial<Episode> = {}, parameter: Parameter = 'spo2'): Alert =>
    take(null, episodeOf(more), now, parameter).alert;
  const ended = (alert: Alert, at = now + minute): AlertChange =>
    take(
      alert,
      episodeOf({ rule: alert.rule, priority: alert.conditionPriority, since: alert.since, endedAt: at }),
      at,
      alert.parameter,
    );
  const context = siteEscalation();
  /** What is due when nothing but time has passed, or null. */
  const pass = (alert: Alert, at: number): AlertChange | null => {
    const { events, alert: after } = escalate({ alert, events: [] }, context, at);
    return events.length === 0 ? null : { alert: after, events };
  };
  /** An alert that has asked step 0. */
  const asked = (more: Partial<Episode> = {}): Alert => changeOf(pass(raised(more), now)).alert;
  /** An alert whose plan is over and repeats nothing. */
  const askedForGood = (more: Partial<Episode> = {}): Alert => {
    const alert = asked(more);
    const leftMs = { high: null, medium: null, low: null };
    return { ...alert, parameter: 'standby', escalation: { ...alert.escalation, step: 4, leftMs } };
  };
  const stepsOf = (change: AlertChange | null): number[] =>
    (change?.events ?? []).flatMap((event) => (event.is === 'asked' ? [event.step] : []));
  const words = ({ events }: AlertChange): string[] => events.map(({ is }) => is);

  describe('an alert that is raised again and again', () => {
    /** Raises for so long each, with so many poor ones of ten values; the last one lasts if `lasts`. */
    const often = (raises: readonly [seconds: number, poor: number][], everyMs = 5 * minute): Alert =>
      raises.reduce<Alert | null>((alert, [seconds, poor], index) => {
        const since = now + index * everyMs;
        const episode = episodeOf({ since, count: index + 1 });
        const signal = () => ({ of: 10, poor });
        const begun = changeOf(takeEpisode(alert, 'spo2', episode, since, { isHeld: false, signal })).alert;
        const endedAt = since + seconds * 1_000;
        return take(begun, { ...episode, endedAt }, endedAt).alert;
      }, null) ?? raised();
    const four = (seconds: number, poor: number) => Array.from({ length: 4 }, (): [number, number] => [seconds, poor]);

    it.each<[string, Alert, ReturnType<typeof raisedOften>]>([
      ['four short ones by poor values', often(four(90, 6)), { times: 4, withinMs: 15 * minute, isPoor: true }],
      ['four by good values', often(four(90, 5)), { times: 4, withinMs: 15 * minute, isPoor: false }],
      ['four long ones by poor values', often(four(91, 10)), { times: 4, withinMs: 15 * minute, isPoor: false }],
      ['three', often(four(60, 10).slice(1)), null],
      ['four that are 11 min apart', often(four(60, 10), 11 * minute), null],
    ])('%s', (_, alert, expected) => {
      expect(raisedOften(alert)).toEqual(expected);
    });

    it('has a poor signal after three artefacts, whatever its values said, and each counts once', () => {
      const artefact = (alert: Alert, at: number): Alert =>
        changeOf(resolve(alert, nurse, { is: 'artefact', note: '' }, at)).alert;
      const raise = (alert: Alert | null, at: number): Alert => {
        const signal = () => ({ of: 10, poor: 0 });
        return changeOf(takeEpisode(alert, 'spo2', episodeOf({ since: at }), at, { isHeld: false, signal })).alert;
      };
      const twice = [0, 1].reduce<Alert | null>((alert, place) => {
        const said = artefact(raise(alert, now + place * minute), now + place * minute + 1);
        return ended(artefact(said, now + place * minute + 2), now + place * minute + 3).alert;
      }, null);
      const third = raise(twice, now + 2 * minute);
      expect(raisedOften(third)).toBeNull();
      expect(raisedOften(artefact(third, now + 3 * minute))).toMatchObject({ times: 3, isPoor: true });
    });
  });

  it('says which source counts until that is over, and is raised again meanwhile like any other one', () => {
    const choice = { counts: 2, yields: 3, source: 'monitor', until: now + 60 * minute };
    const settled = settleSource(raised(), nurse, choice, 'Loose probe', now).alert;
    expect([isSounding(settled, now), settled.acknowledged?.by]).toEqual([false, nurse]);
    const over = ended(settled).alert;
    expect([isOpen(over), over.latched]).toEqual([true, false]);
    const again = take(over, episodeOf({ since: now + 2 * minute, count: 2 }), now + 2 * minute);
    expect([again.events[0]?.is, isSounding(again.alert, now + 2 * minute)]).toEqual(['raised_again', true]);
    const unseen = ended(again.alert, now + 3 * minute).alert;
    const seen = changeOf(acknowledge(unseen, other, now + 3 * minute)).alert;
    expect([isOpen(seen), seen.latched, seen.settled?.counts]).toEqual([true, false, 2]);
    for (const left of [
      settleSource(seen, other, undefined, 'Probe fits', now + 4 * minute).alert,
      unsettle(seen, { is: 'unsettled', at: now + 4 * minute }, now + 4 * minute).alert,
      changeOf(resolve(seen, other, { is: 'sensor_fixed', note: '' }, now + 4 * minute)).alert,
      // The user who settled it has signed out.
      unsettle({ ...over, acknowledged: null }, { is: 'unsettled', at: now + 4 * minute }, now + 4 * minute).alert,
    ]) {
      expect([isOpen(left), left.settled]).toEqual([false, undefined]);
    }
    const { events } = changeOf(resolve(seen, other, { is: 'sensor_fixed', note: '' }, now + 4 * minute));
    expect(events.map(({ is }) => is)).toEqual(['resolved', 'unsettled', 'closed']);
    expect(endAdministratively(again.alert, 'at home', now + 3 * minute)?.alert.settled).toBeUndefined();
    // One that no one has seen stays listed without it.
    const left = unsettle(unseen, { is: 'unsettled', at: now + 4 * minute }, now + 4 * minute).alert;
    expect([isOpen(left), left.latched, left.settled]).toEqual([true, true, undefined]);
  });

  it('about sources that disagree sounds once in 30 min, also after one that was closed', () => {
    const disagree = { rule: 'spo2.disagree', priority: 'medium' } as const;
    const raisedAt = (before: Alert | null, at: number): Alert =>
      take(before, episodeOf({ ...disagree, startedAt: at, since: at }), at).alert;
    const first = raisedAt(null, now);
    const seen = changeOf(acknowledge(first, nurse, now + 1)).alert;
    const second = raisedAt(ended(seen, now + 6 * minute).alert, now + 20 * minute);
    expect([isSounding(first, now), isOpen(second)]).toEqual([true, true]);
    expect([29, 30].map((at) => isSounding(second, now + at * minute))).toEqual([false, true]);
    const unheard = ended(second, now + 25 * minute).alert;
    const third = raisedAt(unheard, now + 35 * minute);
    expect(isSounding(third, now + 35 * minute)).toBe(true);
    const worse = take(
      second,
      { ...episodeOf({ since: second.since, startedAt: second.startedAt }) },
      now + 21 * minute,
    );
    expect(isSounding(worse.alert, now + 21 * minute)).toBe(true);
  });

  describe('an alert that is closed', () => {
    const closed = changeOf(acknowledge(ended(raised()).alert, nurse, now)).alert;

    it.each([
      ['acknowledge', acknowledge(closed, nurse, now)],
      ['accept', accept(closed, nurse, 1, now)],
      ['reject', reject(closed, nurse, 'busy', now)],
      ['pauseAudio', pauseAudio(closed, nurse, 1_000, now)],
      ['resolve', resolve(closed, nurse, { is: 'artefact', note: '' }, now)],
      ['closeAdministratively', closeAdministratively(closed, 'discharged', now)],
    ])('takes no %s', (_, result) => {
      expect(result).toBe('alert_closed');
    });

    it('asks no one and makes no sound', () => {
      expect(pass(closed, now + 60 * minute)).toBeNull();
      expect(isSounding(closed, now)).toBe(false);
    });
  });

  describe('takeEpisode', () => {
    it('learns that the condition began earlier, also of an alert that keeps its higher tier', () => {
      const milder = take(raised(), episodeOf(middle), now + minute).alert;
      const again = take(milder, episodeOf(), now + 2 * minute).alert;
      const early = { ...middle, since: now - minute, startedAt: now - minute };
      const change = take(again, episodeOf(early), now + 3 * minute);
      expect(change).toMatchObject({ alert: { rule: 'spo2.low', priority: 'high', since: now - minute }, events: [] });
      expect(takeEpisode(change.alert, 'spo2', episodeOf(early), now + 4 * minute, { isHeld: false })).toBeNull();
    });

    it('knows when its present rule was raised', () => {
      const middling = raised(middle);
      expect(middling.ruleRaisedAt).toBe(now);
      expect(
        take(middling, episodeOf({ ...middle, count: 2, since: now + minute }), now + minute).alert.ruleRaisedAt,
      ).toBe(now + minute);
      const worsened = take(middling, episodeOf(), now + 2 * minute).alert;
      expect(worsened.ruleRaisedAt).toBe(now + 2 * minute);
      expect(worsened.lastRaisedAt).toBe(worsened.ruleRaisedAt);
      const eased = take(worsened, episodeOf(middle), now + 3 * minute).alert;
      expect([eased.ruleRaisedAt, eased.lastRaisedAt]).toEqual([now + 3 * minute, now + 2 * minute]);
      expect(ended(eased).alert.ruleRaisedAt).toBe(eased.ruleRaisedAt);
    });

    it('adds nothing if nothing happened, and nothing twice', () => {
      expect(takeEpisode(null, 'spo2', null, now, { isHeld: false })).toBeNull();
      expect(takeEpisode(null, 'spo2', episodeOf({ endedAt: now }), now, { isHeld: false })).toBeNull();
      expect(takeEpisode(raised(), 'spo2', episodeOf(), now, { isHeld: false })).toBeNull();
      const over = ended(raised());
      expect(
        takeEpisode(over.alert, 'spo2', episodeOf({ endedAt: now + minute }), now + minute, { isHeld: false }),
      ).toBeNull();
    });

    it('raises an alert that is not acknowledged and sounds', () => {
      const { alert, events } = take(null, episodeOf());
      expect(alert).toMatchObject({
        condition: 'active',
        latched: false,
        acknowledged: null,
        responsibility: null,
        outcome: null,
        episodes: 1,
      });
      expect(events).toEqual([{ is: 'raised', rule: 'spo2.low', priority: 'high', at: now }]);
      expect(isSounding(alert, now)).toBe(true);
    });

    it.each([
      ['a HIGH alert is latched: it goes on asking', {}, 'spo2', { isOpen: true, latched: true, sounds: true }],
      [
        'a MEDIUM one stays as recovered and unseen, silently',
        middle,
        'spo2',
        { isOpen: true, latched: false, sounds: false },
      ],
      ['a LOW one is closed', mild, 'spo2', { isOpen: false, latched: false, sounds: false }],
      [
        'a technical one is closed, also HIGH',
        { rule: 'reporting.high' },
        'reporting',
        { isOpen: false, latched: false, sounds: false },
      ],
    ] as const)('when the condition ends %s', (_, more, parameter, expected) => {
      const { alert } = ended(raised(more, parameter));
      expect({ isOpen: isOpen(alert), latched: alert.latched, sounds: isSounding(alert, now + minute) }).toEqual(
        expected,
      );
      expect(alert.endedAt).toBe(now + minute);
    });

    it.each([{}, middle, mild])('closes an acknowledged one when it ends: %j', (more) => {
      const seen = changeOf(acknowledge(raised(more), nurse, now)).alert;
      expect(words(ended(seen))).toEqual(['ended', 'closed']);
    });

    it('voids acknowledgement and pause when a worse tier is reached, and keeps the acceptance', () => {
      let alert = asked(middle);
      alert = changeOf(acknowledge(alert, nurse, now)).alert;
      alert = changeOf(accept(alert, nurse, 1, now)).alert;
      alert = changeOf(pauseAudio(alert, nurse, 60_000, now)).alert;
      const after = take(alert, episodeOf(), now + 7 * minute);
      expect(after.alert).toMatchObject({
        priority: 'high',
        acknowledged: null,
        audioPaused: null,
        responsibility: { is: 'accepted', by: nurse },
        lastRaisedAt: now + 7 * minute,
      });
      expect(after.alert.escalation).toEqual(alert.escalation);
      expect(after.events).toEqual([
        { is: 'upgraded', rule: 'spo2.low', from: 'medium', to: 'high', at: now + 7 * minute },
      ]);
    });

    it('calls a desaturation worse than a low value although both are HIGH', () => {
      const seen = changeOf(acknowledge(raised(), nurse, now)).alert;
      expect(words(take(seen, episodeOf({ rule: 'spo2.desat' })))).toEqual(['upgraded']);
      expect(take(seen, episodeOf({ rule: 'spo2.desat' })).alert.acknowledged).toBeNull();
    });

    it('keeps the HIGH label when the condition becomes milder, until someone has acknowledged it', () => {
      const { alert } = take(raised(), episodeOf(middle));
      expect(alert).toMatchObject({ priority: 'high', conditionPriority: 'medium' });
      expect(changeOf(acknowledge(alert, nurse, now)).alert.priority).toBe('medium');
      expect(ended(alert).alert.latched).toBe(true);
      const seenFirst = changeOf(acknowledge(raised(), nurse, now)).alert;
      expect(take(seenFirst, episodeOf(middle)).alert.priority).toBe('medium');
    });

    it('joins a condition that begins again, which sounds again', () => {
      const over = ended(changeOf(acknowledge(raised(), nurse, now)).alert).alert;
      expect(over.closed).toEqual({ at: now + minute, because: 'ended' });
      const again = take(over, episodeOf({ count: 2, since: now + 2 * minute }), now + 2 * minute);
      expect(again.events).toEqual([
        { is: 'raised_again', rule: 'spo2.low', priority: 'high', episodes: 2, at: now + 2 * minute },
      ]);
      expect(again.alert).toMatchObject({ startedAt: now, episodes: 2, acknowledged: null, closed: null });
      expect(isSounding(again.alert, now + 2 * minute)).toBe(true);
    });

    it('raises a new alert for a later episode, unless the old one still needs someone', () => {
      const later = episodeOf({ startedAt: now + 10 * minute, since: now + 10 * minute });
      const closed = changeOf(acknowledge(ended(raised()).alert, nurse, now + 2 * minute)).alert;
      expect(words(take(closed, later, now + 10 * minute))).toEqual(['raised']);
      const waiting = ended(raised()).alert;
      const after = take(waiting, later, now + 10 * minute);
      expect(words(after)).toEqual(['raised_again']);
      expect(after.alert).toMatchObject({ startedAt: now, episodes: 2 });
    });

    it('keeps a condition that begins again in standby for afterwards', () => {
      const seen = changeOf(acknowledge(raised(middle), nurse, now)).alert;
      const again = episodeOf({ ...middle, count: 2, since: now + minute });
      expect(takeEpisode(seen, 'spo2', again, now + minute, { isHeld: true })).toBeNull();
      expect(words(take(seen, again, now + 10 * minute))).toEqual(['raised_again']);
    });

    it('raises a new alert if the episode before was held back: an old alert does not return', () => {
      const held = { isHeld: true };
      const closed = changeOf(acknowledge(ended(raised()).alert, nurse, now + 2 * minute)).alert;
      const day = now + 1_440 * minute;
      const first = { startedAt: day, since: day };
      expect(takeEpisode(closed, 'spo2', episodeOf(first), day, held)).toBeNull();
      expect(
        takeEpisode(closed, 'spo2', episodeOf({ ...first, endedAt: day + minute }), day + minute, held),
      ).toBeNull();
      const again = take(closed, episodeOf({ startedAt: day, count: 2, since: day + 2 * minute }), day + 2 * minute);
      expect(words(again)).toEqual(['raised']);
      expect(again.alert).toMatchObject({ startedAt: day, episodes: 2 });
      // One that still waits for somebody counts both.
      const waiting = take(
        ended(raised()).alert,
        episodeOf({ startedAt: day, count: 2, since: day + 2 * minute }),
        day + 2 * minute,
      );
      expect(words(waiting)).toEqual(['raised_again']);
      expect(waiting.alert).toMatchObject({ startedAt: now, episodes: 3 });
    });

    it('keeps the priority of a HIGH alert that is not acknowledged when it begins again milder', () => {
      const again = take(
        ended(raised()).alert,
        episodeOf({ ...middle, count: 2, since: now + 2 * minute }),
        now + 2 * minute,
      );
      expect(again.alert).toMatchObject({ priority: 'high', conditionPriority: 'medium' });
    });

    it('withdraws an alert that late values refute; a HIGH one still needs someone to see it', () => {
      const after = take(raised(), null, now + minute);
      expect(words(after)).toEqual(['withdrawn']);
      expect(after.alert).toMatchObject({ condition: 'ended', latched: true });
      expect(words(take(raised(mild), episodeOf({ ...mild, since: now - 9, endedAt: now - 1 }), now))).toEqual([
        'withdrawn',
        'closed',
      ]);
    });

    it('resumes what values that came late say never ended, as the same condition', () => {
      const over = ended(raised(mild)).alert;
      const after = take(over, episodeOf(mild), now + 2 * minute);
      expect(words(after)).toEqual(['resumed']);
      expect(after.alert).toMatchObject({ condition: 'active', endedAt: null, closed: null, episodes: 1 });
    });

    it('leaves alone what was closed because the patient left', () => {
      const gone = changeOf(closeAdministratively(raised(), 'discharged', now)).alert;
      expect(takeEpisode(gone, 'spo2', episodeOf(), now, { isHeld: false })).toBeNull();
    });

    it.each<[what: string, alert: Alert, stays: boolean]>([
      ['HIGH, not seen', asked(), true],
      ['HIGH, a first reading', asked({ unconfirmedUntil: now + 15 * minute }), true],
      ['HIGH, acknowledged', changeOf(acknowledge(asked(), nurse, now)).alert, false],
      ['HIGH, accepted', changeOf(accept(asked(), nurse, 1, now)).alert, false],
      ['HIGH of the equipment', raised({ rule: 'sensor.long' }, 'sensor'), false],
      ['MEDIUM', asked(middle), false],
      ['LOW', raised(mild), false],
    ])(
      '%s: is latched by an administrative end only if no one has seen it, and asks step 1 once',
      (_, alert, stays) => {
        const change = changeOf(endAdministratively(alert, 'discharged', now + minute));
        expect(change.events).toMatchObject([{ is: stays ? 'ended' : 'closed', reason: 'discharged' }]);
        expect(change.alert).toMatchObject({ condition: 'ended', latched: stays, endedAt: now + minute });
        expect(isOpen(change.alert)).toBe(stays);
        const next = pass(change.alert, now + 2 * minute);
        const later = pass(next?.alert ?? change.alert, now + 60 * minute);
        expect([stepsOf(next), stepsOf(later)]).toEqual([stays ? [1] : [], []]);
        expect(endAdministratively(change.alert, 'discharged', now + 2 * minute)).toBeNull();
      },
    );

    it('raises and worsens nothing in standby, and ends what ends', () => {
      const held = { isHeld: true };
      expect(takeEpisode(null, 'spo2', episodeOf(), now, held)).toBeNull();
      expect(takeEpisode(raised(mild), 'spo2', episodeOf(), now, held)).toBeNull();
      expect(
        words(changeOf(takeEpisode(raised(mild), 'spo2', episodeOf({ ...mild, endedAt: now }), now, held))),
      ).toEqual(['ended', 'closed']);
      expect(words(changeOf(takeEpisode(null, 'spo2', episodeOf(), now, { isHeld: false })))).toEqual(['raised']);
    });
  });

  describe('what people do', () => {
    it('acknowledge silences an alert and leaves its responsibility open', () => {
      const { alert, events } = changeOf(acknowledge(raised(), nurse, now + 5));
      expect(alert).toMatchObject({
        condition: 'active',
        acknowledged: { by: nurse, at: now + 5 },
        responsibility: null,
        closed: null,
      });
      expect(isSounding(alert, now + 5)).toBe(false);
      expect(events).toEqual([{ is: 'acknowledged', by: nurse, at: now + 5 }]);
      expect(changeOf(acknowledge(alert, other, now + 6)).events).toEqual([]);
    });

    it('acknowledge closes what has ended', () => {
      expect(words(changeOf(acknowledge(ended(raised()).alert, nurse, now + 2 * minute)))).toEqual([
        'acknowledged',
        'closed',
      ]);
    });

    it('accept takes it on and does not silence it', () => {
      const { alert } = changeOf(accept(raised(), nurse, 1, now));
      expect(alert).toMatchObject({
        responsibility: { is: 'accepted', by: nurse, at: now, unitId: 1 },
        acknowledged: null,
      });
      expect(isSounding(alert, now)).toBe(true);
      expect(changeOf(accept(alert, other, 1, now + 1)).alert.responsibility).toEqual({
        is: 'accepted',
        by: other,
        at: now + 1,
        unitId: 1,
      });
    });

    it('reject asks the next step at once, and is refused if another user has accepted', () => {
      const rejected = changeOf(reject(asked(), nurse, 'with another patient', now + 1_000));
      const next = escalate(rejected, context, now + 1_000);
      expect(stepsOf(next)).toEqual([1]);
      expect(pass(next.alert, now + 2_000)).toBeNull();
      expect(reject(changeOf(accept(raised(), nurse, 1, now)).alert, other, 'busy', now)).toBe(
        'accepted_by_somebody_else',
      );
      expect(typeof reject(changeOf(accept(raised(), nurse, 1, now)).alert, nurse, 'busy', now)).toBe('object');
    });

    it.each([0, -1, longestPauseMs + 1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a pause of %d ms', (forMs) => {
      expect(pauseAudio(raised(), nurse, forMs, now)).toBe('pause_too_long');
    });

    it('a pause is over by itself', () => {
      const { alert } = changeOf(pauseAudio(raised(), nurse, longestPauseMs, now));
      expect([isSounding(alert, now + longestPauseMs - 1), isSounding(alert, now + longestPauseMs)]).toEqual([
        false,
        true,
      ]);
    });

    it('resolve closes what has ended, and marks as seen what has not', () => {
      const outcome = { is: 'intervention', note: 'oxygen' } as const;
      expect(words(changeOf(resolve(ended(raised()).alert, nurse, outcome, now)))).toEqual(['resolved', 'closed']);
      const { alert } = changeOf(resolve(raised(), nurse, outcome, now));
      expect(alert).toMatchObject({
        condition: 'active',
        closed: null,
        acknowledged: { by: nurse },
        outcome: { is: 'intervention' },
      });
      expect(words(ended(alert))).toEqual(['ended', 'closed']);
    });

    it.each([
      ['high', { priority: 'high', rule: 'spo2.low' }, [2, 4, 8, 16, 30, 30]],
      ['medium', { priority: 'medium', rule: 'spo2.below' }, [10, 20, 40, 60, 60]],
    ] as const)('acknowledge silences %s twice as long each time the same user does it', (_, how, minutes) => {
      let alert = askedForGood(how);
      let at = now;
      for (const each of minutes) {
        alert = changeOf(acknowledge(alert, nurse, at)).alert;
        expect(pass(alert, at + each * minute - 1)).toBeNull();
        at += each * minute;
        alert = changeOf(pass(alert, at)).alert;
        expect([alert.acknowledged?.by, isSounding(alert, at)]).toEqual([nurse, true]);
      }
      expect(changeOf(acknowledge(alert, other, at)).alert.reminders).toBe(0);
    });

    it('resolve silences an alert that sounds again after a reminder, for as long as acknowledging does', () => {
      const outcome = { is: 'known_accepted', note: '' } as const;
      const seen = changeOf(acknowledge(askedForGood(), nurse, now)).alert;
      const reminded = changeOf(pass(seen, now + 2 * minute)).alert;
      const { alert } = changeOf(resolve(reminded, other, outcome, now + 3 * minute));
      expect(alert.acknowledged).toEqual({ by: other, at: now + 3 * minute });
      expect(pass(alert, now + 5 * minute - 1)).toBeNull();
      expect(isSounding(alert, now + 5 * minute - 1)).toBe(false);
      expect(changeOf(pass(alert, now + 5 * minute)).events).toMatchObject([{ is: 'reminded', reminder: 1 }]);
      // An earlier acknowledgement stays.
      expect(changeOf(resolve(seen, other, outcome, now + minute)).alert.acknowledged).toEqual({ by: nurse, at: now });
    });
  });

  describe('recipientsOf', () => {
    const stepOf = (step: number): EscalationStep => wardPlans.high[step] ?? { afterMs: 0, roles: [] };
    const [first, second, third, fourth] = [stepOf(0), stepOf(1), stepOf(2), stepOf(3)];
    const holders = [
      { role: 'nurse', userId: 1 },
      { role: 'charge_nurse', userId: 3 },
      { role: 'buddy', userId: null },
    ] as const;

    it('are the holders of the step’s roles', () => {
      expect(recipientsOf(first, holders)).toEqual({
        roles: ['nurse'],
        userIds: [1],
        wholeUnit: false,
        unheld: [],
        contact: null,
      });
      expect(recipientsOf(second, holders)).toMatchObject({
        userIds: [3],
        wholeUnit: false,
        unheld: ['buddy'],
        contact: null,
      });
      expect(recipientsOf(third, [...holders, { role: 'on_call_physician', userId: 3 }])).toMatchObject({
        userIds: [3],
        wholeUnit: true,
      });
      expect(recipientsOf(fourth, holders)).toEqual({
        roles: ['charge_nurse'],
        userIds: [3],
        wholeUnit: true,
        unheld: [],
        contact: 'rapid_response',
      });
    });

    it('are the whole unit at once if no role has a holder, with that reason', () => {
      expect(recipientsOf(first, [])).toMatchObject({
        userIds: [],
        wholeUnit: true,
        unheld: ['nurse'],
        contact: null,
      });
      expect(recipientsOf(second, [])).toMatchObject({ wholeUnit: true, unheld: ['buddy', 'charge_nurse'] });
    });

    it('counts a user who holds two roles once', () => {
      const twice = [
        { role: 'buddy', userId: 3 },
        { role: 'charge_nurse', userId: 3 },
      ] as const;
      expect(recipientsOf(second, twice).userIds).toEqual([3]);
    });
  });

  describe('a standby', () => {
    it('ends by itself', () => {
      const standby = { by: nurse, reason: 'scan', startedAt: now, until: now + 60 * minute, isRenewal: false };
      expect([
        isInStandby(standby, now + 60 * minute - 1),
        isInStandby(standby, now + 60 * minute),
        isInStandby(null, now),
      ]).toEqual([true, false, false]);
    });
  });

  describe('comfort care', () => {
    it('ends after a day without confirmation', () => {
      const care = { by: nurse, reason: 'agreed with the family', confirmedAt: now };
      const day = 24 * 60 * minute;
      expect([
        isInComfortCare(care, now + day - 1),
        isInComfortCare(care, now + day),
        isInComfortCare(null, now),
      ]).toEqual([true, false, false]);
    });
  });

  describe('whatever happens to an alert', () => {
    const step = fc.oneof(
      fc.record({
        is: fc.constant('episode' as const),
        priority: fc.constantFrom(middle, mild, { rule: 'spo2.low', priority: 'high' } as const),
        ends: fc.boolean(),
      }),
      fc.record({ is: fc.constantFrom('acknowledge', 'accept', 'reject', 'pause', 'resolve', 'time', 'gone') }),
    );

    it('never hides a condition that lasts, nor silences an unacknowledged HIGH one beyond a pause', () => {
      fc.assert(
        fc.property(fc.array(fc.tuple(step, fc.nat(200_000)), { maxLength: 40 }), (steps) => {
          let alert: Alert | null = null;
          let lasts = false;
          let count = 0;
          let time = now;
          for (const [what, ms] of steps) {
            time += ms;
            if (what.is === 'episode') {
              count += lasts ? 0 : 1;
              const since = lasts ? (alert?.since ?? time) : time;
              const episode = episodeOf({
                ...('priority' in what ? what.priority : {}),
                count,
                since,
                endedAt: 'ends' in what && what.ends ? time : null,
              });
              lasts = episode.endedAt === null;
              alert = takeEpisode(alert, 'spo2', episode, time, { isHeld: false })?.alert ?? alert;
            } else if (alert !== null) {
              alert = doAction(alert, what.is, time);
              lasts &&= alert.closed?.because !== 'administrative';
            }
            if (alert === null) {
              continue;
            }
            expect(isOpen(alert) || !lasts).toBe(true);
            const mustSound = isOpen(alert) && alert.priority === 'high' && alert.acknowledged === null;
            expect(!mustSound || isSounding(alert, time + longestPauseMs)).toBe(true);
            expect(alert.latched && alert.condition === 'active').toBe(false);
          }
        }),
        { numRuns: 500 },
      );
    });

    function doAction(alert: Alert, what: string, at: number): Alert {
      const results: Record<string, () => AlertChange | string | null> = {
        acknowledge: () => acknowledge(alert, nurse, at),
        accept: () => accept(alert, nurse, 1, at),
        reject: () => reject(alert, nurse, 'busy', at),
        pause: () => pauseAudio(alert, nurse, longestPauseMs, at),
        resolve: () => resolve(alert, nurse, { is: 'artefact', note: '' }, at),
        time: () => pass(alert, at),
        gone: () => closeAdministratively(alert, 'discharged', at),
      };
      const result = results[what]?.() ?? null;
      return result === null || typeof result === 'string' ? alert : result.alert;
    }
  });

  describe('an alert of values that came too late', () => {
    const pastOf = (more: Partial<RetrospectiveEpisode> = {}): RetrospectiveEpisode => ({
      parameter: 'spo2',
      episode: episodeOf({ endedAt: now + 2 * minute }),
      endedAt: now + 2 * minute,
      worst: { rule: 'spo2.low', priority: 'high', values: [] },
      late: null,
      ...more,
    });
    const known = changeOf(takeRetrospectiveEpisode(null, pastOf(), now + 60 * minute));
    const again = (more: Partial<RetrospectiveEpisode>): AlertChange | null =>
      takeRetrospectiveEpisode(known.alert, pastOf(more), now + 90 * minute);

    it('is closed when it is raised, never sounds and asks no one', () => {
      const { alert } = known;
      const step = pass(alert, now + 120 * minute);
      expect({ isOpen: isOpen(alert), sounds: isSounding(alert, now + 60 * minute), step }).toEqual({
        isOpen: false,
        sounds: false,
        step: null,
      });
      expect(words(known)).toEqual(['retrospective', 'closed']);
      expect(alert).toMatchObject({
        startedAt: now,
        endedAt: now + 2 * minute,
        lowest: 86,
        highest: 87,
        latched: false,
        escalation: { step: 0, asked: [] },
      });
      expect(alert.closed).toEqual({ at: now + 60 * minute, because: 'retrospective' });
    });

    it.each([
      ['the same', {}],
      [
        'less of it',
        { episode: episodeOf({ startedAt: now + minute, since: now + minute, lowest: 87 }), endedAt: now + minute },
      ],
      ['a milder part of it', { worst: { rule: 'spo2.below', priority: 'medium' as const, values: [] } }],
    ])('adds nothing if later values show %s', (_, more) => {
      expect(again(more)).toBeNull();
    });

    it.each([
      [
        'began earlier',
        { episode: episodeOf({ startedAt: now - minute, since: now - minute }) },
        { startedAt: now - minute, since: now },
      ],
      ['lasted longer', { endedAt: now + 9 * minute }, { endedAt: now + 9 * minute }],
      [
        'was worse',
        { worst: { rule: 'spo2.desat', priority: 'high' as const, values: [] } },
        { rule: 'spo2.desat', priority: 'high' },
      ],
      ['went lower', { episode: episodeOf({ lowest: 70 }) }, { lowest: 70, highest: 87 }],
    ])('grows if more values show that it %s, and stays closed since then', (_, more, expected) => {
      const grown = changeOf(again(more));
      expect(grown.alert).toEqual({ ...known.alert, ...expected });
      expect(words(grown)).toEqual(['retrospective']);
    });
  });

  describe('an alert that is over', () => {
    const over = ended(raised()).alert;

    it('keeps the extremes of its episode, which the rules forget with the next one', () => {
      expect([over.lowest, over.highest]).toEqual([86, 87]);
    });

    it('has none while it lasts, begins again or is withdrawn', () => {
      const resumed = take(over, episodeOf(), now + 2 * minute).alert;
      const withdrawn = take(raised(), episodeOf({ since: now - 9, endedAt: now - 1 })).alert;
      expect([raised(), resumed, withdrawn].map(({ lowest, highest }) => [lowest, highest])).toEqual([
        [null, null],
        [null, null],
        [null, null],
      ]);
    });
  });
});

describe('pauses', () => {
  const now = Date.UTC(2026, 4, 1, 10);
  /** A standby from so many minutes ago until so many minutes ago. */
  const ago = (from: number, to: number): StandbyTime => ({ startedAt: now - from * minute, until: now - to * minute });

  describe('the time that a standby may last', () => {
    it.each<[string, StandbyTime[], number]>([
      ['there was none', [], 60],
      ['an hour was used', [ago(60, 0)], 60],
      ['two hours were used in pieces', [ago(200, 140), ago(130, 100), ago(30, 0)], 0],
      ['what was used leaves the four hours during it', [ago(240, 180), ago(120, 60)], 60],
      ['a part of what was used leaves the four hours', [ago(200, 140), ago(120, 80)], 20],
      ['20 min are left of two hours', [ago(150, 90), ago(60, 20)], 20],
      ['the one that runs is replaced', [ago(30, -30)], 60],
      ['two hours were used 4 h ago', [ago(360, 240)], 60],
    ])('is, if %s, %j: %i min', (_, former, left) => {
      expect(standbyMinutesLeft(former, now)).toBe(left);
    });

    it('never is more than 60 min, nor more than 120 min within any 4 h, however it is split', () => {
      const wish = fc.record({ pause: fc.integer({ min: 0, max: 90 }), minutes: fc.integer({ min: 1, max: 60 }) });
      fc.assert(
        fc.property(fc.array(wish, { minLength: 5, maxLength: 40 }), (wishes) => {
          let at = now;
          const all: StandbyTime[] = [];
          for (const { pause, minutes } of wishes) {
            at += pause * minute;
            const given = Math.min(minutes, standbyMinutesLeft(all, at));
            if (given > 0) {
              all.push({ startedAt: at, until: at + given * minute });
              at += given * minute;
            }
          }
          for (const { until } of all) {
            const from = until - 240 * minute;
            const used = all.reduce(
              (ms, one) => ms + Math.max(0, Math.min(one.until, until) - Math.max(one.startedAt, from)),
              0,
            );
            expect(used).toBeLessThanOrEqual(120 * minute);
          }
        }),
      );
    });
  });

  it.each([
    ['runs', ago(10, -10), true],
    ['ended less than 15 min ago', ago(40, 14), true],
    ['ended 15 min ago', ago(40, 15), false],
  ])('goes on from one that %s', (_, former, expected) => {
    expect(isRenewalOf([former], now)).toBe(expected);
  });
});

describe('alertWords', () => {
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
      'says which source counts': live(
        take(episode),
        action((alert, now) =>
          settleSource(alert, nurse, { counts: 2, yields: 3, source: 'monitor', until: now + minute }, 'Loose', now),
        ),
        action((alert, now) => unsettle(alert, { is: 'unsettled', at: now }, now)),
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
      [
        'who closed it',
        'alert_closed',
        alert({ closedAt: later }),
        taken,
        'This alert is closed. Nia Newcomer took it.',
      ],
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
        const help = { ...next, roles: ['ward_lead' as const], contact: 'emergency_protocol' as const };
        expect(nextOf({ next: help, nextAt: at('10:42') }, now)).toBe('Asks whole unit to call for help in 1:00');
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
        { is: 'settled', at, by: ada, source: 'monitor', until: '2026-05-01T18:30:00.000Z', reason: 'Loose probe' },
        'Ada Example: monitor counts until 19:30. Loose probe',
      ],
      [
        { is: 'settled', at, by: ada, source: null, until: at, reason: 'Probe fits' },
        'Ada Example: all sources count again. Probe fits',
      ],
      [{ is: 'unsettled', ...itself }, 'All sources count again'],
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
});
