import { Icon } from '../ui/Icon';
import { ColumnsMenu } from './ColumnsMenu';
import type { HideableColumn } from './listPreferences';
import type { PatientsView } from './patientsUrl';
import styles from './PatientsViews.module.css';

interface PatientsViewsProps {
  view: PatientsView;
  units: readonly string[];
  onView: (view: Pick<PatientsView, 'view' | 'unit' | 'state'>) => void;
  hidden: readonly HideableColumn[];
  onHide: (hidden: HideableColumn[]) => void;
}

/** More units than this are found in the filter's list instead. */
const mostUnits = 6;

/** The views that a ward asks for again and again, one press each, and how the list is to look. */
export function PatientsViews({ view, units, onView, hidden, onHide }: PatientsViewsProps) {
  const views = [
    { label: 'All patients', view: 'all', unit: undefined },
    { label: 'Not reporting', view: 'not_reporting', unit: undefined },
    ...(units.length > mostUnits ? [] : units.map((unit) => ({ label: unit, view: 'all' as const, unit }))),
  ] as const;
  return (
    <div className={styles.bar}>
      <div role="group" aria-label="Views" className={styles.views}>
        {views.map((one) => (
          <button
            key={`${one.view} ${one.unit ?? ''}`}
            type="button"
            className={styles.view}
            aria-pressed={view.view === one.view && view.unit === one.unit && view.state === 'active'}
            onClick={() => {
              onView({ view: one.view, unit: one.unit, state: 'active' });
            }}
          >
            {one.label}
          </button>
        ))}
      </div>
      <ColumnsMenu hidden={hidden} onHide={onHide} />
      <button
        type="button"
        className={styles.act}
        onClick={() => {
          window.print();
        }}
      >
        <Icon name="print" />
        Print
      </button>
    </div>
  );
}
