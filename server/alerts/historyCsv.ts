import { fullName } from '../../lib/patients/fullName';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { ruleName } from '../../lib/alerts/ruleNames';
import type { Budget, HistoryItem } from '../../lib/alerts/historySchema';
import { priorities } from '../../lib/alerts/priority';
import { csvHead, csvLine, type CsvCell } from '../../lib/csvLine';
import { markTrial } from '../../lib/patients/markTrial';
import { inParts } from '../db/inParts';
import type { Server } from '../server';
import { presentHistory, visibleRows, type HistoryRow, type RowFilter } from './history';

/** Alerts are JSON of some kilobytes each: after so many of them others have the thread. */
const alertsAtOnce = 25;

/** Each column by its name, with what it says of an alert. */
const columns: Readonly<Record<string, (item: HistoryItem) => CsvCell>> = {
  alert: ({ id }) => id,
  raised_at: ({ raisedAt }) => raisedAt,
  priority: ({ priority }) => priority,
  rule: ({ rule }) => rule,
  rule_name: ({ rule }) => ruleName(rule),
  patient_id: ({ patientId }) => patientId,
  mrn: ({ patient }) => patient?.mrn ?? null,
  family_name: ({ patient }) => patient?.familyName ?? null,
  given_name: ({ patient }) => patient?.givenName ?? null,
  unit: ({ patient }) => patient?.unit ?? null,
  bed: ({ patient }) => patient?.bed ?? null,
  device: ({ deviceName }) => deviceName,
  sentence: ({ sentence }) => sentence,
  condition: ({ condition }) => condition,
  condition_began_at: ({ startedAt }) => startedAt,
  condition_ended_at: ({ endedAt }) => endedAt,
  acknowledged_at: ({ acknowledgedAt }) => acknowledgedAt,
  seconds_to_acknowledge: ({ raisedAt, acknowledgedAt }) => secondsBetween(raisedAt, acknowledgedAt),
  accepted_at: ({ acceptedAt }) => acceptedAt,
  seconds_to_accept: ({ raisedAt, acceptedAt }) => secondsBetween(raisedAt, acceptedAt),
  last_step_asked: ({ highestStep }) => highestStep,
  outcome: ({ outcome }) => outcome,
  closed_at: ({ closedAt }) => closedAt,
  closed_because: ({ closedBecause }) => closedBecause,
  is_trial: ({ patient }) => (patient === null ? null : Number(patient.isTrial)),
};

/**
 * Yields the alerts that a reader may see as a CSV file, newest first, times in UTC. What is not known is empty. Reads
 * them in parts while the file is sent.
 */
export async function* historyCsv(
  server: Server,
  request: FastifyRequest,
  siteId: number,
  filter: RowFilter,
  isVisible: (row: HistoryRow) => boolean,
): AsyncGenerator<string> {
  yield csvHead(Object.keys(columns));
  const cellsOf = Object.values(columns);
  for await (const rows of visibleRows(server, siteId, filter, isVisible)) {
    for (const part of inParts(rows, alertsAtOnce)) {
      const items = await presentHistory(server, request, part);
      yield items.map((item) => csvLine(cellsOf.map((of) => of(item)))).join('');
      await turn();
    }
  }
}

function secondsBetween(from: string, until: string | null): number | null {
  const ms = until === null ? -1 : Date.parse(until) - Date.parse(from);
  return ms < 0 ? null : ms / 1_000;
}

/** Returns an alarm budget as a CSV file of one number a line. What is not known is empty. */
export function budgetCsv(budget: Budget): string {
  const { from, until } = budget;
  const line = (
    measure: string,
    value: number | null,
    unit: string,
    more: { priority?: string; patientId?: number; about?: string; from?: string; until?: string } = {},
  ): string =>
    csvLine([
      more.from ?? from,
      more.until ?? until,
      measure,
      more.priority ?? null,
      more.patientId ?? null,
      more.about ?? null,
      value,
      unit,
    ]);
  const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);
  return [
    csvHead(['from', 'until', 'measure', 'priority', 'patient_id', 'about', 'value', 'unit']),
    line('patients', budget.patients, 'patients'),
    line('patient-days', budget.patientDays, 'days'),
    ...priorities.flatMap((priority) => {
      const { alerts, acknowledged, accepted, reachedStep2 } = budget.responses[priority];
      return [
        line('alerts', alerts, 'alerts', { priority }),
        line('alerts per patient and day', budget.perDay?.[priority] ?? null, 'per day', { priority }),
        line('acknowledged', acknowledged.count, 'alerts', { priority }),
        line('time to acknowledge, median', seconds(acknowledged.medianMs), 's', { priority }),
        line('time to acknowledge, 90 %', seconds(acknowledged.p90Ms), 's', { priority }),
        line('accepted', accepted.count, 'alerts', { priority }),
        line('time to accept, median', seconds(accepted.medianMs), 's', { priority }),
        line('time to accept, 90 %', seconds(accepted.p90Ms), 's', { priority }),
        line('reached step 2', reachedStep2, 'alerts', { priority }),
      ];
    }),
    line('high and medium that reached step 2', budget.reachedStep2, 'share'),
    line('from the noisiest tenth of patients', budget.topTenth?.share ?? null, 'share'),
    ...budget.steps.flatMap((step) =>
      priorities.flatMap((priority) => [
        line('alerts', step.counts[priority], 'alerts', { priority, from: step.from, until: step.until }),
        line('alerts per patient and day', step.perDay?.[priority] ?? null, 'per day', {
          priority,
          from: step.from,
          until: step.until,
        }),
      ]),
    ),
    ...budget.noisiestPatients.flatMap(({ patientId, patient, counts, perDay }) => {
      const about =
        patient === null
          ? undefined
          : markTrial(`${fullName(patient.familyName, patient.givenName)} (${patient.mrn})`, patient);
      return [
        ...priorities.map((priority) =>
          line('alerts of a patient', counts[priority], 'alerts', { priority, patientId, about }),
        ),
        line('alerts of a patient a day', perDay, 'per day', { patientId, about }),
      ];
    }),
    ...budget.noisiestRules.flatMap(({ rule, counts }) =>
      priorities.map((priority) => line('alerts of a rule', counts[priority], 'alerts', { priority, about: rule })),
    ),
  ].join('');
}
