import fc from 'fast-check';
import { arbitraryTimes } from '../../test/arbitraryTimes';
import { briefly, fuzzRuns } from '../../test/fuzzRuns';
import { createLife, high, type Life, middle, worst } from '../../test/alertLife';
import { wardPlans } from '../../test/siteEscalation';
import type { AssignmentRole } from '../assignments/roles';
import { soundsFor } from '../sound/soundOf';
import { acknowledge, answerContact, noteOwner, reject, release, take } from './actions';
import { holderOf, ownerOf } from './alert';
import { recipientsOf, type Recipients } from './escalation';
import { defaultEscalationTimes } from './escalationTimes';
import { plansOf } from './plansOf';
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
    fc.record({ is: fc.constantFrom('comes', 'leaves', 'takes', 'acknowledges', 'declines'), who: everyone }),
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
            life.act((alert, at) =>
              is === 'takes'
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
            const holder = alert.notSeenSince === null ? holderOf(alert) : null;
            const able = [...present].filter((id) => reaches(id) && id !== ownerOf(alert));
            const isHeard = holder !== null || able.length === 0 || able.some(hears);
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
