import type { PatientRow } from '../server/db/rows';
import { startOfTest } from './testServer';

/** Returns a patient as the store has one, for tests that need no store. */
export function patientRow(id: number, siteId: number, mrn: string, more: Partial<PatientRow> = {}): PatientRow {
  return {
    id,
    site_id: siteId,
    mrn,
    given_name: 'Sam',
    family_name: 'Sample',
    date_of_birth: '1950-03-07',
    sex: 'unknown',
    unit_id: null,
    bed: null,
    profile: 'continuous',
    spo2_scale: 1,
    news2_exempt_for: null,
    shares_bed: 0,
    is_trial: 0,
    state: 'active',
    version: 1,
    created_at: startOfTest,
    updated_at: startOfTest,
    ...more,
  };
}
