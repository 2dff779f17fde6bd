import type { Kysely } from 'kysely';
import { reportAlarm } from '../../lib/reports/reportAlarm';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';
import type { AlertState } from './alertState';
import { evaluateDeviceAlone, type Run } from './evaluateAlone';
import { isOfReports, reportsOf, type ReportPlace } from './reportSubject';
import { applyOccasion, escalateAll } from './subject';

/** Where S1 reports alarm, and since when the newest of them does. */
export type ReportAlarm = ReportPlace & { since: EpochMs };

/**
 * Resolves with every place where S1 reports alarm. Each tick reads them, so that neither a restart nor a step of the
 * clock ends one. If they cannot be read, resolves with null: nothing changes then, and every other alert goes on.
 */
export async function readReportAlarms({ store, faults }: AlertState): Promise<ReportAlarm[] | null> {
  try {
    return await alarmsOf(store.db);
  } catch (error) {
    faults.failed(everyReport, 'report', error);
    return null;
  }
}

const everyReport = { patientId: null, deviceId: null };

async function alarmsOf(db: Kysely<Database>): Promise<ReportAlarm[]> {
  const rows = await db
    .selectFrom('issue_reports')
    .select((select) => ['site_id', 'unit_id', select.fn.max('alarm_at').as('since')])
    .where('alarm_at', 'is not', null)
    .where('alarm_ended_at', 'is', null)
    .groupBy(['site_id', 'unit_id'])
    .execute();
  return rows.map(({ site_id, unit_id, since }) => ({ siteId: site_id, unitId: unit_id, since: Number(since) }));
}

/**
 * Raises one alert for each place where S1 reports alarm (clinical.md section 5): another report raises the same one
 * again. It ends when none alarms any more.
 */
export function evaluateReports(run: Run, alarms: readonly ReportAlarm[] | null): void {
  const { state } = run;
  const places = new Map<number, { siteId: number; since: EpochMs | null }>();
  for (const { deviceId, siteId } of state.records()) {
    if (isOfReports(deviceId)) {
      places.set(deviceId, { siteId, since: null });
    }
  }
  for (const alarm of alarms ?? []) {
    places.set(reportsOf(alarm), alarm);
  }
  for (const [deviceId, { siteId, since }] of places) {
    if (state.people.rulesAreOn(siteId)) {
      evaluateDeviceAlone(run, { siteId, deviceId }, (place, context) =>
        escalateAll(alarms === null ? place : applyOccasion(place, 'report', reportAlarm(since), context), context),
      );
    }
  }
}

/** Evaluates the reports at once: one was filed or changed. If it fails, the next tick does it. */
export async function evaluateReportsNow(state: AlertState): Promise<void> {
  try {
    await state.transact(async (states, writes) => {
      evaluateReports({ state, states, writes, at: state.now() }, await readReportAlarms(state));
    });
  } catch (error) {
    state.faults.failedOnce(everyReport, 'report', error);
  }
}
