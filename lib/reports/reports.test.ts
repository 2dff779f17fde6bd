import fc from 'fast-check';
import { userTypes } from '../session/userTypes';
import { changeOf, isAlarming, type ReportFacts, type WantedChange } from './changeOf';
import { contextLines } from './contextLines';
import { entryWords, harmWords, severityWords, unitsAt } from './entryWords';
import { reachedAt } from './reachedAt';
import { emptyReport, isUntouched, reportBody, type ReportFields } from './reportFields';
import { type ReportKind, reportKinds } from './reportKinds';
import { type ReportStatus, reportStatuses, statusesAfter } from './reportStatuses';
import { changeableFields, newReport, type ReportContext } from './schema';
import { serviceSeverities, type ServiceSeverity } from './serviceSeverities';
import { fieldsToChange, kindsToManage, sightOf } from './sightOf';

const isStatus = (text: string): text is ReportStatus => Object.hasOwn(reportStatuses, text);

describe('a change of an issue report', () => {
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
  const isSeverity = (text: string): text is ServiceSeverity => Object.hasOwn(serviceSeverities, text);
  const after = (before: ReportFacts, wanted: WantedChange) => {
    const change = changeOf(before, wanted, 5);
    return typeof change === 'string' ? change : change.after;
  };

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

describe('entryWords', () => {
  describe('the history of a report', () => {
    it.each([
      [{ is: 'filed', from: null, to: null }, 'Reported'],
      [{ is: 'status', from: 'new', to: 'triaged' }, 'Status: Triaged'],
      [{ is: 'severity', from: 'S1', to: 'S3' }, 'Service severity: S3, was S1'],
      [{ is: 'kind', from: 'device', to: 'nearMiss' }, 'Kind: Near miss, was Device'],
      [{ is: 'harmPhysical', from: null, to: 'none' }, 'Physical harm: None, was not stated'],
      [{ is: 'harmPsychological', from: 'low', to: null }, 'Psychological harm: Not stated, was low'],
      [{ is: 'harmPhysical', from: null, to: null }, 'Physical harm changed'],
      [{ is: 'assignee', from: null, to: 'Lena Demo' }, 'Assignee: Lena Demo, was no one'],
      [{ is: 'assignee', from: 'Lena Demo', to: 'Tom Demo' }, 'Assignee: Tom Demo, was Lena Demo'],
      [{ is: 'externalReference', from: null, to: 'YC-12' }, 'External reference: YC-12, was none'],
      [{ is: 'isQuarantined', from: null, to: 'true' }, 'Device put aside: Yes, was not stated'],
      [{ is: 'unit', from: 'Ward 4', to: 'Ward 5' }, 'Unit: Ward 5, was Ward 4'],
      [{ is: 'unit', from: 'Ward 4', to: null }, 'Unit: None, was Ward 4'],
      [{ is: 'alarm', from: null, to: 'on' }, 'Alerted Step-down 2'],
      [{ is: 'alarm', from: null, to: 'off' }, 'The alert ended'],
      [{ is: 'status', from: 'new', to: 'parked' }, 'Status: parked'],
    ] as const)('%j reads "%s"', (entry, words) => {
      expect(entryWords(entry, { name: 'Step-down 2' })).toBe(words);
    });

    it('names in each line the unit that was alerted then, whose patient moved later', () => {
      const entries = [
        { is: 'filed', from: null, to: null },
        { is: 'alarm', from: 'off', to: 'on' },
        { is: 'unit', from: 'Ward 4', to: 'Ward 5' },
        { is: 'alarm', from: 'off', to: 'on' },
      ] as const;
      const units = unitsAt(entries, { name: 'Ward 5' });
      expect(entries.map((entry, place) => entryWords(entry, units[place] ?? null))).toEqual([
        'Reported',
        'Alerted Ward 4',
        'Unit: Ward 5, was Ward 4',
        'Alerted Ward 5',
      ]);
      expect(
        unitsAt(
          [
            { is: 'alarm', from: 'off' },
            { is: 'unit', from: null },
          ],
          { name: 'Ward 5' },
        ),
      ).toEqual([null, { name: 'Ward 5' }]);
    });

    it('names no unit where none was alerted', () => {
      expect(entryWords({ is: 'alarm', from: null, to: 'on' }, null)).toBe('Alerted the ward leads');
    });
  });

  describe('the scales', () => {
    it('never say that there was no harm where none is stated', () => {
      expect(harmWords(null)).toBe('Not stated');
      expect(harmWords('none')).toBe('None');
    });

    it('name how soon someone responds', () => {
      expect(severityWords('S1')).toBe('S1 Monitoring lost or wrong patient data: response within 15 min');
      expect(severityWords('S4')).toBe('S4 Looks wrong, works');
    });
  });

  describe('what is sent with a report', () => {
    it('is written out line by line', () => {
      const context: ReportContext = {
        page: '/patient_details',
        release: 'wardlight@0.1.0',
        ruleVersion: 2,
        browser: 'Chromium 142',
        sound: 'off',
        errorReportId: 'abc',
        tiles: [
          { kind: 'spo2', state: 'live', count: 3 },
          { kind: 'heartRate', state: 'stale', count: 0 },
        ],
        connection: [
          { at: '2026-03-07T14:50:00.000Z', is: 'live' },
          { at: '2026-03-07T14:55:00.000Z', is: 'lost' },
        ],
        requestIds: ['a-1', 'b-2'],
      };
      expect(contextLines(context, 'UTC').map(({ label, text }) => `${label}: ${text}`)).toEqual([
        'Page: /patient_details',
        'Version: wardlight@0.1.0, rules 2',
        'Browser: Chromium 142',
        'Connection, last 10 min: 14:50:00 live, 14:55:00 server not reached',
        'Sound: No sound',
        'Values on the page: SpO2: 3 live',
        'Requests: a-1 b-2',
        'Error report: abc',
      ]);
    });
  });
});

describe('reportFields', () => {
  const sender = { clientId: '3f8a6b52-6f0a-4c8e-9a51-0d8c2f6f7a11', authorId: 7, alarmsUnit: false, context: null };
  const typed: ReportFields = { ...emptyReport, kind: 'device', severity: 'S3', title: 'Cable loose' };
  const parse = (fields: ReportFields, change: Partial<typeof sender> = {}) =>
    newReport.safeParse(reportBody(fields, { ...sender, ...change }));

  describe('a typed report', () => {
    it('is refused at its fields while kind, severity and title are missing', () => {
      const { error } = parse(emptyReport);
      expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['kind', 'severity', 'title']);
    });

    it('of S1 is refused until its alarm is confirmed, and another one if it is', () => {
      expect(parse({ ...typed, severity: 'S1' }).success).toBe(false);
      expect(parse({ ...typed, severity: 'S1' }, { alarmsUnit: true }).success).toBe(true);
      expect(parse(typed, { alarmsUnit: true }).success).toBe(false);
    });

    it('says of what was not stated that it is not stated, and never that there was no harm', () => {
      expect(parse(typed).data).toMatchObject({
        harm: { physical: null, psychological: null },
        occurredAt: null,
        unitId: null,
        bed: null,
        patientId: null,
        deviceId: null,
        device: null,
      });
    });

    it('keeps each part of the device, and both answers to whether it was put aside', () => {
      const device = { ...emptyReport.device, serial: ' SN 4 ' };
      expect(parse({ ...typed, device, isQuarantined: 'no' }).data?.device).toMatchObject({
        maker: null,
        serial: 'SN 4',
        isQuarantined: false,
      });
      expect(parse({ ...typed, isQuarantined: 'yes' }).data?.device).toMatchObject({ isQuarantined: true });
    });
  });

  describe('what a reporter would lose', () => {
    it('is each thing that they typed or chose, and not the place that the page filled in', () => {
      expect(isUntouched({ ...emptyReport, unitId: '3', patientId: '4' })).toBe(true);
      expect(isUntouched({ ...emptyReport, title: 'C' })).toBe(false);
      expect(isUntouched({ ...emptyReport, alertIds: [1] })).toBe(false);
      expect(isUntouched({ ...emptyReport, device: { ...emptyReport.device, lot: '1' } })).toBe(false);
    });
  });
});

describe('the status of an issue report', () => {
  const all = Object.keys(reportStatuses).filter(isStatus);

  /** Written by hand a second time. */
  const allowed: readonly string[] = [
    'new triaged',
    'triaged investigating',
    'triaged actioned',
    'triaged closed',
    'investigating actioned',
    'investigating closed',
    'actioned investigating',
    'actioned closed',
    'closed reopened',
    'reopened investigating',
    'reopened actioned',
    'reopened closed',
  ];

  it.each(all.flatMap((from) => all.map((to) => [from, to] as const)))('%s, then %s: as the table says', (from, to) => {
    expect(statusesAfter(from).includes(to)).toBe(allowed.includes(`${from} ${to}`));
  });

  it('never comes back to new, is triaged before anything else, and can always be closed from there', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 20 }), (choices) => {
        const path: ReportStatus[] = ['new'];
        for (const choice of choices) {
          const next = statusesAfter(path.at(-1) ?? 'new');
          path.push(next[choice % next.length] ?? 'new');
        }
        expect(path.lastIndexOf('new')).toBe(0);
        expect(path[1] ?? 'triaged').toBe('triaged');
        const last = path.at(-1) ?? 'new';
        expect(last === 'new' || last === 'closed' || statusesAfter(last).includes('closed')).toBe(true);
      }),
    );
  });
});

