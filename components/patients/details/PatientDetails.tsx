import { Button } from 'antd';
import Link from 'next/link';
import { useRouter } from 'next/router';
import { useCallback, useState } from 'react';
import { useShownValues } from '../../../hooks/PageValuesProvider';
import { useOwnNotes } from '../../../hooks/useOwnNotes';
import { serverNow } from '../../../lib/browser/serverClock';
import type { Patient } from '../../../lib/patients/schema';
import { paths } from '../../../lib/paths';
import { can } from '../../../lib/session/can';
import type { User } from '../../../lib/session/schema';
import { defaultRange } from '../../../lib/vitals/chartRanges';
import { NotesArea } from '../../notes/NotesArea';
import { patientName } from '../../ui/PatientName';
import { RangeControl } from '../../vitals/RangeControl';
import { useChartView } from '../../vitals/useChartView';
import { ZoomControl } from '../../vitals/ZoomControl';
import { NeighbourButtons } from './NeighbourButtons';
import { NotShown, type NotShownProps } from './NotShown';
import styles from './PatientDetails.module.css';
import { PatientPane } from './PatientPane';

interface PatientDetailsProps {
  patients: readonly Patient[];
  notShown: NotShownProps;
  /** The server's time when the page was made, epoch milliseconds. */
  now: number;
  user: User;
  /** Whether the installation has a key of the chat service. */
  hasChat?: boolean;
}

/** The chosen patients side by side, with charts over the same time, so that they can be compared. */
export function PatientDetails({ patients, notShown, now, user, hasChat = false }: PatientDetailsProps) {
  useShownValues();
  const router = useRouter();
  const { setRange, ...view } = useChartView(() => defaultRange(patients));
  const { range, zoom, setZoom } = view;
  const wholeNow = useCallback(() => {
    const to = serverNow() ?? now;
    return { from: to - range.ms, to };
  }, [range, now]);
  const [only] = patients;
  const isAlone = patients.length === 1;
  const [notesOf, setNotesOf] = useState<number | null>(null);
  const readsNotes = can(user, 'readNotes');
  const { unread } = useOwnNotes(user);
  return (
    <>
      <div className={styles.toolbar}>
        <h1 className={styles.title}>Patient details</h1>
        {patients.length === 0 ? null : (
          <>
            <RangeControl value={range} onChange={setRange} />
            <ZoomControl zoom={zoom} onChange={setZoom} wholeNow={wholeNow} timeZone={user.site.timeZone} />
          </>
        )}
        <div className={styles.end}>
          {only === undefined || patients.length > 1 ? null : <NeighbourButtons patientId={only.id} userId={user.id} />}
          <Button type="primary" data-tour="done" onClick={() => void router.push(paths.patients)}>
            Done
          </Button>
        </div>
      </div>
      <NotShown {...notShown} user={user} />
      {patients.length === 0 ? (
        <div data-tour="charts">
          <div data-tour="notes">
            <p className={styles.none} data-tour="patient-chart">
              No patient selected. <Link href={paths.patients}>Choose patients in the list</Link>.
            </p>
          </div>
        </div>
      ) : (
        <div className={styles.room}>
          <div className={styles.content} data-notes={isAlone && readsNotes ? '' : undefined}>
            <div className={styles.panes} data-patients={patients.length}>
              {patients.map((patient) => (
                <PatientPane
                  key={patient.id}
                  patient={patient}
                  now={now}
                  view={view}
                  onRange={setRange}
                  user={user}
                  isCompact={!isAlone}
                  hasChat={hasChat}
                >
                  {isAlone || !readsNotes ? null : patient.id === notesOf ? (
                    <NotesArea patient={patient} user={user} now={now} unread={unread.get(patient.id) ?? 0} isOpened>
                      <Button onClick={() => setNotesOf(null)}>Close notes</Button>
                    </NotesArea>
                  ) : (
                    <Button data-tour="notes" onClick={() => setNotesOf(patient.id)}>
                      Add notes{unreadWords(unread.get(patient.id) ?? 0)}
                      <span className="visually-hidden"> about {patientName(patient)}</span>
                    </Button>
                  )}
                </PatientPane>
              ))}
            </div>
            {isAlone && readsNotes && only !== undefined ? (
              <div className={styles.rail}>
                <NotesArea patient={only} user={user} now={now} unread={unread.get(only.id) ?? 0} />
              </div>
            ) : null}
          </div>
        </div>
      )}
    </>
  );
}

/** " (2 unread)"; nothing if all are read. */
function unreadWords(count: number): string {
  return count === 0 ? '' : ` (${count} unread)`;
}
