import fc from 'fast-check';
import { priorities } from '../../lib/alerts/priority';
import type { AlertItem } from '../../lib/alerts/schema';
import { inventedAlert } from '../../test/inventedAlert';
import { secondsAgo } from '../../test/inventedWard';
import { alertGroupNames, groupOf, rowsOf } from './groupedRows';

const nia = { by: { id: 4, name: 'Nia Newcomer' }, at: secondsAgo(120) };
const ended = { condition: 'ended', endedAt: secondsAgo(20) } as const;
const shape = (items: AlertItem[]) => rowsOf(items).map(({ group, alerts }) => [group, alerts.map(({ id }) => id)]);

describe('the groups of the open alerts', () => {
  it('put what asks for someone first, then what is taken, what is over, and equipment', () => {
    expect(
      shape([
        inventedAlert(1, { patientId: null, deviceId: 5 }),
        inventedAlert(2, { patientId: 2, ...ended }),
        inventedAlert(3, { patientId: 3, accepted: nia }),
        inventedAlert(4, { patientId: 4, acknowledged: nia }),
        inventedAlert(5, { patientId: 5, priority: 'low' }),
      ]),
    ).toEqual([
      ['untaken', [4]],
      ['untaken', [5]],
      ['taken', [3]],
      ['ended', [2]],
      ['equipment', [1]],
    ]);
  });

  it('put a silent gateway among the patients whose values it carries, not with the equipment', () => {
    const gateway = { patientId: null, deviceId: 5, parameter: 'gateway' } as const;
    expect(
      shape([
        inventedAlert(1, { patientId: null, deviceId: 6, parameter: 'clock' }),
        inventedAlert(2, { patientId: 3, accepted: nia }),
        inventedAlert(3, gateway),
        inventedAlert(4, { ...gateway, deviceId: 7, accepted: nia }),
      ]),
    ).toEqual([
      ['untaken', [3]],
      ['taken', [2]],
      ['taken', [4]],
      ['equipment', [1]],
    ]);
  });

  it('put an issue report among the patients of its unit, not with the equipment', () => {
    const report = { patientId: null, deviceId: -5, parameter: 'report' } as const;
    expect(
      shape([
        inventedAlert(1, report),
        inventedAlert(2, { patientId: null, deviceId: 5 }),
        inventedAlert(3, { patientId: 3 }),
        inventedAlert(4, { ...report, deviceId: -6, accepted: nia }),
        inventedAlert(5, { ...report, deviceId: -7, ...ended }),
      ]),
    ).toEqual([
      ['untaken', [1]],
      ['untaken', [3]],
      ['taken', [4]],
      ['ended', [5]],
      ['equipment', [2]],
    ]);
  });

  it('make one row of a patient with several alerts, in the group of the one that asks for someone', () => {
    expect(
      shape([
        inventedAlert(1, { patientId: 9 }),
        inventedAlert(2, { patientId: 3, ...ended }),
        inventedAlert(3, { patientId: 3, accepted: nia }),
        inventedAlert(4, { patientId: 3, priority: 'low' }),
      ]),
    ).toEqual([
      ['untaken', [1]],
      ['untaken', [4, 3, 2]],
    ]);
  });

  it('keep a technical alert of a patient in the groups of patients', () => {
    expect(shape([inventedAlert(1, { parameter: 'sensor' })])).toEqual([['untaken', [1]]]);
  });

  it('lose no alert, repeat none, and show no active alert under one that is over', () => {
    const anyAlert = fc.record({
      patientId: fc.constantFrom(null, 1, 2, 3),
      isEnded: fc.boolean(),
      isTaken: fc.boolean(),
      priority: fc.constantFrom(...priorities),
    });
    fc.assert(
      fc.property(fc.array(anyAlert, { maxLength: 12 }), (drawn) => {
        const items = drawn.map(({ isEnded, isTaken, ...each }, index) =>
          inventedAlert(index + 1, { ...each, ...(isEnded ? ended : {}), accepted: isTaken ? nia : null }),
        );
        const rows = rowsOf(items);
        expect(rows.flatMap(({ alerts }) => alerts.map(({ id }) => id)).sort((a, b) => a - b)).toEqual(
          items.map(({ id }) => id),
        );
        for (const { group, alerts } of rows) {
          const orders = alerts.map((alert) => alertGroupNames.indexOf(groupOf(alert)));
          expect(orders).toEqual([...orders].sort((a, b) => a - b));
          expect(new Set(alerts.map(({ patientId, id }) => patientId ?? `alert ${id}`)).size).toBe(1);
          expect(alertGroupNames.indexOf(group)).toBe(orders[0]);
        }
      }),
    );
  });
});
