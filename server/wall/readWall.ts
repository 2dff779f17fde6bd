import type { FastifyRequest } from 'fastify';
import type { MarkedKind } from '../../lib/patients/valueMark';
import { valueMark } from '../../lib/patients/valueMark';
import type { Patient } from '../../lib/patients/schema';
import { isOwned } from '../../lib/alerts/alert';
import { priorities } from '../../lib/alerts/priority';
import { compareText } from '../../lib/sortOrder';
import { initialsOf } from '../../lib/users/initialsOf';
import { toInstant } from '../../lib/time/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import type { LatestValue } from '../../lib/vitals/schema';
import { mostBeds, type Wall, type WallQuery, type WallTile, type WallValue } from '../../lib/wall/schema';
import { unitOfReports } from '../alerts/reportSubject';
import type { PatientRow, UnitRow } from '../db/rows';
import { requireScope, sessionOf } from '../http/access';
import { inScope, type Scope } from '../http/scope';
import type { LiveState } from '../liveState';
import { responseVersion } from '../patients/board';
import { listPatients } from '../patients/queries';
import type { Server } from '../server';
import { requireUnit, unitInScope } from '../units/queries';

/** The patients of a unit among whom those with alerts are looked for. */
const mostRead = 1_000;

/**
 * Resolves with the wall of a unit within the user's reach, for the call and for page rendering. Audited once a view.
 * Rejects with 403, or 404 if there is no such unit within reach.
 */
export async function readWall(
  server: Server,
  request: FastifyRequest,
  query: Omit<WallQuery, 'after'>,
): Promise<Wall> {
  const { liveState, now, auditView } = server;
  const at = now();
  const scope = requireScope(request, 'readWall', at);
  const { site, units } = sessionOf(request).user;
  const [own, ...others] = units;
  const unitId = query.unit ?? (others.length === 0 ? own?.id : undefined);
  const unit = unitId === undefined ? null : requireUnit(liveState, scope, unitId);
  const { page, until } = listPatients(
    liveState,
    scope,
    {
      state: 'active',
      unit: unit?.id,
      sort: 'location',
      page: 1,
      pageSize: unit === null ? mostBeds : mostRead,
      only: null,
      attention: false,
    },
    at,
  );
  // More than fit lead to a choice of unit. On the wall of one unit there is none: the patients with alerts stay.
  const shown = unit === null && page.total > mostBeds ? [] : mostUrgent(page.items);
  const gateways = silentGateways(liveState, scope.siteId, page.items);
  const report = issueReport(server, scope, unit);
  await auditView(request, { action: 'read_wall', patientIds: shown.map(({ id }) => id) });
  return {
    unit: unit === null ? null : { id: unit.id, name: unit.name },
    units: [...liveState.units.values()]
      .filter((row) => unitInScope(row, scope))
      .map(({ id, name }) => ({ id, name }))
      .sort((a, b) => compareText(a.name, b.name)),
    total: page.total,
    tiles: shown.map((patient) => tileOf(patient, shown, at, site.timeZone)),
    withoutUnit: unit === null ? { total: 0, alerting: 0 } : withoutUnit(liveState, scope),
    silentGateways: gateways,
    issueReport: report,
    version: responseVersion(
      liveState,
      scope.siteId,
      // A gateway that falls silent changes no value, nor does a report.
      `wall ${JSON.stringify([unit?.id, scope.unitIds, gateways, report])}`,
      until,
    ),
  };
}

/** Returns what is silent among the gateways by which values of these patients come. No alert of a patient says it. */
function silentGateways(liveState: LiveState, siteId: number, patients: readonly Patient[]): Wall['silentGateways'] {
  const shown = new Set(patients.map(({ id }) => id));
  const found = liveState.silentGateways
    .ofSite(siteId)
    .map((one) => ({ ...one, patientIds: one.patientIds.filter((id) => shown.has(id)) }))
    .filter(({ patientIds }) => patientIds.length > 0);
  const priority = priorities.find((each) => found.some((one) => one.priority === each));
  return priority === undefined
    ? null
    : {
        priority,
        since: toInstant(Math.min(...found.map(({ since }) => since))),
        patients: new Set(found.flatMap(({ patientIds }) => patientIds)).size,
      };
}

