import { Button } from 'antd';
import { useRouter } from 'next/router';
import { useRef } from 'react';
import { askForReport } from '../../hooks/issueReporting';
import { useFreeze } from '../../hooks/useFreeze';
import { useFrozenValue } from '../../hooks/useFrozenValue';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import type { CallInput } from '../../lib/browser/client';
import { keepPlaces } from '../../lib/keepPlaces';
import { paths } from '../../lib/paths';
import { severityWords } from '../../lib/reports/entryWords';
import { reportKinds } from '../../lib/reports/reportKinds';
import { reportStatuses } from '../../lib/reports/reportStatuses';
import type { ReportsResponse, ListedReport } from '../../lib/reports/schema';
import { serviceSeverities } from '../../lib/reports/serviceSeverities';
import { can } from '../../lib/session/can';
import { Age } from '../ui/Age';
import { AsyncView } from '../ui/AsyncView';
import { EmptyState } from '../ui/EmptyState';
import { ListSkeleton } from '../ui/ListSkeleton';
import { Pages } from '../ui/Pages';
import { PlainTable } from '../ui/PlainTable';
import { SelectField } from '../ui/SelectField';
import { onDemand } from '../ui/onDemand';
import type { ScreenProps } from '../ui/screenPage';
import { kindChoices, severityKeys, statusChoices } from './reportChoices';
import { reachedWords, reportPlace, reportTitle } from './reportRow';
import styles from './reports.module.css';
import { readReportsAddress, reportsParameters, type ReportsAddress } from './reportsAddress';

interface ReportsTableProps {
  items: readonly ListedReport[];
  /** A number while a user points at the list (`useFreeze`), else null. */
  frozen: number | null;
  now: number;
  timeZone: string;
  onOpen: (id: number, button: HTMLElement) => void;
}

const columns = ['No.', 'Severity', 'Title', 'Kind', 'Place', 'Status', 'Assignee', 'Age', 'Progress'];

/** One report a row. While someone points at them rows stay in their places; what they say is as new as the poll. */
function ReportsTable({ items, frozen, now, timeZone, onOpen }: ReportsTableProps) {
  const rows = keepPlaces(useFrozenValue(items, frozen), items, ({ id }) => id);
  return (
    <PlainTable className={styles.table} region="Issue reports" label="Issue reports" columns={columns}>
      {rows.map((report) => (
        <Row key={report.id} report={report} now={now} timeZone={timeZone} onOpen={onOpen} />
      ))}
    </PlainTable>
  );
}

function Row({
  report,
  now,
  timeZone,
  onOpen,
}: { report: ListedReport } & Omit<ReportsTableProps, 'items' | 'frozen'>) {
  const { id, severity, kind, status, assignee, alarm, isUnread } = report;
  const reached = reachedWords(report);
  return (
    <tr className="ant-table-row">
      <td className="ant-table-cell">{id}</td>
      <td className="ant-table-cell" title={severityWords(severity)}>
        {severity === 'S1' ? <strong>{severity}</strong> : severity}
        {alarm === 'open' || alarm === 'opening' ? <span className={styles.line}>alerting</span> : null}
      </td>
      <td className="ant-table-cell">
        <button
          type="button"
          className={styles.open}
          title={reportTitle(report)}
          onClick={({ currentTarget }) => onOpen(id, currentTarget)}
        >
          <span className="visually-hidden">{`Open report ${id}: `}</span>
          {isUnread ? <strong>News: </strong> : null}
          {reportTitle(report)}
        </button>
      </td>
      <td className="ant-table-cell">{reportKinds[kind]}</td>
      <td className="ant-table-cell">
        <span className={styles.cut} title={reportPlace(report)}>
          {reportPlace(report)}
        </span>
      </td>
      <td className="ant-table-cell">{reportStatuses[status]}</td>
      <td className="ant-table-cell">
        <span className={styles.cut}>{assignee?.name ?? 'No one yet'}</span>
      </td>
      <td className="ant-table-cell">
        <Age since={Date.parse(report.reportedAt)} now={now} timeZone={timeZone} />
      </td>
      <td className="ant-table-cell">
        {/* Two lines have room: the drawer has every step. */}
        <span className={styles.line} title={reached.join(', ')}>
          {reached.filter((_, at) => at === 0 || at === reached.length - 1).join(', ')}
        </span>
      </td>
    </tr>
  );
}

interface ReportFiltersProps {
  address: ReportsAddress;
  units: ReportsResponse['units'];
  /** Null: the user manages no reports. */
  assignees: ReportsResponse['assignees'] | null;
  /** The user files reports. */
  hasOwn: boolean;
  onChange: (change: Partial<ReportsAddress>) => void;
}

const statuses: { value: ReportsAddress['status']; label: string }[] = [
  { value: 'open', label: 'All open' },
  ...statusChoices,
  { value: 'all', label: 'All' },
];
const kinds: { value: ReportsAddress['kind']; label: string }[] = [{ value: '', label: 'All' }, ...kindChoices];
const severities: { value: ReportsAddress['severity']; label: string }[] = [
  { value: '', label: 'All' },
  ...severityKeys.map((value) => ({ value, label: `${value} ${serviceSeverities[value].label}` })),
];

