import { createHash } from 'node:crypto';
import { inOrderOfUrgency } from '../../lib/alerts/inOrderOfUrgency';
import { comfortCareUntil } from '../../lib/alerts/pauses';
import type { DeviceAlarm } from '../../lib/deviceAlarms/schema';
import { alertSort, patientSortFields, type PatientSort, type PatientSortField } from '../../lib/patients/listing';
import { textMatcher } from '../../lib/patients/names';
import type { Patient, PatientAlert, PatientsPage } from '../../lib/patients/schema';
import { compareText, firstDifference } from '../../lib/sortOrder';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { freshnessOf, offAfterMs } from '../../lib/vitals/freshness';
import { kindOfCode, kinds, type VitalKind } from '../../lib/vitals/kinds';
import type { LatestValue, LatestValues } from '../../lib/vitals/schema';
import type { OpenAlert } from '../alerts/openAlert';
import type { PatientRow } from '../db/rows';
import type { StoredAlarm } from '../deviceAlarms/deviceAlarmBoard';
import { inScope, type Scope } from '../http/scope';
import type { LiveState } from '../liveState';
import { isManual } from '../vitals/manualSource';
import { newestOf } from '../vitals/newest';
import { isClockKnown, isInvalid, isQuestionable, qualityOf } from '../vitals/qualityCode';
import type { Latest } from '../vitals/sample';
import { expectedEveryMs, shownLatest, sourceName, type Shown } from '../vitals/shownSource';
import type { PatientsListQuery } from './listQuery';

/**
 * Returns whether a patient needs someone at `now`, and until when that stays so if nothing new arrives: with an open
 * alert of any priority, or if their SpO2 does not arrive, because a site whose rules are off has no alert about that.
 * In standby a missing value is expected.
 */
function needsAttention(liveState: LiveState, row: PatientRow, now: EpochMs): { is: boolean; until: number } {
  const standby = liveState.standbyOf(row.id, now);
  if (liveState.openAlerts.of(row.id).length > 0) {
    return { is: true, until: Infinity };
  }
  if (standby !== null) {
    return { is: false, until: standby.until };
  }
  const newest = liveState.latestOf(row.id).get(kinds.spo2.code);
  if (newest === undefined) {
    return { is: true, until: Infinity };
  }
  const { latest, until } = shownLatest(liveState, row, 'spo2', newest, now);
  const everyMs = expectedEveryMs(liveState, row, 'spo2', latest.sample.deviceId);
  if (isInvalid(latest.sample.quality) || freshnessOf(now - latest.asOf, everyMs) === 'off') {
    return { is: true, until };
  }
  // From the millisecond after its last one.
  return { is: false, until: Math.min(until, latest.asOf + offAfterMs(everyMs) + 1) };
}

/**
 * Returns a patient at `now` in the form of API responses. The fields are listed explicitly: this leaves the server.
 */
export function presentPatient(liveState: LiveState, row: PatientRow, now: EpochMs): Patient {
  return present(liveState, row, now).patient;
}

/** Returns the newest values of some kinds as screens show them. */
export function presentValues(
  liveState: LiveState,
  row: PatientRow,
  wanted: readonly VitalKind[],
  now: EpochMs,
): LatestValues {
  const latest: LatestValues = {};
  const known = liveState.latestOf(row.id);
  for (const kind of wanted) {
    const value = known.get(kinds[kind].code);
    if (value !== undefined) {
      latest[kind] = presentLatest(liveState, row, kind, shownLatest(liveState, row, kind, value, now));
    }
  }
  return latest;
}

/** Returns the newest values of some kinds that people typed in, also those that a device hides. */
export function presentTyped(liveState: LiveState, row: PatientRow, wanted: readonly VitalKind[]): LatestValues {
  const latest: LatestValues = {};
  for (const kind of wanted) {
    const [first, ...others] = liveState
      .latestOfDevices(row.id, kinds[kind].code)
      .filter(({ sample }) => isManual(sample.deviceId));
    if (first !== undefined) {
      const shown = { latest: newestOf(first, others), isSubstitute: false, other: null, until: Infinity };
      latest[kind] = presentLatest(liveState, row, kind, shown);
    }
  }
  return latest;
}

