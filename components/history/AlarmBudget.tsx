import { Segmented } from 'antd';
import { useRead } from '../../hooks/useRead';
import type { HistoryAddress } from '../../lib/alerts/historyAddress';
import type { Budget } from '../../lib/alerts/historySchema';
import { ruleName } from '../../lib/alerts/ruleNames';
import { paths } from '../../lib/paths';
import { can } from '../../lib/session/can';
import { formatDayAndTime, zoneLabel } from '../../lib/time/formatTime';
import { AsyncView } from '../ui/AsyncView';
import { EmptyState } from '../ui/EmptyState';
import { Field } from '../ui/Field';
import { ListSkeleton } from '../ui/ListSkeleton';
import { patientName } from '../ui/PatientName';
import styles from './budget.module.css';
import { BudgetBars } from './BudgetBars';
import { BudgetTiles } from './BudgetTiles';
import history from './history.module.css';
import { UnitField, type FiltersProps } from './HistoryFilters';
import { Noisiest } from './Noisiest';
import { ResponseBars } from './ResponseBars';

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
        <Field label="Time" error={undefined}>
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
          <div className={styles.budget}>
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
