import type { FastifyRequest } from 'fastify';
import { AlarmBudgetCount, type AlarmBudget, type Stay } from '../../lib/alerts/alarmBudget';
import { budgetSteps, type Span } from '../../lib/alerts/budgetSteps';
import type { Budget, BudgetQuery } from '../../lib/alerts/historySchema';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { requireScope, sessionOf } from '../http/access';
import { inScope } from '../http/scope';
import type { Server } from '../server';
import { isShown, visibleRows } from './history';
import { alertsInReach } from './listAlerts';
import { shownPatient } from './queries';

const dayMs = 86_400_000;
/** How long a budget serves everyone with the same reach, in milliseconds. */
const lastsMs = 30_000;
const maxKept = 100;

interface Computed extends Span {
  isShortened: boolean;
  budget: AlarmBudget;
}

/** Resolves with the alarm budget of the patients within the caller's reach. Rejects with 403. */
export type ReadAlarmBudget = (request: FastifyRequest, query: BudgetQuery) => Promise<Budget>;

/**
 * Creates the function that reads alarm budgets. A budget is computed once for all callers with the same reach, and
 * again when a patient moved or half a minute has passed.
 */
export function createAlarmBudgets(server: Server): ReadAlarmBudget {
  const kept = new Map<string, { at: number; computed: Promise<Computed> }>();
  return async (request, query) => {
    const { user } = sessionOf(request);
    const scope = requireScope(request, 'readAlerts', server.now());
    const key = JSON.stringify([scope, user.type === 'technician', query, server.liveState.rosterVersion(user.siteId)]);
    const at = server.elapsed();
    for (const [old, { at: when }] of kept) {
      if (at - when >= lastsMs || kept.size > maxKept) {
        kept.delete(old);
      }
    }
    let computed = kept.get(key)?.computed;
    if (computed === undefined) {
      computed = compute(server, request, query);
      kept.set(key, { at, computed });
      // A failure is not kept: the next caller tries again.
      computed.catch(() => kept.delete(key));
    }
    return present(server, await computed, user);
  };
}

async function compute(server: Server, request: FastifyRequest, { days, unitId }: BudgetQuery): Promise<Computed> {
  const { store, alerts, liveState, now } = server;
  const until = now();
  const scope = requireScope(request, 'readAlerts', until);
  const { siteId } = scope;
  const wanted = until - Number(days) * dayMs;
  const from = Math.min(until, Math.max(wanted, await readRulesSince(server, siteId)));
  const steps = budgetSteps({ from, until }, days === '1' ? 'hour' : 'day', alerts.timeZoneOf(siteId));
  const count = new AlarmBudgetCount(steps);
  const isCounted = isShown(server, alertsInReach(server, request, 'readAlerts'), unitId);
  for await (const rows of visibleRows({ store }, siteId, { from, to: until }, isCounted)) {
    for (const row of rows) {
      // A retrospective alert asked no one; one about a device is no patient's.
      if (row.patient_id !== null && row.is_retrospective === 0) {
        count.add({
          patientId: row.patient_id,
          rule: row.rule,
          priority: row.priority,
          raisedAt: row.raised_at,
          acknowledgedAt: row.acknowledged_at,
          acceptedAt: row.accepted_at,
          highestStep: row.highest_step,
        });
      }
    }
  }
  const stays = (await readStays(server, siteId, from)).filter(({ patientId }) => {
    const patient = liveState.patients.get(patientId);
    return patient !== undefined && inScope(scope, patient) && (unitId === undefined || patient.unit_id === unitId);
  });
  return { from, until, isShortened: from > wanted, budget: count.budget(stays) };
}

/** Since when alerts are raised: before, there were patients and no alerts, which is no quiet time. */
async function readRulesSince({ store, now }: Server, siteId: number): Promise<EpochMs> {
  const site = await store.db
    .selectFrom('sites')
    .select(['intended_use_accepted_at', 'is_demo', 'created_at'])
    .where('id', '=', siteId)
    .executeTakeFirst();
  return site === undefined ? now() : (site.intended_use_accepted_at ?? (site.is_demo === 1 ? site.created_at : now()));
}

/** The stays of a site that had not ended at `from`. */
async function readStays({ store }: Server, siteId: number, from: EpochMs): Promise<Stay[]> {
  const ofSite = store.db
    .selectFrom('patient_stays')
    .select(['patient_id', 'started_at', 'ended_at'])
    .where('site_id', '=', siteId);
  const rows = await ofSite
    .where('ended_at', 'is', null)
    .unionAll(ofSite.where('ended_at', '>', from))
    .execute();
  return rows.map(({ patient_id, started_at, ended_at }) => ({
    patientId: patient_id,
    from: started_at,
    until: ended_at,
  }));
}

function present(
  server: Server,
  { from, until, isShortened, budget }: Computed,
  user: Parameters<typeof shownPatient>[2],
): Budget {
  return {
    ...budget,
    from: toInstant(from),
    until: toInstant(until),
    isShortened,
    steps: budget.steps.map((step) => ({ ...step, from: toInstant(step.from), until: toInstant(step.until) })),
    noisiestPatients: budget.noisiestPatients.map((each) => ({
      ...each,
      patient: shownPatient(server, each.patientId, user),
    })),
  };
}
