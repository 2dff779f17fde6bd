import { Button, Drawer } from 'antd';
import { useRead } from '../../hooks/useRead';
import { logWords } from '../../lib/alerts/logWords';
import type { HistoryItem } from '../../lib/alerts/historySchema';
import { priorityLabels } from '../../lib/alerts/priority';
import { formatDateAndSeconds, zoneLabel } from '../../lib/time/formatTime';
import { AsyncView } from '../ui/AsyncView';
import { ListSkeleton } from '../ui/ListSkeleton';
import styles from './history.module.css';
import { historyPlace, historySubject } from './historySubject';

interface AlertLogDrawerProps {
  alert: HistoryItem;
  timeZone: string;
  /** Shows the history of this patient alone. */
  onPatient: (patientId: number) => void;
  onClose: () => void;
}

/** Everything that happened to one alert, in words, the oldest line first. */
export function AlertLogDrawer({ alert, timeZone, onPatient, onClose }: AlertLogDrawerProps) {
  const answer = useRead('listAlertEvents', { params: { id: alert.id } }, { everyMs: 30_000 });
  const { patientId } = alert;
  return (
    <Drawer title="Log of the alert" size={480} open onClose={onClose}>
      <div className={styles.log}>
        <p>
          <strong>{historySubject(alert)}</strong>
          <span className={styles.line}>{historyPlace(alert)}</span>
          {priorityLabels[alert.priority]} priority. {alert.sentence}
        </p>
        {patientId === null || alert.patient === null ? null : (
          <Button onClick={() => onPatient(patientId)}>All alerts of this patient</Button>
        )}
        <AsyncView
          answer={answer}
          isEmpty={({ items }) => items.length === 0}
          skeleton={<ListSkeleton label="The log is loading" rows={5} />}
          empty={() => <p>The log has no readable lines.</p>}
          timeZone={timeZone}
        >
          {({ items }) => (
            <ol>
              {items.map((event, place) => {
                const at = Date.parse(event.at);
                return (
                  <li key={place}>
                    <span className={styles.line}>
                      {formatDateAndSeconds(at, timeZone)} {zoneLabel(at, timeZone)}
                    </span>
                    {logWords(event, timeZone)}
                  </li>
                );
              })}
            </ol>
          )}
        </AsyncView>
      </div>
    </Drawer>
  );
}
