import fc from 'fast-check';
import { createLife, high, type Life, middle, mild, worst } from '../../test/alertLife';
import { arbitraryTimes } from '../../test/arbitraryTimes';
import { briefly, fuzzRuns } from '../../test/fuzzRuns';
import { wardPlans } from '../../test/siteEscalation';
import type { AssignmentRole } from '../assignments/roles';
import { soundsFor } from '../sound/soundOf';
import {
  accept,
  acknowledge,
  type ActionFault,
  answerContact,
  noteOwner,
  pauseAudio,
  reject,
  release,
  take,
} from './actions';
import { AlarmBudgetCount, type BudgetAlert, type Stay } from './alarmBudget';
import { type Alert, type AlertChange, holderOf, isOpen, isOwned, ownerOf } from './alert';
import { budgetSteps } from './budgetSteps';
import { type Recipients, recipientsOf } from './escalation';
import { defaultEscalationTimes, type EscalationTimes } from './escalationTimes';
import { plansOf } from './plansOf';
import { priorities } from './priority';
import { repeatOf, unansweredWords } from './repeats';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const ofUnit = [1, 2, 3, 4];
const ofSite = [5, 6];
const ofOtherUnit = [7, 8, 9, 10];
const staff = [...ofUnit, ...ofSite];
const roles = ['nurse', 'buddy', 'charge_nurse', 'on_call_physician'] as const;

/** Two wards whose people come and go while an alert lasts (clinical.md section 00, A1 to A3). */
function createWard() {
  const present = new Set([...staff, ...ofOtherUnit]);
  const rolesOf = (people: readonly number[]) =>
    new Map<AssignmentRole, number>(roles.map((role, index) => [role, people[index] ?? 1]));
  const units = {
    1: { people: ofUnit, held: rolesOf(ofUnit) },
    2: { people: ofOtherUnit, held: rolesOf(ofOtherUnit) },
  };
  let here: (typeof units)[1 | 2] = units[1];
  const isHere = (): boolean => here.people.some((id) => present.has(id));
  const isPresent = ({ userIds, wholeUnit, contact }: Recipients): boolean =>
    userIds.some((id) => present.has(id)) ||
    (wholeUnit && isHere()) ||
    (userIds.length === 0 && !wholeUnit && contact !== null);
  const life = createLife(
    'continuous',
    (step) =>
      recipientsOf(
        step,
        [...here.held].map(([role, userId]) => ({ role, userId })),
      ),
    {
      isPresent,
      widen: ({ roles: asked, unheld, contact, userIds }) => {
        const to = { roles: asked, unheld, contact, userIds, wholeUnit: true };
        const others = isHere() ? [] : ofSite.filter((id) => present.has(id));
        return isHere() || others.length > 0 ? { ...to, userIds: [...new Set([...userIds, ...others])] } : null;
      },
    },
  );
  const move = (unitId: 1 | 2): void => {
    here = units[unitId];
    life.move(unitId);
  };
  const reaches = (id: number): boolean => here.people.includes(id) || ofSite.includes(id);
  const hold = (role: AssignmentRole, who: number): void => {
    if (reaches(who)) {
      here.held.set(role, who);
    }
  };
  /** A tick of the server's clock, at which those who have left lose what they hold. */
  const tick = (ms = second): void => {
    life.act((alert, at) => {
      const holder = holderOf(alert);
      return holder === null || (present.has(holder) && reaches(holder))
        ? null
        : release(alert, present.has(holder) ? 'moved' : 'signed_out', at);
    });
    life.wait(ms, ms);
  };
  const hears = (id: number): boolean =>
    life.alert !== null &&
    present.has(id) &&
    (reaches(id) || life.alert.escalation.former !== null) &&
    soundsFor([life.alert], id, life.now)(life.alert);
  return { life, present, reaches, hold, holders: () => here.held, move, tick, hears };
}

const never = (): never => {
  throw new Error('There is no alert');
};

const askedOf = (life: Life) =>
  life.events.flatMap((event) =>
    event.is === 'asked' ? [[event.step, event.at / second, event.to.nobodyPresent ?? false]] : [],
  );

