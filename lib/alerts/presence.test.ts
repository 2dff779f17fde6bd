import fc from 'fast-check';
import { createLife, high, type Life, middle, worst } from '../../test/alertLife';
import type { AssignmentRole } from '../assignments/roles';
import { soundsFor } from '../sound/soundOf';
import { acknowledge, noteOwner, release, take } from './actions';
import { holderOf, ownerOf } from './alert';
import { recipientsOf, type Recipients } from './escalation';

const second = 1_000;
const minute = 60 * second;

const ofUnit = [1, 2, 3, 4];
const ofSite = [5, 6];
const staff = [...ofUnit, ...ofSite];
const roles = ['nurse', 'buddy', 'charge_nurse', 'on_call_physician'] as const;

/** A ward whose people come and go while an alert lasts (clinical.md section 00, A1 and A2). */
function createWard() {
  const present = new Set(staff);
  const held = new Map<AssignmentRole, number>(roles.map((role, index) => [role, ofUnit[index] ?? 1]));
  const isPresent = ({ userIds, wholeUnit, contact }: Recipients): boolean =>
    userIds.some((id) => present.has(id)) ||
    (wholeUnit && ofUnit.some((id) => present.has(id))) ||
    (userIds.length === 0 && !wholeUnit && contact !== null);
  const life = createLife(
    'continuous',
    (step) =>
      recipientsOf(
        step,
        [...held].map(([role, userId]) => ({ role, userId })),
      ),
    {
      isPresent,
      widen: ({ roles: asked, unheld, contact, userIds }) => {
        const to = { roles: asked, unheld, contact, userIds, wholeUnit: true };
        const others = ofUnit.some((id) => present.has(id)) ? [] : ofSite.filter((id) => present.has(id));
        return present.size === 0 ? null : { ...to, userIds: [...new Set([...userIds, ...others])] };
      },
    },
  );
  /** A tick of the server's clock, at which those who have left lose what they hold. */
  const tick = (ms = second): void => {
    life.act((alert, at) => {
      const holder = holderOf(alert);
      return holder === null || present.has(holder) ? null : release(alert, 'signed_out', at);
    });
    life.wait(ms, ms);
  };
  return { life, present, held, tick };
}

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
    expect(askedOf(life).at(-1)).toEqual([3, 300, false]);
    expect(askedOf(life)).toHaveLength(5);
  });

  const act = fc.oneof(
    fc.record({ is: fc.constantFrom('comes', 'leaves', 'takes', 'acknowledges'), who: fc.constantFrom(...staff) }),
    fc.record({ is: fc.constant('holds'), who: fc.constantFrom(...staff), role: fc.constantFrom(...roles) }),
    fc.record({ is: fc.constant('worse'), who: fc.constant(0) }),
    fc.record({ is: fc.constant('silent'), who: fc.constantFrom(...staff) }),
  );
  const steps = fc.array(fc.record({ act, seconds: fc.integer({ min: 1, max: 90 }) }), { minLength: 1, maxLength: 25 });

  it('is heard by somebody who is there, or held by somebody, a second after whatever happened', () => {
    fc.assert(
      fc.property(fc.constantFrom(high, middle), steps, (tier, all) => {
        const { life, present, held, tick } = createWard();
        life.take(tier);
        for (const { act: one, seconds } of all) {
          const { is, who } = one;
          if (is === 'comes') {
            present.add(who);
          } else if (is === 'leaves') {
            present.delete(who);
          } else if (is === 'worse') {
            life.take(worst);
          } else if ('role' in one) {
            held.set(one.role, who);
          } else if (present.has(who)) {
            life.act((alert, at) =>
              is === 'takes'
                ? take(alert, who, { unitId: 1, takeOver: true }, at)
                : is === 'acknowledges'
                  ? acknowledge(alert, who, at)
                  : ownerOf(alert) === who
                    ? noteOwner(alert, at, at)
                    : null,
            );
          }
          for (let passed = 0; passed < seconds; passed += 1) {
            tick();
            const { alert, now } = life;
            const isHeard =
              alert === null ||
              present.size === 0 ||
              [...present].some((id) => soundsFor([alert], id, now)(alert)) ||
              present.has(holderOf(alert) ?? 0);
            expect(isHeard ? [] : life.events).toEqual([]);
            const isFree = alert !== null && holderOf(alert) === null;
            const unasked = (isFree ? alert.escalation.asked : [])
              .filter(({ to }) => !to.wholeUnit)
              .flatMap(({ to }) => to.roles.filter((role) => !to.userIds.includes(held.get(role) ?? 0)));
            expect(unasked).toEqual([]);
          }
        }
        for (const { events } of life.changes) {
          const asked = events.filter((event) => event.is === 'asked');
          expect(asked.length > 1 && asked.some(({ to }) => to.contact !== null)).toBe(false);
        }
      }),
      { numRuns: 60 },
    );
  });
});
