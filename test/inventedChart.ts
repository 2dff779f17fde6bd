import type { Chart, WrittenEntry } from '../lib/chart/schema';
import { wardNow } from './inventedWard';

/** A chart without an entry, or with those that `sections` names. */
export function inventedChart(patientId: number, sections: Partial<Chart['sections']> = {}, version = 1): Chart {
  return {
    patientId,
    version,
    isPhoneMissing: false,
    sections: {
      identifiers: [],
      contacts: [],
      team: [],
      codeStatus: [],
      spo2: [],
      news2: [],
      allergies: [],
      conditions: [],
      medications: [],
      oxygen: [],
      devices: [],
      limits: [],
      standbys: [],
      stays: [],
      ...sections,
    },
  };
}

type AllergyEntry = Extract<WrittenEntry, { section: 'allergies' }>;

/** A current allergy to a substance, recorded by Nia Newcomer an hour ago. */
export function inventedAllergy(id: number, substance: string, change: Partial<AllergyEntry> = {}): AllergyEntry {
  return {
    id,
    section: 'allergies',
    value: { is: 'allergy', substance, reaction: null, severity: 'severe' },
    source: 'the patient',
    effectiveAt: null,
    author: { id: 8, name: 'Nia Newcomer' },
    recordedAt: new Date(wardNow - 3_600_000).toISOString(),
    replaces: null,
    reason: null,
    status: 'current',
    mark: null,
    ...change,
  };
}
