import { useEffect, useRef, useState } from 'react';
import { keepChartEntry, keptChartEntry, type TypedChartEntry } from '../../hooks/keptTexts';
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
import { MarkForm, type Mark } from './MarkForm';

/** What is open in a chart: one form at a time, so that no text is overlooked. */
type Opened = { is: 'write'; typed: TypedChartEntry } | { is: 'mark'; entry: WrittenEntry; as: Mark };

interface ChartSectionsProps extends CareDrawerProps {
  chart: Chart;
  /** Called after something was written in the chart. */
  onWritten: () => void;
}

/** All sections of a patient's chart, with what this user may do in each. */
export function ChartSections({ chart, onWritten, ...care }: ChartSectionsProps) {
  const { patient, user, onChanged } = care;
  const { timeZone } = user.site;
  const [opened, setOpened] = useState<Opened | null>(() => {
    const kept = keptChartEntry(user.id, patient.id);
    return kept === undefined ? null : { is: 'write', typed: kept };
  });
  const [said, setSaid] = useState('');
  const [careOpened, setCareOpened] = useState<CareAction | null>(null);
  // Emergency access opens reading, and nothing else.
  const isOwn = reachesUnit(user, patient.location?.unit ?? null);
  const isActive = patient.state === 'active';
  const written = (section: string): WrittenSection | undefined => writtenSections.find((one) => one === section);
  const mayWrite = (section: WrittenSection): boolean => isOwn && can(user, permissionOf(section));
  const write = (section: WrittenSection, replaced: WrittenEntry | null): void => {
    setSaid('');
    const fields = fieldsOf(section, replaced, timeZone);
    setOpened({
      is: 'write',
      typed: { section, clientId: newUuid(), version: chart.version, replaced, fields },
    });
  };
  const form = useRef<HTMLDivElement>(null);
  const status = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The button that opened the form can do nothing now.
    if (opened !== null) {
      form.current?.querySelector<HTMLElement>('input')?.focus();
    }
  }, [opened]);
  const close = (): void => {
    keepChartEntry(user.id, patient.id, null);
    setOpened(null);
    // The form takes the keyboard with it.
    status.current?.focus();
  };
  const saved = (): void => {
    close();
    setSaid('Saved');
    onWritten();
    onChanged();
  };
  const formOf = (section: string) => {
    if (opened === null || section !== (opened.is === 'write' ? opened.typed.section : opened.entry.section)) {
      return null;
    }
    const shared = { chart, user, onSaved: saved, onCancel: close };
    const content =
      opened.is === 'write' ? (
        <EntryForm key={opened.typed.clientId} typed={opened.typed} {...shared} />
      ) : (
        <MarkForm entry={opened.entry} as={opened.as} {...shared} />
      );
    return <div ref={form}>{content}</div>;
  };
  const actionsOf = (entry: WrittenEntry) => {
    const isSingle = entry.section === 'codeStatus' || entry.section === 'oxygen';
    const about = entryWords(entry, timeZone);
    const isOff = opened !== null;
    const mark = (as: Mark) => () => {
      setSaid('');
      setOpened({ is: 'mark', entry, as });
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
    <>
      <p ref={status} role="status" tabIndex={-1}>
        {said}
      </p>
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
            title={title}
            entries={chart.sections[section]}
            empty={empty}
            timeZone={timeZone}
            form={formOf(section)}
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
    </>
  );
}
