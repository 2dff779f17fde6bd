import { Button } from 'antd';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { keptInCharts, type TypedChartMark, type TypedInChart } from '../../hooks/keptTexts';
import { useCall } from '../../hooks/useCall';
import { newUuid } from '../../lib/browser/newUuid';
import { changedEntryOf } from '../../lib/chart/changedEntryOf';
import { entryWords, type ChartEntry } from '../../lib/chart/entryWords';
import { permissionOf } from '../../lib/chart/permissionOf';
import { type Chart, type WrittenEntry, entryMark } from '../../lib/chart/schema';
import { writtenSections, type WrittenSection } from '../../lib/chart/sections';
import { can } from '../../lib/session/can';
import { reachesUnit } from '../../lib/session/reachesUnit';
import type { User } from '../../lib/session/schema';
import { careActions, type CareAction } from '../care/careActions';
import type { CareDrawerProps } from '../care/careDrawer';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import { notDone } from '../ui/notDone';
import { EntryForm } from './EntryForm';
import { EntryText } from './EntryText';
import styles from './chart.module.css';
import { fieldsOf } from './entryFields';
import { sectionRows } from './sectionRows';

interface MarkFormProps {
  patientId: number;
  user: User;
  /** What is typed; its reason is empty, or what was kept. */
  typed: TypedChartMark;
  onSaved: () => void;
  onCancel: () => void;
}

/** Ends an entry or marks it as entered in error, with a reason. It stays readable. */
function MarkForm({ patientId, user, typed, onSaved, onCancel }: MarkFormProps) {
  const { entry, as, version } = typed;
  const end = useCall('endChartEntry');
  const markInError = useCall('markChartEntryInError');
  return (
    <SchemaForm
      schema={entryMark}
      initial={{ reason: '' }}
      kept={typed.reason === '' ? undefined : { reason: typed.reason }}
      // A lock takes the form away, and gives it back to this user when they open the chart again.
      onTyped={({ reason }) => keptInCharts.keep(user.id, patientId, { is: 'mark', typed: { ...typed, reason } })}
      bodyOf={({ reason }) => ({ reason, authorId: user.id, version })}
      send={async (body) => {
        await (as === 'ended' ? end : markInError)({ params: { id: entry.id }, body });
        keptInCharts.keep(user.id, patientId, null);
        onSaved();
      }}
      refusalText={(failure) => {
        const theirs = changedEntryOf(failure);
        return (
          <>
            {notDone('marked', failure)}
            {theirs === null ? null : <EntryText entry={theirs} timeZone={user.site.timeZone} />}
          </>
        );
      }}
      submitLabel={as === 'ended' ? 'End entry' : 'Mark as entered in error'}
      actions={<Button onClick={onCancel}>Cancel</Button>}
    >
      <FormField name="reason" label={as === 'ended' ? 'Why it ended' : 'What is wrong with it'} />
    </SchemaForm>
  );
}

interface ChartSectionProps {
  /** Its name in the chart. */
  section: string;
  title: string;
  /** All of the section, the newest first. */
  entries: readonly ChartEntry[];
  /** What is said if there is no current entry. */
  empty: string;
  timeZone: string;
  /** What can be done in the section, beside its title. */
  actions: ReactNode;
  /** What can be done with a current entry, below it. */
  actionsOf: (entry: ChartEntry) => ReactNode;
  /** A form of the section; null: none is open. */
  form: ReactNode;
  /** The entry that the form is about, below which it is; null: a new one, below the title. */
  formAt: number | null;
  /** What happened in the section last: "Saved". */
  said: string;
}

