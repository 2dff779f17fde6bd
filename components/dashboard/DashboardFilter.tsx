import { NativeButton } from '../ui/NativeButton';
import bar from '../patients/PatientsViews.module.css';
import toolbar from '../patients/PatientsToolbar.module.css';
import styles from './DashboardFilter.module.css';
import { wholeDashboard, type DashboardView } from './dashboardUrl';

interface DashboardFilterProps {
  view: DashboardView;
  onView: (view: DashboardView) => void;
  /** The units of the site, and the beds of the chosen unit. */
  units: readonly string[];
  beds: readonly string[];
  /** How many patients are shown. */
  total: number | undefined;
}

const control = 'ant-input ant-input-outlined wardlight ant-input-css-var';

/** Whom the dashboard shows. While that is not everybody it says so, because whoever is left out waits as well. */
export function DashboardFilter({ view, onView, units, beds, total }: DashboardFilterProps) {
  const { unit, bed, mine } = view;
  const isAll = unit === undefined && bed === undefined && !mine;
  const parts = [...(mine ? ['your patients'] : []), ...(unit === undefined ? [] : [unit]), ...(bed === undefined ? [] : [`bed ${bed}`])];
  return (
    <div className={styles.bar}>
      <div role="group" aria-label="Whom to show" className={bar.views}>
        <button type="button" className={bar.view} aria-pressed={isAll} onClick={() => onView(wholeDashboard)}>
          All patients
        </button>
        <button type="button" className={bar.view} aria-pressed={mine} onClick={() => onView({ ...view, mine: !mine })}>
          Mine
        </button>
      </div>
      <label className={toolbar.filter}>
        Unit
        <select
          className={control}
          value={unit ?? ''}
          onChange={({ target }) => onView({ ...view, unit: target.value === '' ? undefined : target.value, bed: undefined })}
        >
          <option value="">All units</option>
          {withChosen(units, unit).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {unit === undefined && bed === undefined ? null : (
        <label className={toolbar.filter}>
          Bed
          <select
            className={control}
            value={bed ?? ''}
            onChange={({ target }) => onView({ ...view, bed: target.value === '' ? undefined : target.value })}
          >
            <option value="">All beds</option>
            {withChosen(beds, bed).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <div role="status" className={styles.narrowed}>
        {isAll ? null : (
          <>
            <strong>
              Only {parts.join(', ')}
              {total === undefined ? null : `: ${total === 1 ? '1 patient' : `${total} patients`}`}.
            </strong>{' '}
            Nobody else is on this page.
          </>
        )}
      </div>
      {isAll ? null : (
        <NativeButton
          onClick={() => {
            onView(wholeDashboard);
          }}
        >
          Show all patients
        </NativeButton>
      )}
    </div>
  );
}

/** The filter names what it holds even when no active patient is left there. */
function withChosen(names: readonly string[], chosen: string | undefined): readonly string[] {
  return chosen === undefined || names.includes(chosen) ? names : [chosen, ...names];
}
