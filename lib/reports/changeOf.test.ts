import fc from 'fast-check';
import { changeOf, isAlarming, type ReportFacts, type WantedChange } from './changeOf';
import { reachedAt } from './reachedAt';
import { reportStatuses, type ReportStatus } from './reportStatuses';
import { serviceSeverities, type ServiceSeverity } from './serviceSeverities';

const filed: ReportFacts = {
  status: 'new',
  severity: 'S2',
  kind: 'device',
  harmPhysical: null,
  harmPsychological: null,
  assigneeId: null,
  externalReference: null,
  isQuarantined: null,
  alarmAt: null,
  alarmEndedAt: null,
};
const alarming: ReportFacts = { ...filed, severity: 'S1', alarmAt: 1 };
const isStatus = (text: string): text is ReportStatus => Object.hasOwn(reportStatuses, text);
const isSeverity = (text: string): text is ServiceSeverity => Object.hasOwn(serviceSeverities, text);
const after = (before: ReportFacts, wanted: WantedChange) => {
  const change = changeOf(before, wanted, 5);
  return typeof change === 'string' ? change : change.after;
};

describe('a change of an issue report', () => {
  it('is refused for a status that cannot follow', () => {
    expect(changeOf(filed, { status: 'closed' }, 5)).toBe('status');
    expect(changeOf({ ...filed, status: 'closed' }, { status: 'new' }, 5)).toBe('status');
  });

  it('is refused for an S1 that no one has confirmed', () => {
    expect(changeOf(filed, { severity: 'S1' }, 5)).toBe('alarm');
    expect(changeOf(filed, { severity: 'S1', status: 'triaged' }, 5)).toBe('alarm');
  });

  it('leaves what is not named, and takes 0, false and null as values', () => {
    const stated: ReportFacts = { ...filed, assigneeId: 4, externalReference: 'YC-1', isQuarantined: true };
    expect(changeOf(stated, {}, 5)).toEqual({ after: stated, lines: [] });
    expect(changeOf(stated, { assigneeId: null, isQuarantined: false, externalReference: null }, 5)).toMatchObject({
      lines: [
        { is: 'assignee', from: '4', to: null },
        { is: 'externalReference', from: 'YC-1', to: null },
        { is: 'isQuarantined', from: 'true', to: 'false' },
      ],
    });
    expect(changeOf(filed, { harm: { physical: 'none', psychological: 'low' } }, 5)).toMatchObject({
      lines: [
        { is: 'harmPhysical', from: null, to: 'none' },
        { is: 'harmPsychological', from: null, to: 'low' },
      ],
    });
  });

  it('to S1 alarms now, also if it is triaged in the same step, and again after an alarm that is over', () => {
    expect(after(filed, { severity: 'S1', alarmsUnit: true })).toMatchObject({ alarmAt: 5, alarmEndedAt: null });
    expect(after(filed, { severity: 'S1', alarmsUnit: true, status: 'triaged' })).toMatchObject({
      alarmAt: 5,
      alarmEndedAt: null,
    });
    expect(after({ ...filed, alarmAt: 1, alarmEndedAt: 2 }, { severity: 'S1', alarmsUnit: true })).toMatchObject({
      alarmAt: 5,
      alarmEndedAt: null,
    });
  });

  it('of the status or to a milder severity ends the alarm, and nothing else does', () => {
    expect(after(alarming, { status: 'triaged' })).toMatchObject({ alarmAt: 1, alarmEndedAt: 5 });
    expect(after(alarming, { severity: 'S2' })).toMatchObject({ alarmAt: 1, alarmEndedAt: 5 });
    for (const wanted of [
      {},
      { status: 'new' },
      { severity: 'S1', alarmsUnit: true },
      { kind: 'software' },
      { assigneeId: 3 },
      { harm: { physical: 'fatal', psychological: null } },
      { externalReference: 'YC-1' },
      { isQuarantined: true },
    ] as const) {
      expect(after(alarming, wanted)).toMatchObject({ alarmAt: 1, alarmEndedAt: null });
    }
  });

  it('in any order alarms only as S1, and says each status, severity and alarm in the history, once', () => {
    const status = fc.constantFrom(...Object.keys(reportStatuses).filter(isStatus));
    const severity = fc.constantFrom(...Object.keys(serviceSeverities).filter(isSeverity));
    const one = fc.record(
      { status, severity, alarmsUnit: fc.constant<true>(true), assigneeId: fc.option(fc.nat(3)) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(one, { maxLength: 30 }), (changes) => {
        let facts = filed;
        let told: Record<string, string | null> = { status: 'new', severity: 'S2', alarm: 'off', assignee: null };
        const reached: { to: string | null; at: number }[] = [];
        for (const [place, wanted] of changes.entries()) {
          const change = changeOf(facts, wanted, place + 1);
          if (typeof change === 'string') {
            continue;
          }
          facts = change.after;
          for (const { is, from, to } of change.lines) {
            expect(told).toHaveProperty(is, from);
            told = { ...told, [is]: to };
            reached.push(...(is === 'status' ? [{ to, at: place + 1 }] : []));
          }
          expect(facts.severity === 'S1' || !isAlarming(facts)).toBe(true);
        }
        expect(told).toEqual({
          status: facts.status,
          severity: facts.severity,
          alarm: isAlarming(facts) ? 'on' : 'off',
          assignee: facts.assigneeId === null ? null : String(facts.assigneeId),
        });
        const times = reachedAt(0, reached);
        expect(times[facts.status]).not.toBeNull();
        expect(times.closed === null || (times.triaged ?? Infinity) <= times.closed).toBe(true);
      }),
    );
  });
});
