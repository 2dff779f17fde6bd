import { useRouter } from 'next/router';
import { useEffect, useMemo, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { useNotedSamples, useShownValues } from '../../hooks/PageValuesProvider';
import { createHeldRows } from '../../hooks/heldRows';
import { useRowsHeldForTour } from '../../hooks/tourSignals';
import { useFreeze } from '../../hooks/useFreeze';
import { useNow } from '../../hooks/useNow';
import { useOwnNotes } from '../../hooks/useOwnNotes';
import { patientsKey, usePatients, type ListedPatient } from '../../hooks/usePatients';
import { keepListPlace } from '../../lib/browser/listPlace';
import { paths } from '../../lib/paths';
import { reportingStateOf } from '../../lib/patients/groupByReporting';
import type { Patient, PatientsPage } from '../../lib/patients/schema';
import { can } from '../../lib/session/can';
import { IgnoredClick } from '../alerts/IgnoredClick';
import { useMoveGuard } from '../alerts/useMoveGuard';
import { AsyncView } from '../ui/AsyncView';
import { ListSkeleton } from '../ui/ListSkeleton';
import { Pages } from '../ui/Pages';
import { antdOnDemand } from '../ui/antdOnDemand';
import type { ScreenProps } from '../ui/screenPage';
import { PatientsEmpty } from './PatientsEmpty';
import styles from './PatientsScreen.module.css';
import { PatientsTable } from './PatientsTable';
import { PatientsToolbar } from './PatientsToolbar';
import { PatientsViews } from './PatientsViews';
import { PrintHeading } from './PrintHeading';
import { SlotPlace } from './SlotPlace';
import { useListPreferences } from './listPreferences';
import { listingOf, patientsViewPath, standardView, type PatientsView } from './patientsUrl';
import { useFrozenRows } from './useFrozenRows';
import { useListView } from './useListView';

interface NotReportingProps {
  patients: readonly ListedPatient[];
  /** How many the query found; one response holds 500 of them. */
  total: number;
  /** While the list holds still (`useFreeze`), no one joins or leaves it. */
  frozen: number | null;
  initialNow: number;
  onShowAll: () => void;
  children: (patients: ListedPatient[]) => ReactNode;
}

/**
 * The patients whose SpO2 does not arrive. Evaluated in the page each second, because a silence begins without a
 * response.
 */
function NotReporting({ patients, total, frozen, initialNow, onShowAll, children }: NotReportingProps) {
  const now = useNow(initialNow);
  const silent = patients.filter(
    ({ latest, isGone }) => isGone !== true && reportingStateOf(latest.spo2, now) !== 'reporting',
  );
  const [kept, setKept] = useState<{ frozen: number | null; ids: ReadonlySet<number> } | null>(null);
  if (kept === null || kept.frozen !== frozen) {
    setKept({ frozen, ids: new Set(silent.map(({ id }) => id)) });
  }
  const isHeld = frozen !== null && kept?.frozen === frozen;
  const found = isHeld ? patients.filter(({ id }) => kept.ids.has(id)) : silent;
  const rest = total - patients.length;
  return (
    <>
      <p role="status" className={styles.note}>
        {`${found.length} of ${patients.length} patients do not report SpO2.`}
        {rest > 0 ? ` ${rest} more were not checked: choose a unit.` : null}
      </p>
      {found.length === 0 ? (
        <PatientsEmpty because="reporting" onShowAll={onShowAll} onFirstPage={onShowAll} />
      ) : (
        children(found)
      )}
    </>
  );
}

// The drawer and the schemas of its form are not needed to paint the list.
const AddPatientDrawer = antdOnDemand(() => import('./AddPatientDrawer').then((module) => module.AddPatientDrawer));

interface PatientsScreenProps extends ScreenProps {
  /** The page of the list that came with the first paint. */
  firstPage: PatientsPage;
}

const pageSizes = [25, 50, 100, 500];
/** The freeze of the walkthrough; those of `useFreeze` begin with 1. */
const frozenForTour = 0;
const noPatients: readonly Patient[] = [];
const wholeList = { view: 'all', unit: undefined, bed: undefined, mine: false, state: 'active' } as const;

/** The patients of the site: search, sort, select, add. The address holds the view, but never the searched text. */
export function PatientsScreen({ user, now, firstPage }: PatientsScreenProps) {
  useShownValues();
  const router = useRouter();
  const { view, returned } = useListView(user.id);
  const [text, setText] = useState(returned?.text ?? '');
  const [selectedIds, setSelectedIds] = useState<readonly number[]>(returned?.selectedIds ?? []);
  const [placed, setPlaced] = useState(returned);
  if (returned !== placed) {
    setPlaced(returned);
    setSelectedIds(returned?.selectedIds ?? []);
  }
  const [isAdding, setIsAdding] = useState(false);
  const [message, setMessage] = useState('');
  const [preferences, prefer] = useListPreferences(user.id);
  const { unread } = useOwnNotes(user);
  const [held] = useState(createHeldRows);
  const query = { ...listingOf(view), text };
  // The page came with the bare address, which is not yet that of the view to come back to.
  const response = usePatients(query, returned === null ? firstPage : undefined, held);

  // While another page of the list loads, the last one stays, dimmed, so that nothing jumps.
  const [last, setLast] = useState(response.data);
  if (response.data !== undefined && response.data !== last) {
    setLast(response.data);
  }
  const { data } = response;
  const ids = useMemo(() => data?.items.map(({ id }) => id) ?? null, [data]);
  const { frozen: frozenByUser, renew, handlers } = useFreeze();
  const frozen = useRowsHeldForTour() ? frozenForTour : frozenByUser;
  useFrozenRows({ query: patientsKey(query), ids, refresh: response.refresh }, held, frozen);
  const heading = useRef<HTMLHeadingElement>(null);
  useScrollOnce(returned?.scrollY ?? null, data !== undefined);
  const guard = useMoveGuard((data ?? last)?.items.map(({ id }) => id).join() ?? '', patientsKey(query));
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
    show(wholeList);
  };
  /** Done and Back lead to the same page, selection and place on the screen. */
  const leave = (): void => {
    keepListPlace({ userId: user.id, address: patientsViewPath(view), text, selectedIds, scrollY: window.scrollY });
  };
  const onClick = ({ target }: MouseEvent): void => {
    if (target instanceof Element && target.closest('a') !== null) {
      leave();
    }
  };
  const add = can(user, 'writePatients')
    ? (): void => {
        setMessage('');
        setIsAdding(true);
      }
    : undefined;
  const isOnlyAttention = view.view === 'needs_attention' && text === '' && view.bed === undefined;
  const isFiltered =
    text !== '' ||
    view.unit !== undefined ||
    view.bed !== undefined ||
    view.mine ||
    view.state !== 'active' ||
    view.view !== 'all';

  const table = (patients: ListedPatient[]): ReactNode => (
    <div
      className={styles.table}
      data-tour="patients-table"
      data-hidden={preferences.hidden.join(' ')}
      onClick={onClick}
      onClickCapture={guard.onClickCapture}
    >
      <PatientsTable
        patients={patients}
        unread={unread}
        sort={view.sort}
        onSort={(sort) => show({ sort })}
        selectedIds={selectedIds}
        onSelect={setSelectedIds}
        initialNow={now}
        timeZone={user.site.timeZone}
      />
      <IgnoredClick ignored={guard.ignored} />
    </div>
  );

  return (
    <div className={styles.screen}>
      <PatientsViews
        userId={user.id}
        look={{ view, hidden: preferences.hidden }}
        units={last?.units ?? []}
        onView={show}
        onHide={(hidden) => prefer({ hidden })}
      />
      <PatientsToolbar
        text={text}
        onText={search}
        unit={view.unit}
        units={last?.units ?? []}
        onUnit={(unit) => show({ unit, bed: undefined })}
        bed={view.bed}
        beds={last?.beds ?? []}
        onBed={(bed) => show({ bed })}
        state={view.state}
        onState={(state) => show({ view: 'all', state })}
        selectedCount={selectedIds.length}
        onClearSelection={() => setSelectedIds([])}
        onCheck={() => {
          leave();
          void router.push(paths.patientDetails(selectedIds));
        }}
        onAdd={add}
      />
      <div role="status" className={message === '' ? undefined : styles.message}>
        {message}
      </div>
      <div className={styles.still} {...handlers}>
        <SlotPlace
          user={user}
          patients={data?.items ?? noPatients}
          freeze={{ frozen, renew }}
          heading={heading}
          onShow={(patientIds) => {
            if (patientIds.some((id) => ids?.includes(id) !== true)) {
              setText('');
              show({ ...wholeList, sort: standardView.sort });
            }
          }}
          initialNow={now}
        >
          <h1 ref={heading} tabIndex={-1}>
            Patients
          </h1>
          <span role="status">{shownWords(last, view)}</span>
        </SlotPlace>
        <AsyncView
          answer={shown}
          isEmpty={({ items }) => items.length === 0}
          skeleton={<ListSkeleton label="Patients are loading" />}
          empty={({ total }) => (
            <div data-tour="patients-table">
              <div data-tour="patient-row">
                <PatientsEmpty
                  because={total > 0 ? 'page' : isOnlyAttention ? 'attention' : isFiltered ? 'filter' : 'none'}
                  user={text === '' ? undefined : user}
                  onShowAll={showAll}
                  onFirstPage={() => show({})}
                  onAdd={add}
                />
              </div>
            </div>
          )}
          timeZone={user.site.timeZone}
        >
          {({ items, total }) => (
            <div className={isTurning ? styles.turning : undefined} aria-busy={isTurning}>
              <PrintHeading
                site={user.site}
                view={view}
                units={last?.units ?? []}
                shown={items.length}
                total={total}
                asOf={response.asOf ?? now}
                initialNow={now}
              />
              {view.view === 'not_reporting' ? (
                <NotReporting patients={items} total={total} frozen={frozen} initialNow={now} onShowAll={showAll}>
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
                    onPage={(page) => show({ page })}
                    onSize={(pageSize) => show({ pageSize })}
                  />
                </>
              )}
            </div>
          )}
        </AsyncView>
      </div>
      {isAdding ? (
        <AddPatientDrawer
          onClose={() => setIsAdding(false)}
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

/** "Showing your 12 patients": how many the view finds, and whether they are all of the user's own. */
function shownWords(page: PatientsPage | undefined, { mine, view }: PatientsView): string {
  // Which of them report is known in the page alone, and said there.
  if (page === undefined || view === 'not_reporting') {
    return '';
  }
  const { total } = page;
  return `Showing ${mine ? 'your ' : ''}${total} ${total === 1 ? 'patient' : 'patients'}`;
}

/** Scrolls the window to a place once the rows are there; null: leaves it where it is. */
function useScrollOnce(scrollY: number | null, isReady: boolean): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (scrollY === null || isDone.current || !isReady) {
      return undefined;
    }
    // After the router, which scrolls to the top of each new page.
    const frame = requestAnimationFrame(() => {
      isDone.current = true;
      window.scrollTo({ top: scrollY });
    });
    return () => cancelAnimationFrame(frame);
  }, [scrollY, isReady]);
}
