import { NativeButton } from '../ui/NativeButton';
import bar from '../ui/ViewBar.module.css';
import { PlaceFilter, type PlaceFilterProps } from '../patients/PlaceFilter';
import styles from './DashboardFilter.module.css';
import { wholeDashboard, type DashboardView } from './dashboardUrl';

interface DashboardFilterProps extends Pick<PlaceFilterProps, 'units' | 'beds'> {
  view: DashboardView;
  onView: (view: DashboardView) => void;
  /** How many patients are shown. */
  total: number | undefined;
}

/** Chooses which patients the dashboard shows. Says so if these are not all: the others need care too. */
export function DashboardFilter({ view, onView, units, beds, total }: DashboardFilterProps) {
  const { unit, bed, mine } = view;
  const isAll = unit === undefined && bed === undefined && !mine;
  const parts = [
    ...(unit === undefined ? [] : [units.find(({ id }) => id === unit)?.name ?? 'Unit without patients']),
    ...(bed === undefined ? [] : [`Bed ${beds.find(({ id }) => id === bed)?.name ?? 'without a patient'}`]),
  ];
  return (
    <div className={styles.bar}>
      <div role="group" aria-label="Patients to show" className={bar.views}>
        <button type="button" className={bar.view} aria-pressed={isAll} onClick={() => onView(wholeDashboard)}>
          All patients
        </button>
        <button type="button" className={bar.view} aria-pressed={mine} onClick={() => onView({ ...view, mine: !mine })}>
          Mine
        </button>
      </div>
      <PlaceFilter
        unit={unit}
        units={units}
        onUnit={(chosen) => onView({ ...view, unit: chosen, bed: undefined })}
        bed={bed}
        beds={beds}
        onBed={(chosen) => onView({ ...view, bed: chosen })}
      />
      <div role="status" className={styles.narrowed}>
        {isAll ? null : (
          <>
            <strong>{[`Showing ${countText(mine, total)}`, ...parts].join(' · ')}</strong>. Alerts of all patients.
          </>
        )}
      </div>
      {isAll ? null : <NativeButton onClick={() => onView(wholeDashboard)}>Show all patients</NativeButton>}
    </div>
  );
}

/** "your 12 patients", "1 patient". */
function countText(mine: boolean, total: number | undefined): string {
  const count = total === undefined ? '' : `${total} `;
  return `${mine ? 'your ' : ''}${count}${total === 1 ? 'patient' : 'patients'}`;
}