/** Which reports are shown. All conditions must be true. */
function ReportFilters({ address, units, assignees, hasOwn, onChange }: ReportFiltersProps) {
  const { status, kind, severity, unit, assignee, mine } = address;
  return (
    <div className={styles.filters} role="search" aria-label="Filter reports">
      <SelectField label="Status" value={status} choices={statuses} onChange={(value) => onChange({ status: value })} />
      <SelectField label="Kind" value={kind} choices={kinds} onChange={(value) => onChange({ kind: value })} />
      <SelectField
        label="Service severity"
        value={severity}
        choices={severities}
        onChange={(value) => onChange({ severity: value })}
      />
      <SelectField
        label="Unit"
        value={unit}
        choices={withChosen(unit, [
          { value: '', label: 'All units' },
          ...units.map(({ id, name }) => ({ value: String(id), label: name })),
        ])}
        onChange={(value) => onChange({ unit: value })}
      />
      {assignees === null ? null : (
        <SelectField
          label="Assignee"
          value={assignee}
          choices={withChosen(assignee, [
            { value: '', label: 'Everyone' },
            { value: 'none', label: 'No one yet' },
            ...assignees.map(({ id, name }) => ({ value: String(id), label: name })),
          ])}
          onChange={(value) => onChange({ assignee: value })}
        />
      )}
      {hasOwn ? (
        <label className={styles.choice}>
          <input type="checkbox" checked={mine} onChange={({ target }) => onChange({ mine: target.checked })} />
          Only mine
        </label>
      ) : null}
    </div>
  );
}

/** Until the names are read, a number alone would be shown as one. */
function withChosen(value: string, choices: { value: string; label: string }[]): { value: string; label: string }[] {
  return choices.some((choice) => choice.value === value) ? choices : [...choices, { value, label: '…' }];
}

const ReportDetailDrawer = onDemand(() => import('./ReportDetailDrawer').then((module) => module.ReportDetailDrawer));

const pageSize = 25;
const everyMs = 15_000;

/** The issue reports that the user may see, the newest first. The address has the filters, and no name. */
export function ReportsScreen({ user, now: initialNow }: ScreenProps) {
  const router = useRouter();
  const address = readReportsAddress(router.query);
  const now = useNow(initialNow);
  const { frozen, handlers } = useFreeze();
  const response = useRead('listReports', { query: queryOf(address) }, { everyMs, keepPreviousData: true });
  const opener = useRef<HTMLElement | null>(null);
  const set = (change: Partial<ReportsAddress>): void => {
    const path = paths.reports(reportsParameters({ ...address, ...change }));
    void router.replace(path, undefined, { shallow: true, scroll: false });
  };
  const filter = (change: Partial<ReportsAddress>): void => set({ ...change, page: 1 });
  return (
    <div className={styles.screen}>
      <div className={styles.head}>
        <h1>Issue reports</h1>
        {can(user, 'fileReports') ? (
          <Button type="primary" onClick={() => askForReport({})}>
            Report issue
          </Button>
        ) : null}
      </div>
      <ReportFilters
        address={address}
        units={response.data?.units ?? []}
        assignees={can(user, 'manageReports') ? (response.data?.assignees ?? []) : null}
        hasOwn={can(user, 'fileReports')}
        onChange={filter}
      />
      <div {...handlers}>
        <AsyncView
          answer={response}
          isEmpty={({ total }) => total === 0}
          skeleton={<ListSkeleton label="Issue reports are loading" rows={8} />}
          empty={() => (
            <EmptyState title={address.status === 'open' ? 'No open reports' : 'No reports with these filters'}>
              <Button onClick={() => set(readReportsAddress({ status: 'all' }))}>Show all</Button>
            </EmptyState>
          )}
          timeZone={user.site.timeZone}
        >
          {({ items, total }) => (
            <>
              <ReportsTable
                key={JSON.stringify(queryOf(address))}
                items={items}
                frozen={frozen}
                now={now}
                timeZone={user.site.timeZone}
                onOpen={(id, button) => {
                  opener.current = button;
                  set({ id });
                }}
              />
              <Pages current={address.page} pageSize={pageSize} total={total} onPage={(page) => set({ page })} />
            </>
          )}
        </AsyncView>
      </div>
      {address.id === null ? null : (
        <ReportDetailDrawer
          key={address.id}
          id={address.id}
          user={user}
          now={initialNow}
          onClose={() => {
            set({ id: null });
            opener.current?.focus();
          }}
        />
      )}
    </div>
  );
}

function queryOf(address: ReportsAddress): NonNullable<CallInput<'listReports'>['query']> {
  const { status, kind, severity, unit, assignee, mine, page } = address;
  return {
    ...(status === 'all' ? {} : { status }),
    ...(kind === '' ? {} : { kind }),
    ...(severity === '' ? {} : { severity }),
    ...(unit === '' ? {} : { unitId: unit }),
    ...(assignee === '' ? {} : { assigneeId: assignee }),
    ...(mine ? { mine: 'true' } : {}),
    page,
    pageSize,
  };
}
