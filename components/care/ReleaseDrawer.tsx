import { useCall } from '../../hooks/useCall';
import { useNow } from '../../hooks/useNow';
import { releaseBody, type HeldValues } from '../../lib/patients/heldCalls';
import { dateOfBirthText } from '../../lib/patients/dateOfBirthText';
import { dayOf } from '../../lib/time/dayOf';
import { formatClock } from '../../lib/time/formatTime';
import { DateOfBirthField } from '../ui/DateOfBirthField';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { patientName } from '../ui/PatientName';
import { SchemaForm } from '../ui/SchemaForm';
import styles from './care.module.css';
import type { CareDrawerProps } from './careDrawer';

export interface ReleaseDrawerProps extends Omit<CareDrawerProps, 'onChanged'> {
  held: HeldValues;
}

/** Asks for both identifiers of the wristband, which it does not show. */
export function ReleaseDrawer({ held, patient, user: { site }, now: initialNow, onClose }: ReleaseDrawerProps) {
  const { bed, since } = held;
  const now = useNow(initialNow);
  const today = dayOf(now, site.timeZone);
  const release = useCall('releaseValues');
  return (
    <FormDrawer title={`Release values: ${patientName(patient)}`} onClose={onClose}>
      <div className={styles.drawer}>
        <p>
          The patient of bed {bed} changed at {formatClock(Date.parse(since), now, site.timeZone)}. At the bedside, read
          the wristband and make sure that the monitor of the bed has been on this patient since then. Once released,
          its values count at once, and those that were held come into the chart.
        </p>
        <SchemaForm
          schema={releaseBody.extend({ dateOfBirth: dateOfBirthText(site.dateOrder, today) })}
          initial={{ mrn: '', dateOfBirth: '' }}
          bodyOf={(typed) => ({ ...typed, since })}
          send={async (body) => {
            await release({ params: { id: patient.id }, body });
            onClose();
          }}
          done="released"
          submitLabel="Release values"
        >
          <FormField name="mrn" label="MRN" hint="From the wristband" />
          <DateOfBirthField site={site} today={today} />
        </SchemaForm>
      </div>
    </FormDrawer>
  );
}