describe('an alert on a ward whose people come and go', () => {
  it.each([
    ['HIGH', high, [], [[0, 0, false]]],
    ['HIGH', high, [1], [[0, 0, true], [1, 0, false]]], // prettier-ignore
    ['HIGH', high, [1, 2, 3], [[0, 0, true], [1, 0, true], [2, 0, false]]], // prettier-ignore
    ['HIGH', high, ofUnit, [[0, 0, true], [1, 0, true], [2, 0, true], [2, 0, false]]], // prettier-ignore
    ['HIGH', high, staff, [[0, 0, true]]],
    ['MEDIUM', middle, [1, 2], [[0, 0, true], [1, 0, true], [2, 0, false]]], // prettier-ignore
    [
      'MEDIUM',
      middle,
      ofUnit,
      [
        [0, 0, true],
        [1, 0, true],
        [2, 0, true],
        [3, 0, true],
        [3, 0, false],
      ],
    ],
  ])('%s asks the next step in the same second where no one is there', (_, tier, gone, expected) => {
    const { life, present } = createWard();
    gone.forEach((id) => present.delete(id));
    life.take(tier);
    expect(askedOf(life)).toEqual(expected);
  });

  it('asks for rapid response at its own time, also if no one of the unit is there', () => {
    const { life, present, tick } = createWard();
    ofUnit.forEach((id) => present.delete(id));
    life.take(high);
    for (let passed = 0; passed < 10 * minute; passed += second) {
      tick();
    }
    expect(askedOf(life).filter(([, at]) => at !== 0)).toEqual([[3, 300, true], [4, 600, true]]); // prettier-ignore
  });

  it('sounds for whom it asks while another one pauses it, and for the colleague once that one is gone', () => {
    const { life, present, tick, hears } = createWard();
    life.take(high).wait(5 * second);
    life.act((alert, at) => pauseAudio(alert, 1, 120 * second, at)).wait(55 * second);
    expect([1, 2, 3, 4].map(hears)).toEqual([false, true, true, false]);
    life.act((alert, at) => take(alert, 1, { unitId: 1 }, at));
    present.delete(1);
    tick();
    expect([2, 3].map(hears)).toEqual([true, true]);
  });

  it('that ended unseen is asked of the first who comes, if no one was there', () => {
    const { life, present, tick, hears } = createWard();
    present.clear();
    life
      .take(high)
      .wait(40 * second)
      .take(null)
      .wait(5 * minute);
    present.add(4);
    tick();
    expect(hears(4)).toBe(true);
  });

  it('is asked of the new holder of a role that no one had, also after somebody acknowledged it', () => {
    const { life, holders, hold, hears } = createWard();
    holders().delete('nurse');
    life
      .take(middle)
      .wait(31 * minute)
      .act((alert, at) => acknowledge(alert, 3, at))
      .wait(5 * minute);
    expect([1, 3].map(hears)).toEqual([false, false]);
    hold('nurse', 1);
    life.wait(second);
    expect([1, 3].map(hears)).toEqual([true, false]);
  });

  describe('after the last step of its plan', () => {
    const repeatsOf = (life: Life) =>
      life.events.flatMap((event) =>
        event.is === 'asked' && event.step === 4
          ? [[event.at / minute, event.to.roles.includes('on_call_physician'), event.to.wholeUnit]]
          : [],
      );
    const unanswered = ({ alert, now }: Life, number: string | null = '112') =>
      unansweredWords(alert ?? never(), wardPlans, { emergencyNumber: '999', rapidResponseNumber: number }, now);

    it('asks the charge nurse and the whole unit again each 5 min for HIGH, a physician each 30 min', () => {
      const { life } = createWard();
      life.take(high).wait(66 * minute);
      expect(repeatsOf(life)).toEqual(
        Array.from({ length: 12 }, (_, index) => [10 + 5 * index, index % 6 === 5, true]),
      );
    });

    it('asks again each 15 min for MEDIUM, four times, then the charge nurse alone each hour', () => {
      const { life, hears } = createWard();
      life.take(middle).wait(3 * hour + minute);
      expect(repeatsOf(life)).toEqual([
        [45, false, true],
        [60, true, true],
        [75, false, true],
        [90, true, true],
        [150, false, false],
      ]);
      life.act((alert, at) => acknowledge(alert, 1, at));
      life.wait(29 * minute).act((alert, at) => acknowledge({ ...alert, remindedAt: at }, 1, at));
      expect([hears(3), hears(2)]).toEqual([false, false]);
      // The hour since the last one is over at 3:30, that since the acknowledgement at 4:30.
      life.wait(59 * minute).act((alert, at) => acknowledge(alert, 1, at));
      expect(repeatsOf(life)).toHaveLength(5);
    });

    it('is held for an hour by an acknowledgement of MEDIUM, and then sounds for the charge nurse alone', () => {
      const { life, hears } = createWard();
      life
        .take(middle)
        .wait(91 * minute)
        .act((alert, at) => acknowledge(alert, 1, at));
      life.wait(59 * minute).act((alert, at) => acknowledge({ ...alert, remindedAt: at }, 1, at));
      life.wait(5 * minute);
      expect([repeatsOf(life).length, hears(3), hears(2)]).toEqual([4, false, false]);
    });

    it.each([
      ['HIGH', high, 6, 8, 'held', [1, 2, 3]],
      ['MEDIUM that has a step left', middle, 11, 21, 'held', [1, 2, 3]],
      ['MEDIUM', middle, 31, 91, 'held', [1, 2, 3]],
      ['MEDIUM of the charge nurse alone', middle, 91, 151, 'held', [3]],
      ['MEDIUM of the charge nurse alone, whom no one is', middle, 91, 151, 'left', [1, 2, 3]],
      ['MEDIUM of the charge nurse alone, who is away', middle, 91, 151, 'away', [1, 2]],
    ] as const)(
      'leaves %s silent after an acknowledgement until it reminds or asks again',
      (_, tier, from, until, role, expected) => {
        const { life, hears, holders, present } = createWard();
        life.take(tier).wait(from * minute);
        if (role !== 'held') {
          (role === 'left' ? holders() : present).clear();
          [1, 2].forEach((id) => present.add(id));
        }
        life.act((alert, at) => acknowledge(alert, 2, at)).wait((until - from) * minute - second);
        expect([1, 2, 3].filter(hears)).toEqual([]);
        life.wait(second);
        expect([1, 2, 3].filter(hears)).toEqual(expected);
      },
    );

    it('reminds of what one who is not there has accepted and another one has acknowledged', () => {
      const { life, hears } = createWard();
      life.take(high).wait(6 * minute);
      life.act((alert, at) => take(alert, 1, { unitId: 1 }, at)).wait(minute);
      life.act((alert, at) => noteOwner(alert, at - 2 * minute, at)).wait(minute);
      life.act((alert, at) => acknowledge(alert, 2, at)).wait(2 * minute - second);
      expect(hears(2)).toBe(false);
      life.wait(second);
      expect(hears(2)).toBe(true);
    });

    it('is asked again at once after it got worse than what help was not needed for', () => {
      const { life } = createWard();
      life.take(high).wait(6 * minute);
      life.act((alert, at) => answerContact(alert, 3, { answer: 'not_needed', reason: 'Seen' }, at));
      life.wait(30 * second);
      expect(unanswered(life)).toBeNull();
      life.take(worst);
      expect(unanswered(life)).toBe('Nobody has answered. Call rapid response (112)');
      const returnsAfter = (answer: 'called' | 'not_needed', tier: typeof high) => {
        life.act((alert, at) => answerContact(alert, 3, { answer, reason: 'Seen' }, at));
        life
          .take(null)
          .wait(30 * second)
          .take(tier);
        return unanswered(life);
      };
      expect(returnsAfter('called', worst)).toBeNull();
      expect(returnsAfter('called', high)).toBeNull();
      expect(returnsAfter('not_needed', high)).toBeNull();
      expect(returnsAfter('not_needed', worst)).not.toBeNull();
    });

    it('asks no one again once somebody has it or it has ended, however long', () => {
      for (const act of [
        (life: Life) => life.act((alert, at) => take(alert, 1, { unitId: 1 }, at)),
        (life: Life) => life.take(null),
      ]) {
        const { life } = createWard();
        act(life.take(high).wait(6 * minute)).wait(20 * minute);
        expect(repeatsOf(life)).toEqual([]);
      }
    });

    it('says that no one has answered, and whom to call, from the last step on and never before', () => {
      const { life } = createWard();
      life.take(high).wait(5 * minute - second);
      expect(unanswered(life)).toBeNull();
      life.wait(second);
      expect(unanswered(life)).toBe('Nobody has answered. Call rapid response (112)');
      expect(unanswered(life, null)).toBe('Nobody has answered. Call rapid response');
      life.act((alert, at) => take(alert, 1, { unitId: 1 }, at));
      expect(unanswered(life)).toBeNull();
      life.act((alert, at) => release(alert, 'signed_out', at));
      expect(unanswered(life)).toBe('Nobody has answered. Call rapid response (112)');
      life.act((alert, at) => acknowledge(alert, 1, at));
      expect(unanswered(life)).toBeNull();
      const milder = createWard()
        .life.take(middle)
        .wait(30 * minute);
      expect(unanswered(milder)).toBe('Nobody has answered. Call the charge nurse');
    });

    it('is not asked again for 15 min after somebody said that help was called, and no one has it by that', () => {
      const { life, hears } = createWard();
      life.take(high).wait(6 * minute);
      life.act((alert, at) => answerContact(alert, 3, { answer: 'called', reason: '' }, at));
      expect([unanswered(life), hears(1), life.alert?.responsibility]).toEqual([null, true, null]);
      life.wait(15 * minute);
      expect(repeatsOf(life)).toEqual([[21, false, true]]);
      expect(unanswered(life)).toBe('Nobody has answered. Call rapid response (112)');
    });

    it.each([
      ['a patient', 'spo2', false, { roles: ['charge_nurse'], wholeUnit: true, contact: 'rapid_response' }],
      ['one in comfort care', 'symptoms', true, { roles: ['charge_nurse'], wholeUnit: true }],
      ['equipment', 'reporting', false, { roles: ['charge_nurse'], wholeUnit: true }],
    ] as const)('calls for help outside, or not, for %s', (_, parameter, isComfortCare, step) => {
      const { high: plan } = plansOf('continuous', parameter, defaultEscalationTimes, isComfortCare);
      expect(plan.at(-1)).toEqual({ afterMs: 300 * second, ...step });
    });

    it('of a plan asks the whole unit, but never for MEDIUM equipment, which asks the charge nurse each hour', () => {
      const { medium } = plansOf('continuous', 'reporting', defaultEscalationTimes);
      expect(medium.some(({ wholeUnit }) => wholeUnit)).toBe(false);
      const asked =
        createWard()
          .life.take(middle)
          .wait(31 * minute).alert ?? never();
      expect(repeatOf({ ...asked, parameter: 'reporting' }, { high: [], medium, low: [] })).toMatchObject({
        at: 90 * minute,
        step: { roles: ['charge_nurse'] },
      });
      const { high: athome, medium: home } = plansOf('home', 'readings', defaultEscalationTimes);
      expect([athome.at(-1), home.at(-1)]).toMatchObject([
        {
          afterMs: 30 * minute,
          roles: ['ward_lead', 'duty_clinician'],
          wholeUnit: true,
          contact: 'emergency_protocol',
        },
        { afterMs: 60 * minute, roles: ['on_call_physician'], wholeUnit: true },
      ]);
    });
  });

  describe('that moves to another unit', () => {
    it.each([
      ['HIGH', high, 10 * second, [[0, 10], [1, 70], [2, 120], [3, 300]]], // prettier-ignore
      ['HIGH', high, 200 * second, [[0, 200], [1, 260], [2, 261], [3, 301]]], // prettier-ignore
      ['HIGH', high, 400 * second, [[0, 400], [1, 460], [2, 461], [3, 462]]], // prettier-ignore
      ['MEDIUM', middle, 7 * minute, [[0, 420], [1, 720], [2, 721], [3, 1_801]]], // prettier-ignore
    ])('%s asks step 0 there at once, step 1 an interval later, the rest by its time', (_, tier, movedAt, expected) => {
      const { life, move, tick, hears } = createWard();
      life.take(tier).wait(movedAt);
      expect([hears(1), hears(7)]).toEqual([true, false]);
      const before = askedOf(life).length;
      move(2);
      expect([hears(1), hears(7)]).toEqual([false, true]);
      while (life.now < 31 * minute) {
        tick();
      }
      expect(
        askedOf(life)
          .slice(before)
          .filter(([step]) => step !== 4),
      ).toEqual(expected.map((each) => [...each, false]));
    });

    it('sounds on in the former unit until somebody of the new one is there, two minutes at most', () => {
      const { life, present, move, tick, hears } = createWard();
      [...ofOtherUnit, ...ofSite].forEach((id) => present.delete(id));
      life.take(high);
      move(2);
      tick(119 * second);
      expect(hears(1)).toBe(true);
      tick();
      expect(hears(1)).toBe(false);
      move(1);
      move(2);
      expect(hears(1)).toBe(true);
      present.add(8);
      tick();
      expect([hears(1), hears(8)]).toEqual([false, true]);
    });

    it('is not acknowledged any more, and stays with the one who accepted it until that ends', () => {
      const { life, move, hears } = createWard();
      life.take(high).act((alert, at) => acknowledge(alert, 1, at));
      move(2);
      expect(life.alert).toMatchObject({ acknowledged: null });
      life.act((alert, at) => take(alert, 5, { unitId: 2 }, at)).wait(10 * minute);
      const asked = life.events.length;
      move(1);
      expect(life.events.slice(asked)).toMatchObject([{ is: 'moved' }]);
      expect([ownerOf(life.alert ?? never()), hears(5), hears(1), hears(7)]).toEqual([5, true, false, false]);
      life.act((alert, at) => release(alert, 'signed_out', at));
      expect(life.events.at(-1)).toMatchObject({ is: 'asked', step: 0, to: { userIds: [1] } });
      expect([hears(1), hears(7)]).toEqual([true, false]);
    });

    it('asks steps 0 and 1 there at once if the one who had accepted it is not there', () => {
      const { life, move } = createWard();
      life.take(high).act((alert, at) => take(alert, 5, { unitId: 1 }, at));
      move(2);
      life.wait(10 * minute).act((alert, at) => noteOwner(alert, at - 2 * minute, at));
      expect(askedOf(life).slice(1)).toEqual([[0, 600, false], [1, 600, false]]); // prettier-ignore
    });

    it('is asked for in the new unit alone if it ended unseen', () => {
      const { life, move, tick } = createWard();
      life
        .take(high)
        .wait(70 * second)
        .take(null)
        .wait(15 * second);
      const before = askedOf(life).length;
      move(2);
      tick(minute);
      tick(10 * minute);
      expect(askedOf(life).slice(before)).toEqual([[0, 85, false], [1, 145, false]]); // prettier-ignore
    });
  });

  const everyone = fc.constantFrom(...staff, ...ofOtherUnit);
  const act = fc.oneof(
    fc.record({ is: fc.constantFrom('comes', 'leaves', 'takes', 'acknowledges', 'declines', 'pauses'), who: everyone }),
    fc.record({ is: fc.constantFrom('is silent', 'is back'), who: everyone }),
    fc.record({ is: fc.constant('holds'), who: everyone, role: fc.constantFrom(...roles) }),
    fc.record({
      is: fc.constantFrom('worsens', 'recovers', 'returns', 'moves', 'all leave', 'help called'),
      who: everyone,
    }),
    fc.record({ is: fc.constantFrom('standby begins', 'standby ends'), who: everyone }),
    fc.record({ is: fc.constant('settings'), who: everyone, times: arbitraryTimes }),
  );
  const seconds = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 90 }) },
    { weight: 1, arbitrary: fc.integer({ min: 91, max: 400 }) },
  );
  const steps = fc.array(fc.record({ act, seconds }), { minLength: 1, maxLength: 20 });

  /**
   * The promise of the issue: a HIGH or MEDIUM alert that lasts and that no one holds sounds for somebody who is there
   * (here within a second, where 60 s and 5 min are allowed). Only without anyone does it say that no one has answered,
   * and never before the last step. A standby holds back what begins in it, not who is asked of what began before.
   */
  it('is heard by somebody who is there, or held, a second after whatever happened', () => {
    fc.assert(
      fc.property(fc.constantFrom(high, middle), steps, (tier, all) => {
        const { life, present, reaches, hold, holders, move, tick, hears } = createWard();
        life.take(tier);
        const wrong: unknown[] = [];
        /** Those who heard the alert when one of them paused it. */
        let pausedBy: readonly number[] = [];
        const hasHeard = (id: number): boolean =>
          life.alert !== null &&
          life.alert.audioPaused !== null &&
          pausedBy.includes(id) &&
          soundsFor([{ ...life.alert, audioPaused: null }], id, life.now)({ ...life.alert, audioPaused: null });
        for (const { act: one, seconds: lasts } of all) {
          const { is, who } = one;
          if (is === 'comes') {
            present.add(who);
          } else if (is === 'leaves') {
            present.delete(who);
          } else if (is === 'all leave') {
            present.clear();
          } else if (is === 'worsens') {
            life.take(worst);
          } else if (is === 'recovers') {
            life.take(null);
          } else if (is === 'returns') {
            life.take(tier);
          } else if (is === 'moves') {
            move(ofUnit.includes(who) ? 1 : 2);
          } else if (is === 'standby begins' || is === 'standby ends') {
            life.hold(is === 'standby begins');
          } else if ('times' in one) {
            life.approve(one.times);
          } else if ('role' in one) {
            hold(one.role, who);
          } else if (present.has(who) && reaches(who)) {
            // A user who acts is there again.
            life.act((alert, at) => (ownerOf(alert) === who ? noteOwner(alert, null, at) : null));
            pausedBy =
              is === 'pauses' ? [...present].filter((id) => id === who || hears(id) || hasHeard(id)) : pausedBy;
            life.act((alert, at) =>
              is === 'pauses'
                ? pauseAudio(alert, who, 120 * second, at)
                : is === 'takes'
                  ? take(alert, who, { unitId: 1, takeOver: true }, at)
                  : is === 'acknowledges'
                    ? acknowledge(alert, who, at)
                    : is === 'declines'
                      ? reject(alert, who, 'busy', at)
                      : is === 'help called'
                        ? answerContact(alert, who, { answer: 'called', reason: '' }, at)
                        : ownerOf(alert) === who
                          ? noteOwner(alert, is === 'is silent' ? at : null, at)
                          : null,
            );
          }
          for (let passed = 0; passed < lasts; passed += 1) {
            tick();
            const { alert, now } = life;
            if (alert === null || alert.closed !== null || alert.condition === 'ended' || alert.priority === 'low') {
              continue;
            }
            const { acknowledged, notSeenSince } = alert;
            // An acknowledgement of somebody who is there holds as well, while the owner is not seen.
            const other = acknowledged !== null && present.has(acknowledged.by) ? acknowledged.by : null;
            const holder = notSeenSince === null ? holderOf(alert) : other;
            const able = [...present].filter((id) => reaches(id) && id !== ownerOf(alert));
            const isHeard = holder !== null || able.length === 0 || able.some((id) => hears(id) || hasHeard(id));
            wrong.push(...(isHeard ? [] : [{ unheardAt: now, events: [...life.events] }]));
            const asked = alert.escalation.asked.filter(({ step }) => step < 4);
            const unasked = (holder === null ? asked : [])
              .filter(({ to }) => !to.wholeUnit)
              .flatMap(({ to }) => to.roles.filter((role) => !to.userIds.includes(holders().get(role) ?? 0)));
            wrong.push(...unasked);
            const saysSo =
              unansweredWords(alert, wardPlans, { emergencyNumber: null, rapidResponseNumber: null }, now) !== null;
            const isLast = wardPlans[alert.priority].every(
              ({ roles: of, contact = null }) =>
                of.every((role) => asked.some(({ to }) => to.roles.includes(role))) &&
                (contact === null || asked.some(({ to }) => to.contact === contact)),
            );
            const isCalled = alert.escalation.answered !== null;
            const isDue = isLast && holder === null && able.length === 0 && !isCalled;
            wrong.push(...((saysSo && !isLast) || (isDue && !saysSo) ? [{ at: now, saysSo, isLast, isDue }] : []));
          }
        }
        expect(wrong).toEqual([]);
        // Rapid response comes at its time, and never because no one is there whom an earlier step asks.
        for (const { events } of life.changes) {
          const asked = events.filter((event) => event.is === 'asked');
          expect(asked.findIndex(({ to }) => to.contact !== null)).toBeLessThanOrEqual(0);
        }
      }),
      // Each run is minutes on a ward: FUZZ_ROUNDS=80000 tries 20,000 of them.
      { ...fuzzRuns, ...briefly, numRuns: Math.ceil(fuzzRuns.numRuns / 4) },
    );
  });
});

