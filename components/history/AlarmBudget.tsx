import { Segmented } from 'antd';
import type { ReactNode } from 'react';
import { useRead } from '../../hooks/useRead';
import { leastHours } from '../../lib/alerts/alarmBudget';
import type { HistoryAddress } from '../../lib/alerts/historyAddress';
import type { Budget } from '../../lib/alerts/historySchema';
import { priorities, priorityLabels, totalOf, type Counts } from '../../lib/alerts/priority';
import { ruleName } from '../../lib/alerts/ruleNames';
import { paths } from '../../lib/paths';
import { can } from '../../lib/session/can';
import { formatDayAndTime, zoneLabel, formatDate, formatTime } from '../../lib/time/formatTime';
import { AsyncView } from '../ui/AsyncView';
import { EmptyState } from '../ui/EmptyState';
import { Field } from '../ui/Field';
import { ListSkeleton } from '../ui/ListSkeleton';
import { patientName } from '../ui/PatientName';
import { UnitField, type FiltersProps } from './HistoryFilters';
import { ResponseBars } from './ResponseBars';
import styles from './budget.module.css';
import history from './history.module.css';

/** "4.2", from 100 on "120". What is little and not 0 is "< 0.1". */
function rate(value: number): string {
  if (value > 0 && value < 0.05) {
    return '< 0.1';
  }
  return value >= 100 ? String(Math.round(value)) : value.toFixed(1);
}

/** "12 %"; what is unknown is "--". */
function percent(share: number | null): string {
  return share === null ? '--' : `${Math.round(share * 100)} %`;
}

interface NoisyItem {
  key: string;
  name: string;
  /** Where it is; empty: nothing more. */
  more: string;
  counts: Counts;
  share: number;
  perDay: number | null;
  /** Shows its alerts; null: the reader may not. */
  onShow: (() => void) | null;
}