function present(liveState: LiveState, row: PatientRow, now: EpochMs): { patient: Patient; until: number } {
  const latest: LatestValues = {};
  const standby = liveState.standbyOf(row.id, now);
  const comfortCare = liveState.comfortCareOf(row.id, now);
  let until = Math.min(standby?.until ?? Infinity, comfortCare === null ? Infinity : comfortCareUntil(comfortCare));
  for (const [code, value] of liveState.latestOf(row.id)) {
    const kind = kindOfCode(code);
    const shown = shownLatest(liveState, row, kind, value, now);
    latest[kind] = presentLatest(liveState, row, kind, shown);
    until = Math.min(until, shown.until);
  }
  const silent = liveState.silentGateways.ofPatient(row.id);
  const patient: Patient = {
    id: row.id,
    mrn: row.mrn,
    givenName: row.given_name,
    familyName: row.family_name,
    dateOfBirth: row.date_of_birth,
    sex: row.sex,
    location: liveState.locationOf(row),
    profile: row.profile,
    spo2Scale: row.spo2_scale,
    news2ExemptFor: row.news2_exempt_for,
    isTrial: row.is_trial === 1,
    state: row.state,
    version: row.version,
    latest,
    symptoms: liveState.symptoms.shown(row.id),
    deviceAlarms: liveState.deviceAlarms.ofPatient(row.id).map((alarm) => presentAlarm(liveState, alarm)),
    ...(silent === null ? {} : { silentGateway: { name: silent.name, since: toInstant(silent.since) } }),
    alerts: liveState.openAlerts.of(row.id).map((alert) => presentAlert(liveState, alert)),
    standby: standby === null ? null : { until: toInstant(standby.until) },
    comfortCare: comfortCare === null ? null : { until: toInstant(comfortCareUntil(comfortCare)) },
  };
  return { patient, until };
}

/** JSON has no Infinity. */
const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

function presentAlert(liveState: LiveState, alert: OpenAlert): PatientAlert {
  const { id, parameter, priority, side, calm, condition, isAcknowledged, ownerId, raisedAt, confirmBy } = alert;
  return {
    id,
    parameter,
    priority,
    side,
    ...(calm === null ? {} : { calm: { above: finite(calm.above), below: finite(calm.below) } }),
    condition,
    acknowledged: isAcknowledged,
    owner: ownerId === null ? null : liveState.openAlerts.initialsOf(ownerId),
    raisedAt: toInstant(raisedAt),
    confirmBy: confirmBy === null ? null : toInstant(confirmBy),
  };
}

function presentAlarm(liveState: LiveState, alarm: StoredAlarm): DeviceAlarm {
  const { id, text, priority, isTechnical, inactivation } = alarm;
  return {
    ...{ id, text, priority, isTechnical, inactivation, source: sourceName(liveState, alarm.deviceId) },
    ...{ startedAt: toInstant(alarm.startedAt), lastSeenAt: toInstant(alarm.lastSeenAt) },
  };
}

function presentLatest(
  liveState: LiveState,
  patient: PatientRow,
  kind: VitalKind,
  { latest: { sample, asOf, valid }, isSubstitute, other }: Shown,
): LatestValue {
  return {
    value: sample.value,
    unit: kinds[kind].unit,
    takenAt: toInstant(sample.takenAt),
    receivedAt: toInstant(sample.receivedAt),
    asOf: toInstant(asOf),
    ...(isClockKnown(sample.quality) ? {} : { ageUnknown: true }),
    quality: qualityOf(sample.quality),
    source: sourceName(liveState, sample.deviceId),
    ...(liveState.assigned.get(sample.deviceId) === patient.id ? { isAssigned: true as const } : {}),
    ...(typeof liveState.devices.get(sample.deviceId)?.bed_mapping_id === 'number' ? { isByBed: true as const } : {}),
    ...(sample.isUnstored === true ? { notStored: true } : {}),
    ...(isSubstitute ? { isSubstitute } : {}),
    ...(other === null
      ? {}
      : {
          other: {
            value: other.sample.value,
            asOf: toInstant(other.asOf),
            ...(isQuestionable(other.sample.quality) ? { isUncertain: true as const } : {}),
            expectedEveryMs: expectedEveryMs(liveState, patient, kind, other.sample.deviceId),
            source: sourceName(liveState, other.sample.deviceId),
          },
        }),
    expectedEveryMs: expectedEveryMs(liveState, patient, kind, sample.deviceId),
    lastValid: valid === null ? null : presentValid(valid),
  };
}

