import { randomUUID } from 'node:crypto';
import { reportKinds, type ReportKind } from '../lib/reports/reportKinds';
import { reportStatuses, type ReportStatus } from '../lib/reports/reportStatuses';
import type { ReportsResponse } from '../lib/reports/schema';
import { serviceSeverities, type ServiceSeverity } from '../lib/reports/serviceSeverities';
import { startTestServer } from '../test/testServer';
import { atMost } from './lines';

const reports = 5_000;
const patients = 200;
const rounds = 3;

const isKind = (text: string): text is ReportKind => Object.hasOwn(reportKinds, text);
const isStatus = (text: string): text is ReportStatus => Object.hasOwn(reportStatuses, text);
const isSeverity = (text: string): text is ServiceSeverity => Object.hasOwn(serviceSeverities, text);
const kinds = Object.keys(reportKinds).filter(isKind);
const statuses = Object.keys(reportStatuses).filter(isStatus);
const severities = Object.keys(serviceSeverities).filter(isSeverity);

const every = <Of>(list: readonly Of[], place: number): Of => {
  const one = list[place % list.length];
  if (one === undefined) {
    throw new Error('an empty list');
  }
  return one;
};

/**
 * Measures the server's time of a page of 100 of 5,000 issue reports, each with 2 kB of text and a history, with each
 * filter: for a ward lead, and for a nurse who sees those of one unit. In one process on SQLite, without the network.
 */
export async function benchIssueReports(): Promise<void> {
  const test = await startTestServer('sqlite');
  try {
    const site = await test.addSite();
    const lead = await test.signIn(site, 'ward_lead');
    const nurse = await test.signIn(site, 'nurse');
    const units = [await test.addUnit(site, 'Ward 1', [nurse.userId]), await test.addUnit(site, 'Ward 2')];
    const ids: number[] = [];
    for (let bed = 1; bed <= patients; bed += 1) {
      ids.push(await test.addPatient(site, { location: { unit: `Ward ${1 + (bed % 2)}`, bed: String(bed) } }));
    }
    for (let first = 0; first < reports; first += 100) {
      const rows = Array.from({ length: 100 }, (_, place) => ({
        site_id: site,
        reported_at: test.now() - (first + place) * 60_000,
        status: every(statuses, first + place),
        kind: every(kinds, first + place * 7),
        severity: every(severities, place),
        unit_id: every(units, place),
        patient_id: place % 3 === 0 ? null : every(ids, first + place),
        assignee_id: place % 5 === 0 ? lead.userId : null,
        author_id: place % 4 === 0 ? nurse.userId : lead.userId,
        author_type: 'nurse' as const,
        client_id: randomUUID(),
        is_reporter_hidden: 0,
        title: `Report ${first + place}`,
        what_happened: 'The monitor showed no number. '.repeat(70),
        expected: '',
        immediate_action: '',
        alert_ids: '[]',
        changed_at: test.now(),
        changed_by: lead.userId,
      }));
      const added = await test.store.db.insertInto('issue_reports').values(rows).returning('id').execute();
      for (const to of ['triaged', 'investigating', 'closed'] as const) {
        const lines = added.map(({ id }) => ({
          report_id: id,
          version: 2,
          is: 'status' as const,
          from_value: 'new',
          to_value: to,
          text: null,
          author_id: lead.userId,
          client_id: null,
          added_at: test.now(),
        }));
        await test.store.db.insertInto('issue_report_entries').values(lines).execute();
      }
    }
    const filters = [
      '',
      'status=open',
      'status=closed',
      'kind=device',
      'severity=S1',
      `unitId=${String(units[0])}`,
      `assigneeId=${lead.userId}`,
      'assigneeId=none',
      `patientId=${String(ids[1])}`,
      'mine=true',
      'page=49',
    ];
    for (const [who, by] of [
      ['ward lead', lead],
      ['nurse of one unit', nurse],
    ] as const) {
      const took: number[] = [];
      let found = 0;
      for (const filter of filters) {
        for (let round = 0; round < rounds; round += 1) {
          const begun = performance.now();
          const response = await by.call('GET', `/api/v2/reports?pageSize=100&${filter}`);
          took.push(performance.now() - begun);
          found = Math.max(found, response.json<ReportsResponse>().total);
        }
      }
      if (found < reports / 3) {
        throw new Error(`${found} reports in the longest list`);
      }
      atMost(`issue reports: any filter of 5,000, for a ${who} (longest)`, took, 100, 'ms');
    }
    const news: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const begun = performance.now();
      await lead.call('GET', '/api/v2/reports/own');
      news.push(performance.now() - begun);
    }
    atMost('issue reports: what is new among 5,000 (longest)', news, 100, 'ms');
  } finally {
    await test.stop();
  }
}