/** Where the alerts come from, the most first; the bars are of one scale. */
function Noisiest({ title, items }: { title: string; items: readonly NoisyItem[] }) {
  const most = Math.max(...items.map(({ counts }) => totalOf(counts)), 1);
  return (
    <section className={styles.card} aria-label={title}>
      <h2>{title}</h2>
      {items.length === 0 ? <p className={history.quiet}>No alerts in this time.</p> : null}
      <ol className={styles.noisy}>
        {items.map(({ key, name, more, counts, share, perDay, onShow }) => (
          <li key={key}>
            <span className={styles.name}>
              {onShow === null ? (
                name
              ) : (
                <button type="button" className={styles.plain} onClick={onShow}>
                  {name}
                </button>
              )}
              {more === '' ? null : <span className={history.line}>{more}</span>}
            </span>
            <span className={styles.row} aria-hidden="true">
              {priorities
                .filter((priority) => counts[priority] > 0)
                .map((priority) => (
                  <span
                    key={priority}
                    className={styles[priority]}
                    style={{ width: `${(counts[priority] / most) * 100}%` }}
                  />
                ))}
            </span>
            <span className={styles.count}>
              {totalOf(counts)} <span className={history.quiet}>({percent(share)})</span>
              {perDay === null ? null : <span className={history.line}>{rate(perDay)} a day</span>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The numbers of the whole time. */
function BudgetTiles({ budget }: { budget: Budget }) {
  const { perDay, alerts, patients, patientDays, reachedStep2, topTenth } = budget;
  return (
    <dl className={styles.tiles}>
      <Tile label="Alerts per patient and day" value={perDay === null ? '--' : rate(totalOf(perDay))}>
        {perDay === null
          ? `Too little data: a rate needs ${leastHours} hours.`
          : priorities.map((priority) => `${priorityLabels[priority]} ${rate(perDay[priority])}`).join(' · ')}
      </Tile>
      <Tile label="Alerts" value={String(alerts)}>
        {`${patients} ${patients === 1 ? 'patient' : 'patients'}, ${rate(patientDays)} patient-days`}
      </Tile>
      <Tile label="Reached step 2" value={percent(reachedStep2)}>
        Of high and medium ones: the first two calls were not answered
      </Tile>
      <Tile label="From the noisiest tenth" value={percent(topTenth?.share ?? null)}>
        {topTenth === null
          ? 'No alerts'
          : `${topTenth.patients} ${topTenth.patients === 1 ? 'patient' : 'patients'} of ${patients}`}
      </Tile>
    </dl>
  );
}

function Tile({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    <div className={styles.tile}>
      <dt>{label}</dt>
      <dd className={styles.value}>{value}</dd>
      <dd className={styles.more}>{children}</dd>
    </div>
  );
}

interface BudgetBarsProps {
  budget: Pick<Budget, 'steps'>;
  /** A bar a day, of alerts per patient and day; else a bar an hour, of alerts. */
  isByDay: boolean;
  timeZone: string;
}

/** A bar for each hour or day. The alarm colours are for alarms: priorities are dark, medium and outlined here. */
function BudgetBars({ budget: { steps }, isByDay, timeZone }: BudgetBarsProps) {
  const bars = steps.map((step) => ({
    key: step.from,
    label: isByDay
      ? formatDate(Date.parse(step.from), timeZone).slice(0, 6)
      : formatTime(Date.parse(step.from), timeZone),
    parts: isByDay ? step.perDay : step.patientDays === 0 ? null : step.counts,
  }));
  const most = Math.max(...bars.map(({ parts }) => (parts === null ? 0 : totalOf(parts))), 0);
  const title = isByDay ? 'Alerts per patient and day' : 'Alerts by hour';
  const text = (value: number): string => (isByDay ? rate(value) : String(value));
  return (
    <section className={styles.card} aria-label={title}>
      <div className={styles.cardHead}>
        <h2>{title}</h2>
        <Legend />
      </div>
      <ol className={styles.bars} data-many={bars.length > 16 ? '' : undefined}>
        {bars.map(({ key, label, parts }, place) => (
          <li key={key}>
            <span className="visually-hidden">{`${label}: ${wordsOf(parts, text)}`}</span>
            <span className={styles.number} aria-hidden="true">
              {parts === null ? '--' : totalOf(parts) === 0 && !isByDay ? '' : text(totalOf(parts))}
            </span>
            <span className={parts === null ? `${styles.column} ${styles.unknown}` : styles.column} aria-hidden="true">
              {parts === null
                ? null
                : priorities
                    .filter((priority) => parts[priority] > 0)
                    .map((priority) => (
                      <span
                        key={priority}
                        className={styles[priority]}
                        style={{ height: `${(parts[priority] / most) * 100}%` }}
                      />
                    ))}
            </span>
            <span className={styles.label} aria-hidden="true">
              {bars.length > 16 && place % 3 !== 0 ? '' : label}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Legend() {
  return (
    <ul className={styles.legend}>
      {priorities.map((priority) => (
        <li key={priority}>
          <span className={`${styles.swatch} ${styles[priority]}`} aria-hidden="true" />
          {priorityLabels[priority]}
        </li>
      ))}
    </ul>
  );
}

function wordsOf(parts: Counts | null, text: (value: number) => string): string {
  return parts === null
    ? 'no patients'
    : priorities.map((priority) => `${priorityLabels[priority].toLowerCase()} ${text(parts[priority])}`).join(', ');
}

/** How often the numbers are read again, in milliseconds. */
const everyMs = 60_000;
const dayChoices = [
  { value: '1', label: '24 h' },
  { value: '7', label: '7 days' },
  { value: '14', label: '14 days' },
] as const;

/** How many alerts a patient has a day, how long they wait, and where they come from. */
export function AlarmBudget({ user, address, onChange }: FiltersProps) {
  const { timeZone } = user.site;
  const query = { days: address.days, ...(address.unit === '' ? {} : { unitId: address.unit }) };
  const answer = useRead('readAlarmBudget', { query }, { keepPreviousData: true, everyMs });
  return (
    <>
      <div className={history.filters}>
        <Field label="Time">
          {({ id }) => (
            <Segmented<HistoryAddress['days']>
              id={id}
              className={history.choice}
              aria-label="Time"
              value={address.days}
              options={[...dayChoices]}
              onChange={(days) => onChange({ days })}
            />
          )}
        </Field>
        {can(user, 'readPatients') ? <UnitField address={address} onChange={onChange} /> : null}
        <a
          className="ant-btn wardlight ant-btn-default ant-btn-color-default ant-btn-variant-outlined"
          href={paths.alarmBudgetExport(query)}
          download
        >
          Export as CSV
        </a>
      </div>
      <AsyncView
        answer={answer}
        isEmpty={({ alerts, patients }) => alerts === 0 && patients === 0}
        skeleton={<ListSkeleton label="The alarm budget is loading" rows={8} />}
        empty={(budget) => (
          <EmptyState title="No patients in this time">
            <p className={history.quiet}>{spanWords(budget, timeZone)}</p>
          </EmptyState>
        )}
        timeZone={timeZone}
      >
        {(budget) => (
          <div className="stack">
            <p className={history.quiet}>{spanWords(budget, timeZone)}</p>
            <BudgetTiles budget={budget} />
            <BudgetBars budget={budget} isByDay={address.days !== '1'} timeZone={timeZone} />
            <ResponseBars responses={budget.responses} />
            <div className={styles.pair}>
              <Noisiest
                title="Noisiest patients"
                items={budget.noisiestPatients.map(({ patientId, patient, counts, share, perDay }) => ({
                  key: String(patientId),
                  name: patient === null ? 'Name not shown' : patientName(patient),
                  more: patient === null ? '' : [patient.bed, patient.unit].filter((part) => part !== null).join(', '),
                  counts,
                  share,
                  perDay,
                  onShow: patient === null ? null : () => onChange({ view: 'history', patient: String(patientId) }),
                }))}
              />
              <Noisiest
                title="Noisiest rules"
                items={budget.noisiestRules.map(({ rule, counts, share }) => ({
                  key: rule,
                  name: ruleName(rule),
                  more: '',
                  counts,
                  share,
                  perDay: null,
                  onShow: () => onChange({ view: 'history', rule }),
                }))}
              />
            </div>
          </div>
        )}
      </AsyncView>
    </>
  );
}

/** "16 Nov, 10:20 to 23 Nov, 10:20 GMT". */
function spanWords({ from, until, isShortened }: Budget, timeZone: string): string {
  const end = Date.parse(until);
  const span = `${formatDayAndTime(Date.parse(from), timeZone)} to ${formatDayAndTime(end, timeZone)}`;
  const why = isShortened ? '. Alerts are raised only since then.' : '';
  return `${span} ${zoneLabel(end, timeZone)}${why}`;
}
