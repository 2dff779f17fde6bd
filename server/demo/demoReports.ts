import type { ReportChange, NewReport } from '../../lib/reports/schema';
import { toInstant } from '../../lib/time/schema';
import { changeReport, commentReport } from '../reports/changeReport';
import { fileReport } from '../reports/fileReport';
import type { ReportWriter } from '../reports/findReport';
import type { Server } from '../server';
import { wardOf, type Who } from './wardOf';

const minuteMs = 60_000;

interface DemoReport extends Pick<NewReport, 'kind' | 'severity' | 'title' | 'whatHappened'> {
  by: Who;
  /** The end of the patient's MRN; null: about no patient. */
  patient: number | null;
  minutesAgo: number;
  expected?: string;
  immediateAction?: string;
  harm?: NewReport['harm'];
  /** What the ward lead did with it, one after another. */
  steps: readonly (Pick<ReportChange, 'status' | 'externalReference' | 'comment'> & { isTaken?: true })[];
  /** What its reporter added. */
  comment?: string;
}

/** What went wrong in the stories of the cast. None of them is S1, which would alarm the ward at its start. */
const reports: readonly DemoReport[] = [
  {
    by: 'nurse',
    patient: 17,
    kind: 'device',
    severity: 'S2',
    title: 'The gateway of three beds sends nothing',
    whatHappened: 'The values of three beds stopped at the same time. The gateway has no light.',
    expected: 'Values from all three beds.',
    immediateAction: 'SpO2 by hand every 30 minutes at all three beds.',
    harm: { physical: 'none', psychological: null },
    minutesAgo: 10,
    steps: [
      { status: 'triaged', isTaken: true },
      { status: 'investigating', externalReference: 'ET-2041', comment: 'Estates and medical engineering are called.' },
    ],
    comment: 'It was on the socket beside the window.',
  },
  {
    by: 'ward_lead',
    patient: 6,
    kind: 'nearMiss',
    severity: 'S3',
    title: 'A note was signed under the patient in the next bed',
    whatHappened: 'Two patients were side by side on the screen, and the note belonged to the other one.',
    immediateAction: 'Moved the note to the right patient.',
    harm: { physical: 'none', psychological: 'none' },
    minutesAgo: 12,
    steps: [
      { status: 'triaged', isTaken: true },
      { status: 'closed', comment: 'Nothing was given or changed because of it. Discussed at the round.' },
    ],
  },
  {
    by: 'physician',
    patient: null,
    kind: 'software',
    severity: 'S4',
    title: 'Numbers are small on the screen at the nurses’ desk',
    whatHappened: 'From two metres away the rates cannot be read. The screen was changed last week.',
    minutesAgo: 90,
    steps: [],
  },
  {
    by: 'nurse',
    patient: 4,
    kind: 'supply',
    severity: 'S3',
    title: 'No tape for finger probes is left',
    whatHappened: 'The last roll went to bed with the probe that slips.',
    minutesAgo: 6,
    steps: [],
  },
];

/**
 * Files the issue reports of the demo ward through the functions that file those of users. What is filed already,
 * before a restart, is not filed again.
 */
export async function writeDemoReports(server: Server, siteId: number): Promise<void> {
  const { writerOf: clinicianOf, patientOf } = wardOf(server, siteId);
  const writerOf = async (who: Who): Promise<ReportWriter> => {
    const { scope, ...writer } = await clinicianOf(who);
    return { ...writer, notes: scope, patients: scope };
  };
  const lead = await writerOf('ward_lead');
  for (const [place, { by, patient, minutesAgo, steps, comment, ...text }] of reports.entries()) {
    const writer = await writerOf(by);
    const authorId = writer.user.id;
    const filed = await fileReport(
      writer,
      {
        expected: '',
        immediateAction: '',
        harm: { physical: null, psychological: null },
        ...text,
        clientId: `demo ${place}`,
        authorId,
        occurredAt: toInstant(writer.now - minutesAgo * minuteMs),
        discoveredAt: null,
        unitId: null,
        bed: null,
        patientId: patient === null ? null : patientOf(patient).id,
        alertIds: [],
        deviceId: null,
        device: null,
        isReporterHidden: false,
        alarmsUnit: false,
        context: null,
      },
      null,
    );
    if (filed.version > 1) {
      continue;
    }
    if (comment !== undefined) {
      await commentReport(writer, filed.id, { clientId: `demo ${place}`, authorId, text: comment });
    }
    let { version } = filed;
    version += comment === undefined ? 0 : 1;
    for (const { isTaken, ...step } of steps) {
      const assigned = isTaken === true ? { assigneeId: lead.user.id } : {};
      const changed = await changeReport(lead, filed.id, { ...step, ...assigned, version, authorId: lead.user.id });
      version = changed.version;
    }
  }
}
