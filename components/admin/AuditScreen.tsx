import { Button } from 'antd';
import { useState } from 'react';
import { useRead } from '../../hooks/useRead';
import type { CallInput } from '../../lib/browser/client';
import { auditActions } from '../../lib/audit/actions';
import type { Permission } from '../../lib/session/permissions';
import type { User } from '../../lib/session/schema';
import { paths } from '../../lib/paths';
import { startOfDay } from '../../lib/time/startOfDay';
import { can } from '../../lib/session/can';
import { AsyncView } from '../ui/AsyncView';
import { EmptyState } from '../ui/EmptyState';
import { SelectField } from '../ui/SelectField';
import { TextField } from '../ui/TextField';
import { AdminNavigation } from './AdminNavigation';
import { AdminSkeleton } from './AdminSkeleton';
import styles from './admin.module.css';
import { AuditTable } from './AuditTable';

/** What the filter's controls hold; an empty text is no limit. Days are the site's. */
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

function questionOf({ from, to, actor, action, patientId }: Filter, timeZone: string): CallInput<'listAudit'>['query'] {
  const day = (date: string, after: number): string => new Date(startOfDay(date, timeZone, after)).toISOString();
  return {
    ...(from === '' ? {} : { from: day(from, 0) }),
    ...(to === '' ? {} : { to: day(to, 1) }),
    ...(actor === '' ? {} : { actor }),
    ...(action === '' ? {} : { action }),
    ...(patientId === '' ? {} : { patientId }),
  };
}

function whoseRows(permissions: readonly Permission[], type: User['type']): string {
  if (permissions.includes('exportAudit')) {
    return 'All actions at this site, newest first.';
  }
  return type === 'ward_lead'
    ? 'Actions on the patients of your units and your own actions, newest first.'
    : 'Your own actions, newest first.';
}

/** The record of who did what, as far as the user reads it. */
export function AuditScreen({ user }: { user: User }) {
  const { timeZone } = user.site;
  const [filter, setFilter] = useState(noFilter);
  // Where each page that was turned begins; the last one is shown.
  const [turned, setTurned] = useState<readonly string[]>([]);
  const question = questionOf(filter, timeZone);
  const before = turned.at(-1);
  const answer = useRead(
    'listAudit',
    { query: before === undefined ? question : { ...question, before } },
    { keepPreviousData: true },
  );
  const people = useRead('listAuditPeople', {}).data?.items ?? [];
  const set = (change: Partial<Filter>): void => {
    setFilter((held) => ({ ...held, ...change }));
    setTurned([]);
  };
  const field = (name: keyof Filter) => (value: string) => {
    set({ [name]: value });
  };

  return (
    <div className={styles.screen}>
      <AdminNavigation user={user} />
      <h1>Audit log</h1>
      <p className={styles.text}>{whoseRows(user.permissions, user.type)} Entries cannot be changed or deleted.</p>
      <div className={styles.filters}>
        <TextField
          label="From"
          name="from"
          type="date"
          value={filter.from}
          onChange={field('from')}
          error={undefined}
        />
        <TextField label="To" name="to" type="date" value={filter.to} onChange={field('to')} error={undefined} />
        <SelectField
          label="Person"
          name="actor"
          value={filter.actor}
          choices={[
            { value: '', label: 'Everybody' },
            ...people.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          onChange={field('actor')}
        />
        <SelectField
          label="What"
          name="action"
          value={filter.action}
          choices={actionChoices}
          onChange={field('action')}
        />
        <div className={styles.acts}>
          {filter.patientId === '' ? null : (
            <Button
              onClick={() => {
                set({ patientId: '' });
              }}
            >
              Patient {filter.patientId} only: show all
            </Button>
          )}
          {can(user, 'exportAudit') ? (
            <a
              className="ant-btn wardlight ant-btn-default ant-btn-color-default ant-btn-variant-outlined"
              href={paths.auditExport(question)}
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
        skeleton={<AdminSkeleton label="Audit log is loading" />}
        empty={() => (
          <EmptyState title="No entries match these filters">
            <Button
              onClick={() => {
                set(noFilter);
              }}
            >
              Show all entries
            </Button>
          </EmptyState>
        )}
        timeZone={timeZone}
      >
        {({ items, next }) => (
          <>
            <AuditTable
              entries={items}
              timeZone={timeZone}
              onPatient={(id) => {
                set({ patientId: String(id) });
              }}
            />
            <div className={styles.acts}>
              <Button
                disabled={turned.length === 0}
                onClick={() => {
                  setTurned(turned.slice(0, -1));
                }}
              >
                Newer
              </Button>
              <Button
                disabled={next === null}
                onClick={() => {
                  setTurned(next === null ? turned : [...turned, next]);
                }}
              >
                Older
              </Button>
            </div>
          </>
        )}
      </AsyncView>
    </div>
  );
}
