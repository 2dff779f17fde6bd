import { Icon } from '../ui/Icon';
import type { PatientsPage } from '../../lib/patients/schema';
import { ColumnsMenu } from './ColumnsMenu';
import type { HideableColumn, ListLook } from './listPreferences';
import type { PatientsView } from './patientsUrl';
import styles from '../ui/ViewBar.module.css';
import { PrintButton } from '../ui/PrintButton';
import { SavedViews } from './SavedViews';
import { isSameLook, useSavedViews } from './useSavedViews';

interface PatientsViewsProps {
  userId: number;
  /** What the list shows now. */
  look: ListLook;
  units: PatientsPage['units'];
  onView: (view: Partial<PatientsView>) => void;
  onHide: (hidden: readonly HideableColumn[]) => void;
}

/** With more units than this, only the filter lists them. */
const mostUnits = 6;

/** The views that a ward opens most often, one press each, and the settings of the list. */
export function PatientsViews({ userId, look, units, onView, onHide }: PatientsViewsProps) {
  const [saved, changeSaved] = useSavedViews(userId);
  const { view, hidden } = look;
  const views = [
    { label: 'All patients', view: 'all', unit: undefined, mine: false },
    { label: 'Needs attention', view: 'needs_attention', unit: undefined, mine: false },
    { label: 'Mine', view: 'all', unit: undefined, mine: true },
    { label: 'Not reporting', view: 'not_reporting', unit: undefined, mine: false },
    ...(units.length > mostUnits
      ? []
      : units.map(({ id, name }) => ({ label: name, view: 'all' as const, unit: id, mine: false }))),
  ] as const;
  return (
    <div className={styles.bar}>
      <div className={styles.groups}>
        <div role="group" aria-label="Views" className={styles.views}>
          {views.map((one) => (
            <button
              key={`${one.view} ${String(one.mine)} ${one.unit ?? ''}`}
              type="button"
              className={styles.view}
              aria-pressed={
                view.view === one.view &&
                view.unit === one.unit &&
                view.mine === one.mine &&
                view.bed === undefined &&
                view.state === 'active'
              }
              onClick={() => {
                onView({ view: one.view, unit: one.unit, bed: undefined, mine: one.mine, state: 'active' });
              }}
            >
              {one.label}
            </button>
          ))}
        </div>
        {saved.length === 0 ? null : (
          <div role="group" aria-label="Saved views" className={styles.views}>
            {saved.map((one) => (
              <button
                key={one.name}
                type="button"
                className={styles.view}
                aria-pressed={isSameLook(one, look)}
                onClick={() => {
                  onHide(one.hidden);
                  onView(one.view);
                }}
              >
                <Icon name="bookmark" />
                {one.name}
              </button>
            ))}
          </div>
        )}
      </div>
      <SavedViews views={saved} onChange={changeSaved} look={look} reserved={views.map(({ label }) => label)} />
      <ColumnsMenu hidden={hidden} onHide={onHide} />
      <PrintButton />
    </div>
  );
}