describe('followTimes', () => {
  const minute = 60 * second;

  const timesWith = (steps: number[], repeat = defaultEscalationTimes.repeat): EscalationTimes => ({
    steps: { ...defaultEscalationTimes.steps, high: steps },
    repeat,
  });
  const short = timesWith([30, 60, 180]);
  const long = timesWith([180, 300, 900]);

  /** The steps that were asked, with the seconds since the start of the test. */
  const stepsOf = (life: Life): [number, number][] =>
    life.events.flatMap((event) => (event.is === 'asked' && event.step < 4 ? [[event.step, event.at / second]] : []));

  describe('times that a site approves', () => {
    it('are those of every alert that is raised afterwards', () => {
      const life = createLife()
        .approve(long)
        .take(high)
        .wait(20 * minute);
      expect(stepsOf(life)).toEqual([
        [0, 0],
        [1, 180],
        [2, 300],
        [3, 900],
      ]);
    });

    it('delay no step of an open alert, if they are longer', () => {
      const life = createLife()
        .take(high)
        .wait(30 * second)
        .approve(long)
        .wait(20 * minute);
      expect(stepsOf(life)).toEqual([
        [0, 0],
        [1, 60],
        [2, 120],
        [3, 300],
      ]);
    });

    it('apply to an open alert at once, if they are shorter, and ask no two steps in a burst', () => {
      const early = createLife()
        .take(high)
        .wait(10 * second)
        .approve(short)
        .wait(20 * minute);
      expect(stepsOf(early)).toEqual([
        [0, 0],
        [1, 30],
        [2, 60],
        [3, 180],
      ]);
      const late = createLife()
        .take(high)
        .wait(40 * second)
        .approve(short)
        .wait(20 * minute);
      expect(stepsOf(late)).toEqual([
        [0, 0],
        [1, 40],
        [2, 70],
        [3, 190],
      ]);
    });

    it('stay those of an open alert when the site moves them back', () => {
      const life = createLife()
        .take(high)
        .wait(5 * second)
        .approve(short)
        .wait(5 * second)
        .approve(long)
        .wait(20 * minute);
      expect(stepsOf(life).map(([, at]) => at)).toEqual([0, 30, 60, 180]);
    });

    it('are the new ones for the next episode of an alert that is still listed', () => {
      const life = createLife()
        .take(middle)
        .wait(30 * second)
        .approve(long)
        .take(null)
        .wait(10 * minute)
        .take(high)
        .wait(20 * minute);
      expect(stepsOf(life).map(([, at]) => at)).toEqual([0, 630, 810, 930, 1_530]);
    });

    it('change nothing for a user who holds the alert, and what is left when they give it back is the shorter', () => {
      const life = createLife()
        .take(high)
        .wait(10 * second)
        .act((alert, at) => accept(alert, 7, 1, at))
        .approve(short)
        .wait(10 * minute);
      expect(stepsOf(life)).toEqual([[0, 0]]);
      life.act((alert, at) => reject(alert, 7, 'called away', at)).wait(10 * minute);
      expect(stepsOf(life).map(([, at]) => at)).toEqual([0, 610, 640, 670, 790]);
    });

    it('count repeated raises by the rule of the site, and by the more eager one while an alert is open', () => {
      const dips = (life: Life): number[] => {
        for (let dip = 0; dip < 6; dip += 1) {
          life
            .take(high)
            .wait(5 * second)
            .take(null)
            .wait(25 * second);
        }
        return stepsOf(life).map(([, at]) => at);
      };
      const rule = (raises: number) => timesWith([180, 300, 900], { raises, withinMinutes: 10 });
      // The second raise; the fourth one asks again.
      expect(dips(createLife().approve(rule(2))).slice(0, 3)).toEqual([0, 30, 90]);
      expect(dips(createLife().approve(rule(5))).slice(0, 2)).toEqual([0, 120]);
      const open = createLife().approve(rule(2)).take(high).wait(second).approve(rule(5));
      expect(
        stepsOf(
          open
            .take(null)
            .wait(30 * second)
            .take(high),
        ).map(([, at]) => at),
      ).toEqual([0, 31]);
    });
  });

  const tiers = [mild, middle, high, worst];
  const actions: Record<string, (alert: Alert, at: number) => AlertChange | ActionFault> = {
    acknowledge: (alert, at) => acknowledge(alert, 7, at),
    accept: (alert, at) => accept(alert, 7, 1, at),
    reject: (alert, at) => reject(alert, 7, 'busy', at),
  };

  interface Story {
    before: { tier: number | null; seconds: number; act: string | null }[];
    tier: number;
    seconds: number;
    old: EscalationTimes;
    changed: EscalationTimes;
  }

  const story: fc.Arbitrary<Story> = fc.record({
    before: fc.array(
      fc.record({
        tier: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 4 }),
        seconds: fc.integer({ min: 1, max: 400 }),
        act: fc.option(fc.constantFrom(...Object.keys(actions)), { freq: 2 }),
      }),
      { maxLength: 6 },
    ),
    tier: fc.integer({ min: 1, max: 3 }),
    seconds: fc.integer({ min: 1, max: 400 }),
    old: arbitraryTimes,
    changed: arbitraryTimes,
  });

  /** The life of the story until the site approves other times. */
  function until({ before, tier, seconds, old }: Story): Life {
    const life = createLife().approve(old);
    for (const one of [...before, { tier, seconds, act: null }]) {
      const action = one.act === null ? undefined : actions[one.act];
      life.take(one.tier === null ? null : (tiers[one.tier] ?? null));
      if (action !== undefined) {
        life.act(action);
      }
      life.wait(one.seconds * second, 10 * second);
    }
    return life;
  }

  /** When each role and each contact was first asked from an instant on. */
  function firstAsked(life: Life, from: number): Map<string, number> {
    const first = new Map<string, number>();
    for (const event of life.events) {
      if (event.is === 'asked' && event.step < 4 && event.at >= from) {
        for (const who of [...event.to.roles, ...(event.to.contact === null ? [] : [event.to.contact])]) {
          first.set(who, Math.min(first.get(who) ?? Infinity, event.at));
        }
      }
    }
    return first;
  }

  describe('whatever a site approves while an alert is open', () => {
    it('no one is asked later than by the times before', () => {
      fc.assert(
        fc.property(story, (one) => {
          const life = until(one);
          const { now: at } = life;
          const same = firstAsked(life.wait(60 * minute, 10 * second), at);
          const other = firstAsked(
            until(one)
              .approve(one.changed)
              .wait(60 * minute, 10 * second),
            at,
          );
          expect([...same].filter(([who, time]) => (other.get(who) ?? Infinity) > time)).toEqual([]);
        }),
        { numRuns: 60 },
      );
    });

    it('no one is asked later than by the new times, counted from then on', () => {
      fc.assert(
        fc.property(story, (one) => {
          const life = until(one);
          const { alert, now: at } = life;
          fc.pre(alert !== null && isOpen(alert) && !isOwned(alert));
          const known = firstAsked(life, alert?.escalation.startedAt ?? 0);
          const tier = tiers[one.tier] ?? high;
          const fresh = firstAsked(
            createLife()
              .approve(one.changed)
              .take(tier)
              .wait(60 * minute, 10 * second),
            0,
          );
          const asked = firstAsked(life.approve(one.changed).wait(60 * minute, 10 * second), at);
          const later = [...fresh].filter(([who, time]) => !known.has(who) && (asked.get(who) ?? Infinity) > at + time);
          expect(later).toEqual([]);
        }),
        { numRuns: 60 },
      );
    });
  });
});

