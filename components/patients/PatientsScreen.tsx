import { useRouter } from 'next/router';
import { useState, type ReactNode } from 'react';
import { useNotedSamples, useShownValues } from '../../hooks/PageValuesProvider';
import { usePatients } from '../../hooks/usePatients';
import { paths } from '../../lib/paths';
import type { Patient, PatientsPage } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { can } from '../../lib/session/can';
import { AsyncView } from '../ui/AsyncView';
import { onDemand } from '../ui/onDemand';
import { Pages } from '../ui/Pages';
import { useListPreferences } from './listPreferences';
import { NotReporting } from './NotReporting';
import { PatientsEmpty } from './PatientsEmpty';
import styles from './PatientsScreen.module.css';
import { ListSkeleton } from '../ui/ListSkeleton';
import { PatientsTable } from './PatientsTable';
import { PatientsToolbar } from './PatientsToolbar';
import { listingOf, patientsViewPath, readPatientsView, type PatientsView } from './patientsUrl';
import { PatientsViews } from './PatientsViews';
import { PrintHeading } from './PrintHeading';
import { useReturnToView } from './useReturnToView';

// The drawer and the schemas of its form are not needed to paint the list.
const AddPatientDrawer = onDemand(() => import('./AddPatientDrawer').then((module) => module.AddPatientDrawer));

interface PatientsScreenProps {
  user: User;
  /** The server's time when the page was made, epoch milliseconds. */
  now: number;
  /** The page of the list that came with the first paint. */
  firstPage: PatientsPage;
}

const pageSizes = [25, 50, 100, 500];
const noPatients: readonly Patient[] = [];

/** The patients of the site: search, sort, select, add. The address holds the view, but never the searched text. */
export function PatientsScreen({ user, now, firstPage }: PatientsScreenProps) {
  useShownValues();
  const router = useRouter();
  const view = readPatientsView(router.query);
  const [text, setText] = useState('');
  const [selectedIds, setSelectedIds] = useState<readonly number[]>([]);
  const [isAdding, setIsAdding] = useState(false);
  const [message, setMessage] = useState('');
  const [preferences, prefer] = useListPreferences(user.id);
  useReturnToView(user.id);
  const response = usePatients({ ...listingOf(view), text }, firstPage);

  // While another page of the list loads, the last one stays, dimmed, so that nothing jumps.
  const [last, setLast] = useState(response.data);
  if (response.data !== undefined && response.data !== last) {
    setLast(response.data);
  }
  const isTurning = response.isLoading && last !== undefined;
  const shown = isTurning ? { ...response, data: last } : response;
  useNotedSamples(response.data?.items ?? noPatients);

  const show = (change: Partial<PatientsView>): void => {
    const wanted = { ...view, page: 1, ...change };
    setMessage('');
    prefer({ view: wanted });
    void router.push(patientsViewPath(wanted), undefined, { shallow: true, scroll: false });
  };
  const search = (wanted: string): void => {
    setText(wanted);
    if (view.page !== 1) {
      show({});
    }
  };
  const showAll = (): void => {
    setText('');
    show({ view: 'all', unit: undefined, bed: undefined, mine: false, state: 'active' });
  };
  const add = can(user, 'writePatients')
    ? (): void => {
        setMessage('');
        setIsAdding(true);
      }
    : undefined;
  const isFiltered =
    text !== '' ||
    view.unit !== undefined ||
    view.bed !== undefined ||
    view.mine ||
    view.state !== 'active' ||
    view.view !== 'all';

  const table = (patients: Patient[]): ReactNode => (
    <div className={styles.table} data-hidden={preferences.hidden.join(' ')}>
      <PatientsTable
        patients={patients}
        sort={view.sort}
        onSort={(sort) => {
          show({ sort });
        }}
        selectedIds={selectedIds}
        onSelect={setSelectedIds}
        initialNow={now}
        timeZone={user.site.timeZone}
      />
    </div>
  );

  return (
    <div className={styles.screen}>
      <h1>Patients</h1>
      <PatientsViews
        userId={user.id}
        look={{ view, hidden: preferences.hidden }}
        units={last?.units ?? []}
        onView={show}
        onHide={(hidden) => {
          prefer({ hidden });
        }}
      />
      <PatientsToolbar
        text={text}
        onText={search}
        unit={view.unit}
        units={last?.units ?? []}
        onUnit={(unit) => {
          show({ unit, bed: undefined });
        }}
        bed={view.bed}
        beds={last?.beds ?? []}
        onBed={(bed) => {
          show({ bed });
        }}
        state={view.state}
        onState={(state) => {
          show({ view: 'all', state });
        }}
        selectedCount={selectedIds.length}
        onClearSelection={() => {
          setSelectedIds([]);
        }}
        onCheck={() => {
          void router.push(paths.patientDetails(selectedIds));
        }}
        onAdd={add}
      />
      <div role="status" className={message === '' ? undefined : styles.message}>
        {message}
      </div>
      <AsyncView
        answer={shown}
        isEmpty={({ items }) => items.length === 0}
        skeleton={<ListSkeleton label="Patients are loading" />}
        empty={({ total }) => (
          <PatientsEmpty
            because={total > 0 ? 'page' : isFiltered ? 'filter' : 'none'}
            user={text === '' ? undefined : user}
            onShowAll={showAll}
            onFirstPage={() => {
              show({});
            }}
            onAdd={add}
          />
        )}
        timeZone={user.site.timeZone}
      >
        {({ items, total }) => (
          <div className={isTurning ? styles.turning : undefined} aria-busy={isTurning}>
            <PrintHeading
              site={user.site}
              view={view}
              shown={items.length}
              total={total}
              asOf={response.asOf ?? now}
              initialNow={now}
            />
            {view.view === 'not_reporting' ? (
              <NotReporting patients={items} total={total} initialNow={now} onShowAll={showAll}>
                {table}
              </NotReporting>
            ) : (
              <>
                {table(items)}
                <Pages
                  className={styles.pages}
                  current={view.page}
                  pageSize={view.pageSize}
                  total={total}
                  sizes={pageSizes}
                  onPage={(page) => {
                    show({ page });
                  }}
                  onSize={(pageSize) => {
                    show({ pageSize });
                  }}
                />
              </>
            )}
          </div>
        )}
      </AsyncView>
      {isAdding ? (
        <AddPatientDrawer
          onClose={() => {
            setIsAdding(false);
          }}
          onAdded={(name) => {
            setIsAdding(false);
            setMessage(`${name} was added.`);
          }}
          user={user}
        />
      ) : null}
    </div>
  );
}