/** A section of a chart: what is in effect, then what is no longer, folded. */
function ChartSection(props: ChartSectionProps) {
  const { section, title, entries, empty, timeZone, actions, actionsOf, form, formAt, said } = props;
  const current = entries.filter(({ status }) => status === 'current');
  const past = entries.filter(({ status }) => status !== 'current');
  const isAbout = (entry: ChartEntry): boolean => formAt !== null && isOrReplaces(entry, formAt, entries);
  // Where the entry ended meanwhile, what is typed stays.
  const isAlone = formAt !== null && form !== null && !current.some(isAbout);
  return (
    // The keyboard comes back here when a form closes.
    <section className={styles.section} aria-label={title} tabIndex={-1} data-section={section}>
      <div className={styles.head}>
        <h3>{title}</h3>
        <p className={styles.said} role="status">
          {said}
        </p>
        <div className={styles.row}>{actions}</div>
      </div>
      {formAt === null ? form : null}
      {current.length === 0 ? <p className={styles.empty}>{empty}</p> : null}
      {current.length === 0 && !isAlone ? null : (
        <ul className={styles.entries}>
          {current.map((entry) => (
            // The form keeps what is typed when another user's entry takes the place of its own.
            <li key={isAbout(entry) ? 'about' : entry.id} tabIndex={-1} data-entry={entry.id}>
              <EntryText entry={entry} timeZone={timeZone} />
              <div className={styles.row}>{actionsOf(entry)}</div>
              {isAbout(entry) ? form : null}
            </li>
          ))}
          {isAlone ? (
            <li key="about">
              {null}
              {null}
              {form}
            </li>
          ) : null}
        </ul>
      )}
      {past.length === 0 ? null : (
        <details>
          <summary>History ({past.length})</summary>
          <ul className={styles.entries}>
            {past.map((entry) => (
              <li key={entry.id}>
                <EntryText
                  entry={entry}
                  correction={entries.find(({ replaces }) => replaces === entry.id)}
                  timeZone={timeZone}
                />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** Returns whether an entry is the one with this id, or corrects it, directly or over others. */
function isOrReplaces({ id, replaces }: ChartEntry, sought: number, entries: readonly ChartEntry[]): boolean {
  const former = entries.find((entry) => entry.id === replaces);
  return id === sought || replaces === sought || (former !== undefined && isOrReplaces(former, sought, entries));
}

interface EntryButtonProps {
  /** What it does, and of what, for users who hear it. */
  label: string;
  about: string;
  isOff: boolean;
  onPress: () => void;
}

/** A button in a chart. While it can do nothing it stays where it is, and keeps the keyboard. */
function EntryButton({ label, about, isOff, onPress }: EntryButtonProps) {
  return (
    <Button
      aria-disabled={isOff}
      className={isOff ? styles.off : undefined}
      title={isOff ? 'Save or cancel the open form first' : undefined}
      onClick={isOff ? undefined : onPress}
    >
      {label}
      <span className="visually-hidden"> {about}</span>
    </Button>
  );
}

/** Where the keyboard goes when a form closes: to an entry, or to its section if there is none. */
interface Place {
  section: string;
  entryId: number | null;
}

interface ChartSectionsProps extends CareDrawerProps {
  chart: Chart;
  /** Called after something was written in the chart. */
  onWritten: () => void;
}

/** All sections of a patient's chart, with what this user may do in each. */
export function ChartSections({ chart, onWritten, ...care }: ChartSectionsProps) {
  const { patient, user, onChanged } = care;
  const { timeZone } = user.site;
  /** One form at a time, so that no text is overlooked. */
  const [opened, setOpened] = useState<TypedInChart | null>(() => keptInCharts.of(user.id, patient.id) ?? null);
  const [savedIn, setSavedIn] = useState<string | null>(null);
  const [careOpened, setCareOpened] = useState<CareAction | null>(null);
  // Emergency access opens reading, and nothing else.
  const isOwn = reachesUnit(user, patient.location?.unit ?? null);
  const isActive = patient.state === 'active';
  const written = (section: string): WrittenSection | undefined => writtenSections.find((one) => one === section);
  const mayWrite = (section: WrittenSection): boolean => isOwn && can(user, permissionOf(section));
  const write = (section: WrittenSection, replaced: WrittenEntry | null): void => {
    setSavedIn(null);
    const fields = fieldsOf(section, replaced, timeZone);
    setOpened({
      is: 'write',
      typed: { section, clientId: newUuid(), version: chart.version, replaced, fields },
    });
  };
  const content = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLDivElement>(null);
  const returnTo = useRef<Place | null>(null);
  useEffect(() => {
    // The button that opened the form can do nothing now.
    if (opened !== null) {
      form.current?.querySelector<HTMLElement>('input')?.focus();
    }
  }, [opened]);
  useEffect(() => {
    const place = returnTo.current;
    const section = content.current?.querySelector<HTMLElement>(`[data-section="${place?.section ?? ''}"]`);
    if (opened !== null || place === null || section == null) {
      return;
    }
    const entry = section.querySelector<HTMLElement>(`[data-entry="${place.entryId ?? ''}"]`);
    const { activeElement } = document;
    // A new entry arrives later. Until then a user may have gone on to somewhere else.
    if (activeElement === document.body || section.contains(activeElement) || !section.ownerDocument.hasFocus()) {
      // Scrolled to: the form was higher than the window, and took its place with it.
      (entry ?? section).focus();
    }
    if (entry !== null || place.entryId === null) {
      returnTo.current = null;
    }
  }, [opened, chart]);
  const close = (place: Place): void => {
    keptInCharts.keep(user.id, patient.id, null);
    // The form takes the keyboard with it.
    returnTo.current = place;
    setOpened(null);
  };
  const saved = (place: Place): void => {
    close(place);
    setSavedIn(place.section);
    onWritten();
    onChanged();
  };
  const openedSection =
    opened === null ? null : opened.is === 'write' ? opened.typed.section : opened.typed.entry.section;
  const openedEntry =
    opened === null ? null : opened.is === 'write' ? (opened.typed.replaced?.id ?? null) : opened.typed.entry.id;
  const formOf = (section: string) => {
    if (opened === null || section !== openedSection) {
      return null;
    }
    const cancel = (): void => close({ section, entryId: openedEntry });
    return (
      <div ref={form} className={styles.form}>
        {opened.is === 'write' ? (
          <EntryForm
            key={opened.typed.clientId}
            chart={chart}
            user={user}
            typed={opened.typed}
            onSaved={(entryId) => saved({ section, entryId })}
            onCancel={cancel}
          />
        ) : (
          <MarkForm
            patientId={patient.id}
            user={user}
            typed={opened.typed}
            // It is in the history from now on.
            onSaved={() => saved({ section, entryId: null })}
            onCancel={cancel}
          />
        )}
      </div>
    );
  };
  const actionsOf = (entry: WrittenEntry) => {
    const isSingle = entry.section === 'codeStatus' || entry.section === 'oxygen';
    const about = entryWords(entry, timeZone);
    const isOff = opened !== null;
    const mark = (as: TypedChartMark['as']) => () => {
      setSavedIn(null);
      setOpened({ is: 'mark', typed: { entry, as, version: chart.version, reason: '' } });
    };
    return mayWrite(entry.section) ? (
      <>
        {isActive ? (
          <>
            <EntryButton
              label={isSingle ? 'Change' : 'Correct'}
              about={about}
              isOff={isOff}
              onPress={() => write(entry.section, entry)}
            />
            {isSingle ? null : <EntryButton label="End" about={about} isOff={isOff} onPress={mark('ended')} />}
          </>
        ) : null}
        <EntryButton label="Entered in error" about={about} isOff={isOff} onPress={mark('entered_in_error')} />
      </>
    ) : null;
  };
  const CareDrawer = careOpened === null ? null : careActions[careOpened].drawer;
  return (
    <div ref={content}>
      {chart.isPhoneMissing ? (
        <p className={styles.missing}>At home without a phone: record how to reach the patient under Contacts.</p>
      ) : null}
      {sectionRows.map(({ section, title, empty, actions = [] }) => {
        const own = written(section);
        const isSingle = section === 'codeStatus' || section === 'oxygen';
        const hasCurrent = chart.sections[section].some(({ status }) => status === 'current');
        return (
          <ChartSection
            key={section}
            section={section}
            title={title}
            entries={chart.sections[section]}
            empty={empty}
            timeZone={timeZone}
            form={formOf(section)}
            formAt={section === openedSection ? openedEntry : null}
            said={section === savedIn ? 'Saved' : ''}
            actions={
              <>
                {own !== undefined && isActive && mayWrite(own) && !(isSingle && hasCurrent) ? (
                  <EntryButton
                    label={isSingle ? 'Record' : 'Add'}
                    about={title}
                    isOff={opened !== null}
                    onPress={() => write(own, null)}
                  />
                ) : null}
                {actions
                  .filter((action) => isActive && isOwn && can(user, careActions[action].needs))
                  .map((action) => (
                    <EntryButton
                      key={action}
                      label={`${careActions[action].label} …`}
                      about={title}
                      isOff={opened !== null}
                      onPress={() => setCareOpened(action)}
                    />
                  ))}
              </>
            }
            actionsOf={(entry) => {
              const found = own === undefined ? undefined : chart.sections[own].find(({ id }) => id === entry.id);
              return found === undefined ? null : actionsOf(found);
            }}
          />
        );
      })}
      {CareDrawer === null ? null : (
        <CareDrawer
          {...care}
          onChanged={() => {
            onWritten();
            onChanged();
          }}
          onClose={() => setCareOpened(null)}
        />
      )}
    </div>
  );
}