describe('the steps of the alarm budget', () => {
  const at = (text: string): number => Date.parse(text);
  const hours = ({ from, until }: { from: number; until: number }): number => (until - from) / 3_600_000;

  it('are none of an empty time', () => {
    expect(budgetSteps({ from: 5, until: 5 }, 'day', 'UTC')).toEqual([]);
  });

  it('are the hours of a day, the first and the last one cut off', () => {
    const steps = budgetSteps({ from: at('2026-05-01T10:20:00Z'), until: at('2026-05-02T10:20:00Z') }, 'hour', 'UTC');
    expect(steps).toHaveLength(25);
    expect([steps[0], steps[1], steps[24]].map((step) => (step === undefined ? null : hours(step)))).toEqual([
      40 / 60,
      1,
      20 / 60,
    ]);
  });

  it('are the calendar days of the site, which have 23 and 25 hours when the clocks change', () => {
    const days = (from: string, until: string) =>
      budgetSteps({ from: at(from), until: at(until) }, 'day', 'Europe/Berlin');
    expect(days('2026-03-28T12:00:00+01:00', '2026-03-30T06:00:00+02:00').map(hours)).toEqual([12, 23, 6]);
    expect(days('2026-10-24T12:00:00+02:00', '2026-10-26T06:00:00+01:00').map(hours)).toEqual([12, 25, 6]);
  });

  it('follow each other without a gap', () => {
    const span = { from: at('2026-10-20T01:23:45Z'), until: at('2026-11-03T01:23:45Z') };
    const steps = budgetSteps(span, 'day', 'Europe/London');
    expect(steps[0]?.from).toBe(span.from);
    expect(steps.at(-1)?.until).toBe(span.until);
    expect(steps.slice(1).map(({ from }) => from)).toEqual(steps.slice(0, -1).map(({ until }) => until));
  });
});

