import type { Kysely } from 'kysely';
import type { Chart, ChartSummary } from '../../lib/chart/schema';
import { currentMarks } from '../../lib/chart/currentMarks';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';
import type { PatientRow } from '../db/rows';
import type { LiveState } from '../liveState';
import { readLimitsSection, readNews2Section, readSpo2Section } from './readSettings';
import { readDevicesSection, readStandbysSection, readStaysSection } from './readStays';
import { readWrittenOf } from './readWritten';

/** Resolves with a patient's whole chart at `now` (epoch milliseconds). */
export async function readChart(
  db: Kysely<Database>,
  liveState: LiveState,
  patient: PatientRow,
  now: EpochMs,
): Promise<Chart> {
  const { version, entries } = await readWrittenOf(db, patient.id);
  const contacts = entries.filter((one) => one.section === 'contacts');
  return {
    patientId: patient.id,
    version,
    isPhoneMissing:
      patient.profile === 'home' &&
      !contacts.some(({ status, value }) => status === 'current' && value.role === 'patient'),
    sections: {
      identifiers: entries.filter((one) => one.section === 'identifiers'),
      contacts,
      team: entries.filter((one) => one.section === 'team'),
      codeStatus: entries.filter((one) => one.section === 'codeStatus'),
      spo2: await readSpo2Section(db, patient),
      news2: await readNews2Section(db, patient),
      allergies: entries.filter((one) => one.section === 'allergies'),
      conditions: entries.filter((one) => one.section === 'conditions'),
      medications: entries.filter((one) => one.section === 'medications'),
      oxygen: entries.filter((one) => one.section === 'oxygen'),
      devices: await readDevicesSection(db, patient.id),
      limits: await readLimitsSection(db, patient),
      standbys: await readStandbysSection(db, patient.id, now),
      stays: await readStaysSection(db, liveState, patient.id),
    },
  };
}

/** Resolves with code status and allergies of a patient, as far as they hold. */
export async function readChartSummary(db: Kysely<Database>, patientId: number): Promise<ChartSummary> {
  const { version, entries } = await readWrittenOf(db, patientId);
  return { patientId, version, ...currentMarks(entries) };
}
