import { useEffect, useRef, useState } from 'react';
import { keepInChart, keptInChart, type TypedChartMark, type TypedInChart } from '../../hooks/keptTexts';
import { newUuid } from '../../lib/browser/newUuid';
import { entryWords } from '../../lib/chart/entryWords';
import { permissionOf } from '../../lib/chart/permissionOf';
import type { Chart, WrittenEntry } from '../../lib/chart/schema';
import { writtenSections, type WrittenSection } from '../../lib/chart/sections';
import { can } from '../../lib/session/can';
import { reachesUnit } from '../../lib/session/reachesUnit';
import { careActions, type CareAction } from '../care/careActions';
import type { CareDrawerProps } from '../care/careDrawer';
import styles from './chart.module.css';
import { ChartSection, EntryButton } from './ChartSection';
import { sectionRows } from './sectionRows';
import { EntryForm } from './EntryForm';
import { fieldsOf } from './entryFields';
import { MarkForm } from './MarkForm';

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
  const [opened, setOpened] = useState<TypedInChart | null>(() => keptInChart(user.id, patient.id) ?? null);
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
    keepInChart(user.id, patient.id, null);
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
