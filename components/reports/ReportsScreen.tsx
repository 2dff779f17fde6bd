import { Button } from 'antd';
import { useRouter } from 'next/router';
import { useRef } from 'react';
import { askForReport } from '../../hooks/issueReporting';
import { useFreeze } from '../../hooks/useFreeze';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import type { CallInput } from '../../lib/browser/client';
import { paths } from '../../lib/paths';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { AsyncView } from '../ui/AsyncView';
import { EmptyState } from '../ui/EmptyState';
import { ListSkeleton } from '../ui/ListSkeleton';
import { onDemand } from '../ui/onDemand';
import { Pages } from '../ui/Pages';
import { ReportFilters } from './ReportFilters';
import styles from './reports.module.css';
import { readReportsAddress, reportsParameters, type ReportsAddress } from './reportsAddress';
import { ReportsTable } from './ReportsTable';

const ReportDetailDrawer = onDemand(() => import('./ReportDetailDrawer').then((module) => module.ReportDetailDrawer));

const pageSize = 25;
const everyMs = 15_000;

interface ReportsScreenProps {
  user: User;
  /** The server's time when the page was made, epoch milliseconds. */
  now: number;
}

/** The issue reports that the user may see, the newest first. The address has the filters, and no name. */
export function ReportsScreen({ user, now: initialNow }: ReportsScreenProps) {
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
  const { refresh } = response;
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
          answer={{ ...response, refresh: () => void refresh() }}
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