describe('of an issue report', () => {
  const isKind = (text: string): text is ReportKind => Object.hasOwn(reportKinds, text);
  const kinds = Object.keys(reportKinds).filter(isKind);
  const reader = (type: (typeof userTypes)[number], isAdmin = false) => ({ type, isAdmin });

  it.each(userTypes)(
    'a %s sees nothing of what others filed about patients out of reach, except for their trade',
    (type) => {
      for (const kind of kinds) {
        for (const isAdmin of [false, true]) {
          const trade =
            type === 'technician' && kind === 'device' ? 'device' : isAdmin && kind === 'software' ? 'software' : null;
          expect(sightOf(reader(type, isAdmin), { kind, isOwn: false, isInReach: false })).toBe(trade);
          expect(sightOf(reader(type, isAdmin), { kind, isOwn: true, isInReach: false })).toBe('whole');
        }
      }
    },
  );

  it('within reach those see all who read notes, and no viewer, technician or administrator more than before', () => {
    const report = { kind: 'safety', isOwn: false, isInReach: true } as const;
    expect(userTypes.filter((type) => sightOf(reader(type), report) === 'whole')).toEqual([
      'nurse',
      'physician',
      'respiratory_therapist',
      'ward_lead',
    ]);
    expect(userTypes.filter((type) => sightOf(reader(type, true), report) === 'whole')).toHaveLength(4);
  });

  it('the reporter changes nothing, and no one but a ward lead the kind or the harm', () => {
    for (const type of userTypes) {
      for (const isAdmin of [false, true]) {
        for (const kind of kinds) {
          const fields = fieldsToChange(reader(type, isAdmin), { kind, isOwn: true, isInReach: true });
          const isManager =
            type === 'ward_lead' || (type === 'technician' && kind === 'device') || (isAdmin && kind === 'software');
          expect([type, isAdmin, kind, fields.length > 0]).toEqual([type, isAdmin, kind, isManager]);
          expect(fields.includes('kind') || fields.includes('harm')).toBe(type === 'ward_lead');
          expect(changeableFields).toEqual(expect.arrayContaining([...fields]));
          expect(kindsToManage(reader(type, isAdmin), kinds).includes(kind)).toBe(isManager);
        }
      }
    }
  });
});