/** Returns what S1 issue reports alarm on this wall: those of its unit, or of all that its user reaches. */
function issueReport({ alerts }: Server, scope: Scope, unit: UnitRow | null): Wall['issueReport'] {
  const open = alerts.listOpen(scope.siteId).flatMap(({ deviceId, alert }) => {
    const unitId = unitOfReports(deviceId);
    const isHere = unit === null ? inScope(scope, { site_id: scope.siteId, unit_id: unitId }) : unitId === unit.id;
    return alert.parameter === 'report' && alert.condition === 'active' && isHere ? [alert] : [];
  });
  const priority = priorities.find((each) => open.some((alert) => alert.priority === each));
  return priority === undefined
    ? null
    : {
        priority,
        since: toInstant(Math.min(...open.map(({ startedAt }) => startedAt))),
        isSeen: open.every((alert) => alert.acknowledged !== null || isOwned(alert)),
      };
}

/** As many patients as a wall shows, in their order: if there are more, those with the most urgent alerts. */
function mostUrgent(patients: readonly Patient[]): readonly Patient[] {
  const rankOf = ({ alerts: [first] }: Patient): number =>
    first === undefined ? priorities.length : priorities.indexOf(first.priority);
  const kept = new Set(patients.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, mostBeds));
  return patients.filter((patient) => kept.has(patient));
}

/** Counts the patients in no unit that is in use: every user of the site reaches them. */
function withoutUnit(liveState: LiveState, scope: Scope): Wall['withoutUnit'] {
  const rows = [...liveState.patients.values()].filter(
    (row) => row.state === 'active' && inScope(scope, row) && liveState.unitOf(row) === null,
  );
  const isAlerting = ({ id }: PatientRow): boolean =>
    liveState.openAlerts.of(id).some(({ condition }) => condition === 'active');
  return { total: rows.length, alerting: rows.filter(isAlerting).length };
}

/** Returns a patient as the wall may know them. The fields are listed explicitly: this hangs in a corridor. */
function tileOf(patient: Patient, all: readonly Patient[], now: EpochMs, timeZone: string): WallTile {
  const { location, profile, givenName, familyName, isTrial, alerts, standby, comfortCare } = patient;
  return {
    unit: location?.unit ?? null,
    bed: location?.bed ?? null,
    profile,
    initials: initialsOf(`${givenName} ${familyName}`),
    isTrial,
    isShared: location !== null && all.some((other) => other !== patient && isSamePlace(other.location, location)),
    latest: {
      spo2: valueOf(patient, 'spo2', now, timeZone),
      heartRate: valueOf(patient, 'heartRate', now, timeZone),
      pulseRate: valueOf(patient, 'pulseRate', now, timeZone),
    },
    alerts: alerts.map(({ id: _, ...alert }) => alert),
    standby,
    comfortCare,
  };
}

function isSamePlace(a: Patient['location'], b: NonNullable<Patient['location']>): boolean {
  return a?.unit === b.unit && compareText(a.bed, b.bed) === 0;
}

function withoutSource({ source: _, ...other }: NonNullable<LatestValue['other']>): NonNullable<WallValue['other']> {
  return other;
}

function valueOf(patient: Patient, kind: MarkedKind, now: EpochMs, timeZone: string): WallValue | undefined {
  const latest = patient.latest[kind];
  if (latest === undefined) {
    return undefined;
  }
  const { value, asOf, ageUnknown, quality, notStored, isSubstitute, other, expectedEveryMs, lastValid } = latest;
  return {
    value,
    asOf,
    ageUnknown,
    quality,
    notStored,
    isSubstitute,
    other: other === undefined ? undefined : withoutSource(other),
    expectedEveryMs,
    lastValid: lastValid === null ? null : { value: lastValid.value, asOf: lastValid.asOf },
    threePoints: valueMark({ ...patient, alerts: [] }, kind, now, timeZone)?.side ?? null,
  };
}
