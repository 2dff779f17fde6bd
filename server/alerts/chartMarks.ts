import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { limitHistory, limitsAt, type LimitFacts } from '../../lib/alerts/limitHistory';
import type { ChartAlert, ChartMarks } from '../../lib/alerts/chartMarksSchema';
import { limitValues } from '../../lib/alerts/limitsSchema';
import { comfortCareUntil } from '../../lib/alerts/pauses';
import { can } from '../../lib/session/can';
import { readJson } from '../../lib/readJson';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import type { Database } from '../db/schema';
import type { PatientRow } from '../db/rows';
import { sessionOf } from '../http/access';
import type { Server } from '../server';
import type { AlertRecord } from './alertWrites';
import { shownRecordOf } from './alertRows';
import { alertsInReach } from './listAlerts';
import { presentAlerts } from './queries';

/** How many alerts a response contains at most. */
const mostAlerts = 200;
const mostNotes = 200;

interface Window {
  from: EpochMs;
  to: EpochMs;
}

/**
 * Resolves with the target and the limits of a patient as they were in a window of time, and with the alerts of that
 * time, open and closed. The caller has authorised and recorded the view.
 */
export async function readChartMarks(
  server: Server,
  request: FastifyRequest,
  patient: PatientRow,
  window: Window,
  now: EpochMs,
): Promise<ChartMarks> {
  const facts = await readLimitFacts(server, patient);
  const { scale, target, isTargetConfirmed } = limitsAt(facts, now);
  return {
    patientId: patient.id,
    from: toInstant(window.from),
    to: toInstant(window.to),
    target: { ...target, scale, isConfirmed: isTargetConfirmed },
    limits: limitHistory(facts, window).map(({ from, ...step }) => ({ from: toInstant(from), ...step })),
    ...(await readAlerts(server, request, patient, window, now)),
    notes: await readNotes(server.store.db, request, patient, window),
  };
}

async function readNotes(
  db: Kysely<Database>,
  request: FastifyRequest,
  patient: PatientRow,
  { from, to }: Window,
): Promise<ChartMarks['notes']> {
  if (!can(sessionOf(request).user, 'readNotes')) {
    return [];
  }
  const rows = await db
    .selectFrom('notes')
    .select(['id', 'type', 'event_at'])
    .where('patient_id', '=', patient.id)
    .where('event_at', '>=', from)
    .where('event_at', '<=', to)
    .where('signed_at', 'is not', null)
    .where('in_error', '=', 0)
    .orderBy('event_at', 'desc')
    .limit(mostNotes)
    .execute();
  return rows.map(({ id, type, event_at }) => ({ id, type, eventTime: toInstant(event_at) }));
}

async function readLimitFacts({ store: { db }, alerts }: Server, patient: PatientRow): Promise<LimitFacts> {
  const targets = await db
    .selectFrom('spo2_targets')
    .select(['scale', 'low', 'high', 'set_at'])
    .where('patient_id', '=', patient.id)
    .orderBy('id')
    .execute();
  const comfortCares = await db
    .selectFrom('comfort_cares')
    .select(['confirmed_at', 'ended_at'])
    .where('patient_id', '=', patient.id)
    .execute();
  return {
    profile: patient.profile,
    dateOfBirth: patient.date_of_birth,
    scale: patient.spo2_scale,
    timeZone: alerts.timeZoneOf(patient.site_id),
    limits: await readSetLimits(db, patient),
    targets: targets.map(({ set_at, ...target }) => ({ ...target, setAt: set_at })),
    comfortCares: comfortCares.map(({ confirmed_at, ended_at }) => ({
      from: confirmed_at,
      until: Math.min(ended_at ?? Infinity, comfortCareUntil({ confirmedAt: confirmed_at })),
    })),
  };
}

/** Limits that cannot be read are left out: they do not hold (`readHolding`). */
async function readSetLimits(db: Kysely<Database>, patient: PatientRow): Promise<LimitFacts['limits']> {
  const rows = await db
    .selectFrom('alert_limits')
    .select(['patient_id', 'rule', 'scale', 'limit_values', 'set_at'])
    .where('site_id', '=', patient.site_id)
    .where((where) => where.or([where('patient_id', 'is', null), where('patient_id', '=', patient.id)]))
    .orderBy('id')
    .execute();
  return rows.flatMap(({ patient_id, rule, scale, limit_values, set_at }) => {
    const values = readJson(limitValues, limit_values);
    return values === null ? [] : [{ isOwn: patient_id !== null, rule, scale, values, setAt: set_at }];
  });
}

async function readAlerts(
  server: Server,
  request: FastifyRequest,
  patient: PatientRow,
  { from, to }: Window,
  now: EpochMs,
): Promise<Pick<ChartMarks, 'alerts' | 'hasMoreAlerts'>> {
  const isVisible = alertsInReach(server, request, 'readAlerts');
  const rows = await server.store.db
    .selectFrom('alerts')
    .selectAll()
    .where('patient_id', '=', patient.id)
    .where('closed_at', '>=', from)
    .where('started_at', '<=', to)
    .orderBy('id', 'desc')
    .limit(mostAlerts + 1)
    .execute();
  const open = server.alerts.listOpen(patient.site_id).filter(({ patientId }) => patientId === patient.id);
  const isOpen = new Set(open.map(({ id }) => id));
  const closed = rows.flatMap((row) => (isOpen.has(row.id) ? [] : (shownRecordOf(row) ?? [])));
  // The bar ends with the condition; a latched alert is closed later.
  const isInWindow = ({ alert }: AlertRecord): boolean =>
    alert.startedAt <= to && (alert.endedAt ?? alert.closed?.at ?? now) >= from;
  const found = [...open, ...closed]
    .filter((record) => isVisible(record) && isInWindow(record))
    .sort((a, b) => b.alert.startedAt - a.alert.startedAt);
  const shown = found.slice(0, mostAlerts);
  const items = await presentAlerts(server, shown, sessionOf(request).user, now);
  return {
    alerts: items.flatMap((item, index) => {
      const record = shown[index];
      return record === undefined ? [] : [chartAlertOf(item, record)];
    }),
    hasMoreAlerts: found.length > mostAlerts || rows.length > mostAlerts,
  };
}

/** Of the alert, the response keeps what its schema names. */
function chartAlertOf(item: Omit<ChartAlert, 'lowest' | 'highest'>, { alert, evidence }: AlertRecord): ChartAlert {
  const kinds = kindsOf(item.parameter);
  const values = [
    ...(kinds.length === 0 ? [] : [alert.lowest, alert.highest].filter((value) => value !== null)),
    ...evidence.samples.filter(({ kind }) => kinds.some((each) => each === kind)).map(({ value }) => value),
  ];
  const isKnown = values.length > 0;
  return { ...item, lowest: isKnown ? Math.min(...values) : null, highest: isKnown ? Math.max(...values) : null };
}

/** The charted kinds that an alert is about. */
function kindsOf(parameter: ChartAlert['parameter']): readonly ('spo2' | 'heartRate' | 'pulseRate')[] {
  return parameter === 'spo2' ? ['spo2'] : parameter === 'rate' ? ['heartRate', 'pulseRate'] : [];
}