describe('the alarm budget', () => {
  const hour = 3_600_000;
  const day = 24 * hour;
  const steps = [
    { from: 0, until: day },
    { from: day, until: 2 * day },
  ];
  const alert = (more: Partial<BudgetAlert>): BudgetAlert => ({
    patientId: 1,
    rule: 'spo2.low',
    priority: 'high',
    raisedAt: hour,
    acknowledgedAt: null,
    acceptedAt: null,
    highestStep: null,
    ...more,
  });
  const here = (patientId: number, from = 0, until: number | null = null): Stay => ({ patientId, from, until });

  function budgetOf(alerts: readonly BudgetAlert[], stays: readonly Stay[]) {
    const count = new AlarmBudgetCount(steps);
    for (const one of alerts) {
      count.add(one);
    }
    return count.budget(stays);
  }

  it('knows no rate of an empty ward, and no time of alerts that no one answered', () => {
    const empty = budgetOf([], []);
    expect(empty).toMatchObject({ alerts: 0, patients: 0, patientDays: 0, perDay: null, reachedStep2: null });
    expect(empty).toMatchObject({ topTenth: null, noisiestPatients: [], noisiestRules: [] });
    const { responses } = budgetOf([alert({})], [here(1)]);
    expect(responses.high).toEqual({
      alerts: 1,
      acknowledged: { count: 0, medianMs: null, p90Ms: null },
      accepted: { count: 0, medianMs: null, p90Ms: null },
      reachedStep2: 0,
    });
  });

  it('of patients without alerts is 0 per patient and day, which is known', () => {
    expect(budgetOf([], [here(1)])).toMatchObject({ patients: 1, perDay: { high: 0, medium: 0, low: 0 } });
  });

  it('counts the days for which patients were here, not those of the calendar', () => {
    const budget = budgetOf(
      [alert({}), alert({ raisedAt: day + 1, priority: 'low' })],
      [here(1, -day, 12 * hour), here(1, day, null), here(2, 0, 36 * hour), here(3, 2 * day), here(4, -day, 0)],
    );
    // Half a day and a day of the first, one and a half of the second.
    expect(budget).toMatchObject({ patients: 2, patientDays: 3 });
    expect(budget.perDay).toEqual({ high: 1 / 3, medium: 0, low: 1 / 3 });
    expect(budget.steps.map(({ patientDays }) => patientDays)).toEqual([1.5, 1.5]);
    expect(budget.steps.map(({ counts }) => counts)).toEqual([
      { high: 1, medium: 0, low: 0 },
      { high: 0, medium: 0, low: 1 },
    ]);
  });

  it('gives no rate per day for a stay of less than four hours', () => {
    const { perDay, noisiestPatients } = budgetOf([alert({})], [here(1, 0, 4 * hour - 1)]);
    expect(perDay).toBeNull();
    expect(noisiestPatients).toMatchObject([{ patientId: 1, counts: { high: 1 }, perDay: null }]);
    expect(budgetOf([alert({})], [here(1, 0, 4 * hour)]).perDay).toEqual({ high: 6, medium: 0, low: 0 });
  });

  it('gives no rate per day of a whole ward in its first hours, however many patients it has', () => {
    const ward = Array.from({ length: 24 }, (_, place) => here(place + 1));
    const rateIn = (until: number) => {
      const count = new AlarmBudgetCount([{ from: 0, until }]);
      count.add(alert({ raisedAt: 0 }));
      return count.budget(ward).perDay;
    };
    expect(rateIn(300_000)).toBeNull();
    expect(rateIn(4 * hour)).toEqual({ high: 0.25, medium: 0, low: 0 });
  });

  it('says within which time half and nine of ten were answered, of those that were', () => {
    const answered = Array.from({ length: 10 }, (_, place) =>
      alert({ acknowledgedAt: hour + (place + 1) * second, acceptedAt: place < 4 ? hour + 60_500 : null }),
    );
    const { high } = budgetOf([...answered, alert({})], [here(1)]).responses;
    expect(high.alerts).toBe(11);
    expect(high.acknowledged).toEqual({ count: 10, medianMs: 5 * second, p90Ms: 9 * second });
    // Rounded up, so that "within" is true.
    expect(high.accepted).toEqual({ count: 4, medianMs: 61 * second, p90Ms: 61 * second });
  });

  it('does not take a time before the raise for an answer at once', () => {
    const { high } = budgetOf([alert({ acknowledgedAt: hour - 1 })], [here(1)]).responses;
    expect(high.acknowledged).toEqual({ count: 0, medianMs: null, p90Ms: null });
  });

  it('takes the share that reached step 2 of the HIGH and MEDIUM ones alone', () => {
    const reached = [0, 1, 2, 3].map((highestStep) => alert({ highestStep }));
    const budget = budgetOf([...reached, alert({ priority: 'low' }), alert({ priority: 'medium' })], [here(1)]);
    expect(budget.reachedStep2).toBe(2 / 5);
    expect(budget.responses.high.reachedStep2).toBe(2);
  });

  it('names the ten noisiest patients and rules, with their share', () => {
    const many = Array.from({ length: 12 }, (_, patientId) =>
      Array.from({ length: patientId + 1 }, () => alert({ patientId, rule: `rule ${patientId}` })),
    ).flat();
    const budget = budgetOf(
      many,
      Array.from({ length: 20 }, (_, id) => here(id)),
    );
    expect(budget.noisiestPatients.map(({ patientId }) => patientId)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
    expect(budget.noisiestPatients[0]).toMatchObject({ share: 12 / 78, perDay: 6, patientDays: 2 });
    expect(budget.noisiestRules[0]).toEqual({
      rule: 'rule 11',
      counts: { high: 12, medium: 0, low: 0 },
      share: 12 / 78,
    });
    // Two of twenty patients.
    expect(budget.topTenth).toEqual({ patients: 2, share: 23 / 78 });
  });

  it('leaves out what was raised before and after', () => {
    expect(budgetOf([alert({ raisedAt: -1 }), alert({ raisedAt: 2 * day })], [here(1)]).alerts).toBe(0);
  });

  it('adds up, whatever happened', () => {
    const time = fc.integer({ min: 0, max: 2 * day - 1 });
    const anyAlert = fc.record({
      patientId: fc.integer({ min: 1, max: 30 }),
      rule: fc.constantFrom('a', 'b', 'c'),
      priority: fc.constantFrom(...priorities),
      raisedAt: time,
      acknowledgedAt: fc.option(time),
      acceptedAt: fc.option(time),
      highestStep: fc.option(fc.integer({ min: 0, max: 3 })),
    });
    const anyStay = fc
      .tuple(fc.integer({ min: 1, max: 30 }), time, fc.option(fc.integer({ min: 0, max: 3 * day })))
      .map(([patientId, from, ms]) => here(patientId, from, ms === null ? null : from + ms));
    fc.assert(
      fc.property(fc.array(anyAlert), fc.array(anyStay), (alerts, stays) => {
        const budget = budgetOf(alerts, stays);
        const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
        expect(budget.alerts).toBe(alerts.length);
        for (const priority of priorities) {
          expect(sum(budget.steps.map(({ counts }) => counts[priority]))).toBe(budget.counts[priority]);
          expect(sum(budget.noisiestRules.map(({ counts }) => counts[priority]))).toBe(budget.counts[priority]);
          const { acknowledged, accepted, reachedStep2, alerts: ofPriority } = budget.responses[priority];
          expect(ofPriority).toBe(budget.counts[priority]);
          for (const { count, medianMs, p90Ms } of [acknowledged, accepted]) {
            expect(count).toBeLessThanOrEqual(ofPriority);
            expect(medianMs === null).toBe(count === 0);
            expect(medianMs ?? 0).toBeLessThanOrEqual(p90Ms ?? 0);
          }
          expect(reachedStep2).toBeLessThanOrEqual(ofPriority);
        }
        expect(sum(budget.steps.map(({ patientDays }) => patientDays))).toBeCloseTo(budget.patientDays, 6);
        const rate = budget.perDay === null ? null : sum(Object.values(budget.perDay)) * budget.patientDays;
        expect(rate ?? alerts.length).toBeCloseTo(alerts.length, 6);
      }),
    );
  });
});
