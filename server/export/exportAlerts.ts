import { sql } from 'kysely';
import type { AlertEvent } from '../../lib/alerts/alert';
import { alertEvent } from '../../lib/alerts/alertFacts';
import type { HistoryItem } from '../../lib/alerts/historySchema';
import { outcomeLabels } from '../../lib/alerts/outcomeLabels';
import { ruleName } from '../../lib/alerts/ruleNames';
import type { CsvCell } from '../../lib/csvLine';
import { readJson } from '../../lib/readJson';
import type { EpochMs } from '../../lib/time/epochMs';
import { presentHistory, type HistoryRow } from '../alerts/history';
import { readNames } from '../users/readNames';
import { timeCells, timeColumns, yesNo, type Exported, type ExportedKind } from './exportedKind';

/** Alerts are JSON of some kilobytes each. */
const alertsAtOnce = 50;

/**
 * The alerts by the time of their first raise, with who acknowledged, accepted and resolved them: each the first time,
 * unless that was taken back.
 */
export const exportAlerts: ExportedKind = {
  columns: [
    'alert_id',
    'priority',
    'rule',
    'rule_name',
    'sentence',
    'condition',
    ...timeColumns('condition_began'),
    ...timeColumns('condition_ended'),
    ...timeColumns('raised'),
    'found_in_retrospect',
    'last_step_asked',
    ...timeColumns('acknowledged'),
    'acknowledged_by',
    ...timeColumns('accepted'),
    'accepted_by',
    ...timeColumns('resolved'),
    'resolved_by',
    'outcome',
    'outcome_note',
    ...timeColumns('closed'),
    'closed_because',
  ],
  estimate: async (exported) => {
    const { alerts } = await alertsOf(exported)
      .select((select) => select.fn.countAll<number>().as('alerts'))
      .executeTakeFirstOrThrow();
    return Number(alerts);
  },
  async *rows(exported) {
    let behind: HistoryRow | undefined;
    do {
      const rows: HistoryRow[] = await readAlerts(exported, behind);
      yield await present(exported, rows);
      behind = rows.length < alertsAtOnce ? undefined : rows.at(-1);
    } while (behind !== undefined);
  },
};

function alertsOf({ server: { store }, patient, from, to }: Exported) {
  return store.db
    .selectFrom('alert_history')
    .where('patient_id', '=', patient.id)
    .where('raised_at', '>=', from)
    .where('raised_at', '<', to);
}

async function readAlerts(exported: Exported, behind: HistoryRow | undefined): Promise<HistoryRow[]> {
  const alerts = alertsOf(exported);
  return await (
    behind === undefined
      ? alerts
      : alerts.where(sql<boolean>`(raised_at, alert_id) > (${behind.raised_at}, ${behind.alert_id})`)
  )
    .selectAll()
    .orderBy('raised_at')
    .orderBy('alert_id')
    .limit(alertsAtOnce)
    .execute();
}

async function present(exported: Exported, rows: readonly HistoryRow[]): Promise<CsvCell[][]> {
  const { server, request } = exported;
  const items = new Map((await presentHistory(server, request, rows)).map((item) => [item.id, item]));
  const acts = await readActs(exported, rows);
  const userIds = [...acts.values()].flat().map(({ by }) => by);
  const nameOf = await readNames(server.store.db, userIds);
  return rows.flatMap((row) => {
    const item = items.get(row.alert_id);
    return item === undefined
      ? []
      : [lineOf(exported, row, item, acts.get(row.alert_id) ?? [], (id) => nameOf(id).name)];
  });
}

type Act = Extract<AlertEvent, { is: 'acknowledged' | 'accepted' | 'resolved' }>;

/** Resolves with the lines of the logs that say who acknowledged, accepted and resolved, by alert, oldest first. */
async function readActs({ server: { store } }: Exported, rows: readonly HistoryRow[]): Promise<Map<number, Act[]>> {
  const found = new Map<number, Act[]>();
  const ids = rows.map(({ alert_id }) => alert_id);
  if (ids.length === 0) {
    return found;
  }
  const events = await store.db
    .selectFrom('alert_events')
    .select(['alert_id', 'event'])
    .where('alert_id', 'in', ids)
    .orderBy('id')
    .execute();
  for (const { alert_id, event } of events) {
    // A line that an other release wrote and this one cannot read names no one here; the row says when it was.
    const read = readJson(alertEvent, event);
    if (read?.is === 'acknowledged' || read?.is === 'accepted' || read?.is === 'resolved') {
      found.set(alert_id, [...(found.get(alert_id) ?? []), read]);
    }
  }
  return found;
}

function lineOf(
  exported: Exported,
  row: HistoryRow,
  item: HistoryItem,
  acts: readonly Act[],
  nameOf: (id: number) => string,
): CsvCell[] {
  const instant = (text: string | null): CsvCell[] => timeCells(exported, text === null ? null : Date.parse(text));
  const byAt = (is: Act['is'], at: EpochMs | null): CsvCell => {
    const act = acts.find((one) => one.is === is && one.at === at);
    return act === undefined ? null : nameOf(act.by);
  };
  const resolved = acts.findLast((act) => act.is === 'resolved');
  return [
    item.id,
    item.priority,
    item.rule,
    ruleName(item.rule),
    item.sentence,
    item.condition,
    ...instant(item.startedAt),
    ...instant(item.endedAt),
    ...timeCells(exported, row.raised_at),
    yesNo(row.is_retrospective === 1),
    item.highestStep,
    ...timeCells(exported, row.acknowledged_at),
    byAt('acknowledged', row.acknowledged_at),
    ...timeCells(exported, row.accepted_at),
    byAt('accepted', row.accepted_at),
    ...timeCells(exported, resolved?.at ?? null),
    resolved === undefined ? null : nameOf(resolved.by),
    item.outcome === null ? null : outcomeLabels[item.outcome],
    resolved?.note === undefined || resolved.note === '' ? null : resolved.note,
    ...instant(item.closedAt),
    item.closedBecause,
  ];
}