function presentValid({ value, takenAt, asOf, isUncertain }: NonNullable<Latest['valid']>): LatestValue['lastValid'] {
  return { value, takenAt: toInstant(takenAt), asOf: toInstant(asOf), isUncertain };
}

/**
 * Returns one page of the patients within reach: filtered, searched and sorted; all of them that the query names by
 * `ids`. `until` is when the page would change even if nothing new arrives: another device's value would be shown, a
 * standby expires, or a silence begins to need attention.
 */
export function listPatients(
  liveState: LiveState,
  scope: Scope,
  query: PatientsListQuery & { text?: string },
  now: EpochMs,
): { page: Omit<PatientsPage, 'version'>; until: number } {
  const within = [...liveState.patients.values()].filter((row) => inScope(scope, row));
  const active = within.filter(({ state }) => state === 'active');
  const { found, until } = findPatients(liveState, within, query, now);
  const sorted = sortPatients(liveState, found, query.sort, now);
  const first = (query.page - 1) * query.pageSize;
  const paged = query.ids === undefined ? sorted.slice(first, first + query.pageSize) : sorted;
  const shown = paged.map((row) => present(liveState, row, now));
  return {
    page: {
      items: shown.map(({ patient }) => patient),
      total: found.length,
      units: unitChoices(
        liveState,
        within.filter(({ state, unit_id }) => state === 'active' || unit_id === query.unit),
      ),
      beds: query.unit === undefined ? [] : bedChoices(active, query.unit),
    },
    until: shown.reduce((earliest, one) => Math.min(earliest, one.until), until),
  };
}

/** Returns those of some patients whom a query finds, and until when they are the same if nothing new arrives. */
function findPatients(
  liveState: LiveState,
  rows: readonly PatientRow[],
  query: PatientsListQuery & { text?: string },
  now: EpochMs,
): { found: PatientRow[]; until: number } {
  if (query.ids !== undefined) {
    const ids = new Set(query.ids);
    return { found: rows.filter(({ id }) => ids.has(id)), until: Infinity };
  }
  const only = query.only === null ? null : new Set(query.only);
  const matches = textMatcher(query.text ?? '');
  const found = rows.filter(
    (row) =>
      row.state === query.state &&
      (only === null || only.has(row.id)) &&
      isInPlace(row, query) &&
      (query.text === undefined || matches(`${row.family_name} ${row.given_name} ${row.mrn}`)),
  );
  if (!query.attention) {
    return { found, until: Infinity };
  }
  const needs = found.map((row) => ({ row, ...needsAttention(liveState, row, now) }));
  return {
    found: needs.filter(({ is }) => is).map(({ row }) => row),
    until: needs.reduce((earliest, { until }) => Math.min(earliest, until), Infinity),
  };
}

/**
 * Returns what names a bed in addresses. Beds are no rows, and what somebody typed as a bed may be anything, so it
 * stays out of logs and histories. It is no secret: who knows the bed can compute it.
 */
export function bedId(unitId: number, bed: string): string {
  return createHash('sha256').update(`${unitId} ${bed}`).digest('hex').slice(0, 12);
}

/** Returns whether a patient is in the unit and the bed of a query. */
export function isInPlace(
  { unit_id, bed }: Pick<PatientRow, 'unit_id' | 'bed'>,
  query: { unit?: number | undefined; bed?: string | undefined },
): boolean {
  return (
    (query.unit === undefined || unit_id === query.unit) &&
    (query.bed === undefined || (unit_id !== null && bed !== null && bedId(unit_id, bed) === query.bed))
  );
}

