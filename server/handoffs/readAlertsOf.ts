import type { HandoffFacts } from '../../lib/handoffs/schema';
import type { User } from '../../lib/session/schema';
import { firstDifference } from '../../lib/sortOrder';
import type { EpochMs } from '../../lib/time/epochMs';
import { shownRecordOf } from '../alerts/alertRows';
import { presentAlerts } from '../alerts/queries';
import type { Server } from '../server';

/** More alerts of one shift are counted by no one: this many of all patients are read. */
const mostRead = 500;

/**
 * Resolves with the alerts of patients since `since`, and the open ones of before, by patient: open ones first, then
 * the newest.
 */
export async function readAlertsOf(
  server: Server,
  user: User,
  patientIds: readonly number[],
  { since, now }: { since: EpochMs; now: EpochMs },
): Promise<Map<number, HandoffFacts['alerts']>> {
  const { store, alerts } = server;
  const recent = await store.db
    .selectFrom('alert_history')
    .select('alert_id')
    .where('patient_id', 'in', patientIds)
    .where('raised_at', '>=', since)
    .orderBy('raised_at', 'desc')
    .limit(mostRead)
    .execute();
  const wanted = new Set(patientIds);
  const open = alerts
    .listOpen(user.siteId)
    .filter(({ patientId }) => patientId !== null && wanted.has(patientId))
    .map(({ id }) => id);
  const ids = [...new Set([...open, ...recent.map(({ alert_id }) => alert_id)])];
  const inMemory = ids.flatMap((id) => alerts.find(id) ?? []);
  const known = new Set(inMemory.map(({ id }) => id));
  const others = ids.filter((id) => !known.has(id));
  const stored =
    others.length === 0 ? [] : await store.db.selectFrom('alerts').selectAll().where('id', 'in', others).execute();
  const records = [...inMemory, ...stored.flatMap((row) => shownRecordOf(row) ?? [])];
  const items = await presentAlerts(server, records, user, now);
  const order = (closedAt: string | null): number => (closedAt === null ? 0 : 1);
  const byPatient = new Map<number, HandoffFacts['alerts']>();
  for (const item of items.sort((a, b) =>
    firstDifference(order(a.closedAt) - order(b.closedAt), Date.parse(b.raisedAt) - Date.parse(a.raisedAt)),
  )) {
    if (item.patientId !== null) {
      const { id, priority, sentence, raisedAt, closedAt, accepted, outcome } = item;
      const owner = accepted?.by.name ?? null;
      const alert = { id, priority, sentence, raisedAt, closedAt, owner, outcome };
      byPatient.set(item.patientId, [...(byPatient.get(item.patientId) ?? []), alert]);
    }
  }
  return byPatient;
}
