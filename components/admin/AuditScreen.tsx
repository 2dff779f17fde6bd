import { Button } from 'antd';
import { useState } from 'react';
import { useRead } from '../../hooks/useRead';
import { auditActions } from '../../lib/audit/actions';
import { moreText, whatText, type AuditSite } from '../../lib/audit/auditText';
import type { AuditEntry } from '../../lib/audit/schema';
import type { CallInput } from '../../lib/browser/client';
import { paths } from '../../lib/paths';
import { can } from '../../lib/session/can';
import type { Permission } from '../../lib/session/permissions';
import type { User } from '../../lib/session/schema';
import { formatDateAndSeconds } from '../../lib/time/formatTime';
import { startOfDay } from '../../lib/time/startOfDay';
import { AsyncView } from '../ui/AsyncView';
import { DayField } from '../ui/DayPicker';
import { EmptyState } from '../ui/EmptyState';
import { FilterField } from '../ui/FilterField';
import { ListSkeleton } from '../ui/ListSkeleton';
import { AdminNavigation } from './AdminNavigation';
import { AdminTable } from './AdminTable';
import styles from './admin.module.css';

interface AuditTableProps {
  entries: readonly AuditEntry[];
  site: AuditSite;
  /** Shows only the entries about one patient. */
  onPatient: (id: number) => void;
}

const columns = ['When', 'Who', 'What', 'About', 'More', 'Address'];
const unnamed = {
  // Those of the reader's site have a name.
  user: 'A user of another site',
  device: 'A device',
  system: 'Wardlight itself',
  anonymous: 'Not signed in',
} as const satisfies Record<AuditEntry['actor'], string>;

/** The audit log, one action a row. */
function AuditTable({ entries, site, onPatient }: AuditTableProps) {
  const { timeZone } = site;
  return (
    <AdminTable label="Audit log" columns={columns} region="The record">
      {entries.map((entry) => (
        <tr key={entry.id} className="ant-table-row">
          <td className={`ant-table-cell ${styles.fixed}`}>{formatDateAndSeconds(Date.parse(entry.at), timeZone)}</td>
          <td className="ant-table-cell">{entry.actorName ?? unnamed[entry.actor]}</td>
          <td className="ant-table-cell">{whatText(entry, site)}</td>
          <td className="ant-table-cell">
            <About entry={entry} onPatient={onPatient} />
          </td>
          <td className="ant-table-cell">{moreText(entry)}</td>
          <td className={`ant-table-cell ${styles.fixed}`}>{entry.ip ?? ''}</td>
        </tr>
      ))}
    </AdminTable>
  );
}

/** The audit log stores no names: this is the name as it is now, or the id of what has none. */
function About({
  entry: { objectType, objectId, about },
  onPatient,
}: {
  entry: AuditEntry;
  onPatient: (id: number) => void;
}) {
  if (objectType === null || objectId === null) {
    return null;
  }
  if (objectType !== 'patient') {
    return about ?? `${objectType} ${objectId}`;
  }
  return (
    <button
      type="button"
      className={styles.plain}
      title="Show only entries about this patient"
      onClick={() => onPatient(objectId)}
    >
      {about ?? `patient ${objectId}`}
    </button>
  );
}

/** The values of the filter's controls. An empty text filters nothing. Days are calendar days of the site. */
interface Filter {
  from: string;
  to: string;
  actor: string;
  action: string;
  patientId: string;
}
const noFilter: Filter = { from: '', to: '', actor: '', action: '', patientId: '' };

const actionChoices = [
  { value: '', label: 'Everything' },
  ...Object.entries(auditActions)
    .map(([value, label]) => ({ value, label }))
    .toSorted((a, b) => a.label.localeCompare(b.label)),
];

function queryOf({ from, to, actor, action, patientId }: Filter, timeZone: string): CallInput<'listAudit'>['query'] {
  const day = (date: string, after: number): string => new Date(startOfDay(date, timeZone, after)).toISOString();
  return {
    ...(from === '' ? {} : { from: day(from, 0) }),
    ...(to === '' ? {} : { to: day(to, 1) }),
    ...(actor === '' ? {} : { actor }),
    ...(action === '' ? {} : { action }),
    ...(patientId === '' ? {} : { patientId }),
  };
}

/** Says whose actions the list contains. */
function scopeText(permissions: readonly Permission[], type: User['type']): string {
  if (permissions.includes('exportAudit')) {
    return 'All actions at this site, newest first.';
  }
  return type === 'ward_lead'
    ? 'Actions on the patients of your units and your own actions, newest first.'
    : 'Your own actions, newest first.';
}

/** The audit log, as far as the user may read it. */
export function AuditScreen({ user }: { user: User }) {
  const { timeZone } = user.site;
  // This page shows antd's fields, so it does not wait for the end of the load.
  const [filter, setFilter] = useState(noFilter);
  // Where each older page begins. The last one is shown.
  const [pageStarts, setPageStarts] = useState<readonly string[]>([]);
  const query = queryOf(filter, timeZone);
  const before = pageStarts.at(-1);
  const answer = useRead(
    'listAudit',
    { query: before === undefined ? query : { ...query, before } },
    { keepPreviousData: true },
  );
  const people = useRead('listAuditPeople', {}).data?.items ?? [];
  const set = (change: Partial<Filter>): void => {
    setFilter((current) => ({ ...current, ...change }));
    setPageStarts([]);
  };
  const field = (name: keyof Filter) => (value: string) => {
    set({ [name]: value });
  };

  return (
    <div className={styles.screen}>
      <AdminNavigation user={user} />
      <h1>Audit log</h1>
      <p className={styles.text}>{scopeText(user.permissions, user.type)} Entries cannot be changed or deleted.</p>
      <div className={styles.filters}>
        <DayField label="From" site={user.site} value={filter.from} onChange={field('from')} />
        <DayField label="To" site={user.site} value={filter.to} onChange={field('to')} />
        <FilterField
          label="Person"
          isLong
          value={filter.actor}
          options={[
            { value: '', label: 'Everyone' },
            ...people.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          onChange={field('actor')}
        />
        <FilterField label="What" isLong value={filter.action} options={actionChoices} onChange={field('action')} />
        <div className={styles.actions}>
          {filter.patientId === '' ? null : (
            <Button onClick={() => set({ patientId: '' })}>Patient {filter.patientId} only: show all</Button>
          )}
          {can(user, 'exportAudit') ? (
            <a
              className="ant-btn wardlight ant-btn-default ant-btn-color-default ant-btn-variant-outlined"
              href={paths.auditExport(query)}
              download
            >
              Export as CSV
            </a>
          ) : null}
        </div>
      </div>
      <AsyncView
        answer={answer}
        isEmpty={({ items }) => items.length === 0}
        skeleton={<ListSkeleton label="Audit log is loading" rows={5} />}
        empty={() => (
          <EmptyState title="No entries match these filters">
            <Button onClick={() => set(noFilter)}>Show all entries</Button>
          </EmptyState>
        )}
        timeZone={timeZone}
      >
        {({ items, next }) => (
          <>
            <AuditTable entries={items} site={user.site} onPatient={(id) => set({ patientId: String(id) })} />
            <div className={styles.actions}>
              <Button disabled={pageStarts.length === 0} onClick={() => setPageStarts(pageStarts.slice(0, -1))}>
                Previous Page
              </Button>
              <Button
                disabled={next === null}
                onClick={() => setPageStarts(next === null ? pageStarts : [...pageStarts, next])}
              >
                Next Page
              </Button>
            </div>
          </>
        )}
      </AsyncView>
    </div>
  );
}