/** Returns the units of some patients by name, for a filter. */
export function unitChoices(
  liveState: LiveState,
  rows: readonly Pick<PatientRow, 'unit_id'>[],
): { id: number; name: string }[] {
  const ids = new Set(rows.flatMap(({ unit_id }) => unit_id ?? []));
  return [...ids]
    .flatMap((id) => {
      const name = liveState.unitNameOf({ unit_id: id });
      return name === null ? [] : [{ id, name }];
    })
    .sort((one, other) => compareText(one.name, other.name));
}

function bedChoices(rows: readonly PatientRow[], unitId: number): { id: string; name: string }[] {
  const names = new Set(rows.flatMap(({ unit_id, bed }) => (unit_id === unitId ? (bed ?? []) : [])));
  return [...names].sort(compareText).map((name) => ({ id: bedId(unitId, name), name }));
}

function sortPatients(liveState: LiveState, rows: PatientRow[], sort: PatientSort, now: EpochMs): PatientRow[] {
  if (sort === alertSort) {
    return inOrderOfAlerts(liveState, sortPatients(liveState, rows, 'location', now));
  }
  const turn = sort.startsWith('-') ? -1 : 1;
  const field = patientSortFields.find((name) => sort.endsWith(name)) ?? 'familyName';
  const byName = (a: PatientRow, b: PatientRow): number =>
    firstDifference(compareText(a.family_name, b.family_name), compareText(a.given_name, b.given_name), a.id - b.id);
  const keys = new Map(rows.map((row) => [row, sortKey(liveState, row, field, now)]));
  return rows.sort((a, b) => {
    const left = keys.get(a) ?? null;
    const right = keys.get(b) ?? null;
    if (left === null || right === null) {
      // Patients with nothing to show come last in either direction.
      return left === right ? byName(a, b) : left === null ? 1 : -1;
    }
    const order =
      typeof left === 'number' && typeof right === 'number' ? left - right : compareText(String(left), String(right));
    return firstDifference(turn * order, byName(a, b));
  });
}

/** Puts the patients with open alerts first, by the most urgent alert of each; the others stay in their order. */
function inOrderOfAlerts(liveState: LiveState, rows: readonly PatientRow[]): PatientRow[] {
  const alerting = rows.flatMap((row) => {
    const [worst] = liveState.openAlerts.of(row.id);
    return worst === undefined ? [] : [{ row, worst }];
  });
  return [
    ...alerting.sort((a, b) => inOrderOfUrgency(a.worst, b.worst)).map(({ row }) => row),
    ...rows.filter((row) => liveState.openAlerts.of(row.id).length === 0),
  ];
}

/** Returns the value by which a patient is sorted, or null if there is none to show. */
function sortKey(liveState: LiveState, row: PatientRow, field: PatientSortField, now: EpochMs): string | number | null {
  switch (field) {
    case 'familyName':
      return row.family_name;
    case 'mrn':
      return row.mrn;
    case 'dateOfBirth':
      return row.date_of_birth;
    case 'location':
      return placeKey(liveState, row);
    case 'spo2':
    case 'heartRate':
      return shownValue(liveState, row, field, now);
    default:
      return field satisfies never;
  }
}

/** Returns the text by which places are sorted, or null if the patient is in no unit. */
function placeKey(liveState: LiveState, row: PatientRow): string | null {
  const unit = liveState.unitNameOf(row);
  // The separator sorts before anything that people type, so that unit "A" comes before unit "A 1".
  return unit === null ? null : `${unit}\t${row.bed ?? ''}`;
}

/**
 * Returns the value as the list would show it, or null if it was never measured, has no signal, or is too old. The
 * column of the heart rate may show the pulse rate.
 */
function shownValue(liveState: LiveState, row: PatientRow, kind: 'spo2' | 'heartRate', now: EpochMs): number | null {
  for (const name of kind === 'spo2' ? (['spo2'] as const) : (['heartRate', 'pulseRate'] as const)) {
    const newest = liveState.latestOf(row.id).get(kinds[name].code);
    const latest = newest === undefined ? undefined : shownLatest(liveState, row, name, newest, now).latest;
    if (latest !== undefined && !isInvalid(latest.sample.quality)) {
      const age = now - latest.asOf;
      if (freshnessOf(age, expectedEveryMs(liveState, row, name, latest.sample.deviceId)) !== 'off') {
        return latest.sample.value;
      }
    }
  }
  return null;
}
