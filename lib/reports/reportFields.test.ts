import { emptyReport, isUntouched, reportBody, type ReportFields } from './reportFields';
import { newReport } from './schema';

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
