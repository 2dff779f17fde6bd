import { permissionsOf } from '../lib/session/permissions';
import type { ReadState } from '../hooks/readState';
import type { PatientSparks, Sparks } from '../hooks/useSparks';
import type { Patient, PatientsPage } from '../lib/patients/schema';
import type { User } from '../lib/session/schema';
import type { LatestValue } from '../lib/vitals/schema';
import { sparkMinutes } from '../lib/vitals/spark';

/** The server's time in tests of screens. */
export const wardNow = Date.parse('2026-03-07T15:00:00Z');

export const secondsAgo = (seconds: number): string => new Date(wardNow - seconds * 1_000).toISOString();

/** A good SpO2 of 97 % two seconds old, or what `change` makes of it. */
export function inventedValue(change: Partial<LatestValue> = {}): LatestValue {
  const at = secondsAgo(2);
  return {
    value: 97,
    unit: '%',
    takenAt: at,
    receivedAt: at,
    asOf: at,
    quality: 'good',
    source: 'monitor',
    expectedEveryMs: 1_000,
    lastValid: null,
    ...change,
  };
}

export function inventedPatient(id: number, change: Partial<Patient> = {}): Patient {
  return {
    id,
    mrn: `A-${id}`,
    givenName: 'Sam',
    familyName: `Sample${id}`,
    dateOfBirth: '1950-03-07',
    sex: 'unknown',
    location: { unit: 'East', bed: String(id) },
    profile: 'continuous',
    spo2Scale: 1,
    news2ExemptFor: null,
    isTrial: false,
    state: 'active',
    version: 1,
    standby: null,
    comfortCare: null,
    symptoms: null,
    deviceAlarms: [],
    alerts: [],
    latest: { spo2: inventedValue() },
    ...change,
  };
}

export function inventedPage(items: Patient[], change: Partial<PatientsPage> = {}): PatientsPage {
  return { items, total: items.length, version: '1', units: [{ id: 3, name: 'East' }], beds: [], ...change };
}

/** Returns the text of a spark line that ends with these minutes. */
export function inventedSpark(...minutes: string[]): string {
  return [...Array<string>(sparkMinutes - minutes.length).fill(''), ...minutes].join(',');
}

/** The spark lines of some patients, up to the minute of `wardNow`. */
export function inventedSparks(lines: Record<number, Omit<PatientSparks, 'from'>>): ReadState<Sparks> {
  const from = wardNow - (sparkMinutes - 1) * 60_000;
  const byPatient = new Map(Object.entries(lines).map(([id, line]) => [Number(id), { ...line, from }]));
  return {
    data: { requested: new Set(byPatient.keys()), byPatient },
    error: undefined,
    isLoading: false,
    isRefreshing: false,
    asOf: wardNow,
    refresh: () => Promise.resolve(),
  };
}

export function inventedUser(change: Partial<User> = {}): User {
  return {
    id: 7,
    fname: 'Ines',
    lname: 'Moreau',
    email: 'ines@ward.test',
    username: 'ines@ward.test',
    siteId: 1,
    userImage: null,
    type: 'nurse',
    isAdmin: false,
    site: {
      name: 'Harbour Ward',
      timeZone: 'Europe/London',
      isDemo: false,
      rulesAreOn: true,
      intendedUseChanged: false,
      isClockDoubted: false,
      isDiskLow: false,
      emergencyNumber: null,
      rapidResponseNumber: null,
      idleMinutes: 15,
      shiftStarts: '07:30,19:30',
      dateOrder: 'day_first',
    },
    units: [],
    permissions: permissionsOf({
      type: change.type ?? 'nurse',
      isAdmin: change.isAdmin ?? false,
      administersInstallation: change.administersInstallation ?? false,
      awaitsConfirmation: change.awaitsConfirmation ?? false,
      units: change.units ?? [],
    }),
    administersInstallation: false,
    awaitsConfirmation: false,
    passwordLinkBy: null,
    breakGlassUntil: null,
    ...change,
  };
}
