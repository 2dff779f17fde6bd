import { Segmented } from 'antd';
import { useRouter } from 'next/router';
import { historyQueryOf, readHistoryAddress, type HistoryAddress } from '../../lib/alerts/historyAddress';
import { paths } from '../../lib/paths';
import type { ScreenProps } from '../ui/screenPage';
import { AlarmBudget } from './AlarmBudget';
import styles from './history.module.css';
import { HistoryView } from './HistoryView';

/** What happened to alerts: one after the other, or as numbers. The address has the filters, and no name. */
export function HistoryScreen({ user, now }: ScreenProps) {
  const router = useRouter();
  // This page shows antd's fields, so it does not wait for the end of the load.
  const address = readHistoryAddress(router.query);
  const set = (change: Partial<HistoryAddress>): void => {
    const path = paths.alertHistory(historyQueryOf({ ...address, ...change }));
    void router.replace(path, undefined, { shallow: true, scroll: false });
  };
  return (
    <div className="stack">
      <div className={styles.head}>
        <h1>Alert history</h1>
        <Segmented
          className={styles.choice}
          aria-label="View"
          value={address.view}
          options={[
            { value: 'history', label: 'Alerts' },
            { value: 'budget', label: 'Alarm budget' },
          ]}
          onChange={(view) => set({ view: view === 'budget' ? 'budget' : 'history' })}
        />
      </div>
      {address.view === 'budget' ? (
        <AlarmBudget user={user} address={address} onChange={set} />
      ) : (
        <HistoryView user={user} now={now} address={address} onChange={set} />
      )}
    </div>
  );
}
