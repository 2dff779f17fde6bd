import { useCall } from '../../hooks/useCall';
import { useNow } from '../../hooks/useNow';
import { releaseBody, type HeldValues } from '../../lib/heldValues/schema';
import { dateOfBirthText } from '../../lib/patients/dateOfBirthText';
import type { User } from '../../lib/session/schema';
import { dayOf } from '../../lib/time/dayOf';
import { formatClock } from '../../lib/time/formatTime';
import { fromWallTime } from '../../lib/time/wallTime';
import { DateOfBirthField } from '../ui/DateOfBirthField';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { notDone } from '../ui/notDone';
import { patientName } from '../ui/PatientName';
import { SchemaForm } from '../ui/SchemaForm';
import { siteTimeHints, SiteTimePicker } from '../ui/SiteTimePicker';
import styles from './care.module.css';
import type { CareDrawerProps } from './careDrawer';

export interface ReleaseDrawerProps extends CareDrawerProps {
  held: HeldValues;
}

/** Asks for both identifiers of the wristband, which it does not show, and from when the monitor is on the patient. */
export function ReleaseDrawer({
  held,
  patient,
  user: { site },
  now: initialNow,
  onChanged,
  onClose,
}: ReleaseDrawerProps) {
  const now = useNow(initialNow);
  const today = dayOf(now, site.timeZone);
  const release = useCall('releaseValues');
  const { stay, change, bed } = held;
  const movedAt = (change === 'begin' ? stay.from : stay.until) ?? held.first;
  const moved = formatClock(Date.parse(movedAt), now, site.timeZone);
  return (
    <FormDrawer title={`Release values: ${patientName(patient)}`} onClose={onClose}>
      <div className={styles.drawer}>
        <p>
          The patient of bed {bed} changed at {moved}. At the bedside, read the wristband and make sure that the monitor
          of the bed is on this patient. Once released, its values count{change === 'begin' ? ' at once' : ''}, and
          those that were held are read for the chart.
        </p>
        <SchemaForm
          schema={releaseBody.extend({ dateOfBirth: dateOfBirthText(site.dateOrder, today) })}
          initial={{ mrn: '', dateOfBirth: '', at: '' }}
          bodyOf={(typed) => ({ ...typed, stay, change, at: atOf(typed.at, movedAt, site) })}
          send={async (body) => {
            await release({ params: { id: patient.id }, body });
            onChanged();
            onClose();
          }}
          refusalText={(failure) => notDone('released', failure)}
          submitLabel="Release values"
        >
          <FormField name="mrn" label="MRN" hint="From the wristband" />
          <DateOfBirthField site={site} today={today} />
          <FormField
            name="at"
            label={change === 'begin' ? 'On this patient since' : 'On this patient until'}
            hint={`Empty: ${moved}, when the bed changed. Else ${siteTimeHints[site.dateOrder]}.`}
            isOptional
          >
            <SiteTimePicker site={site} />
          </FormField>
        </SchemaForm>
      </div>
    </FormDrawer>
  );
}

const minuteMs = 60_000;

/**
 * Returns the instant of what was typed, which has no seconds: the minute of the move is the move. What is no time
 * stays as it is, for the schema to refuse.
 */
function atOf(typed: string, movedAt: string, { timeZone }: Pick<User['site'], 'timeZone'>): string {
  const at = fromWallTime(typed, timeZone);
  if (typed === '') {
    return movedAt;
  }
  if (at === null) {
    return typed;
  }
  const sinceMs = Date.parse(movedAt) - at;
  return sinceMs >= 0 && sinceMs < minuteMs ? movedAt : new Date(at).toISOString();
}
