import { Segmented } from 'antd';
import { useCall } from '../../hooks/useCall';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import { newStandby } from '../../lib/alerts/pausesSchema';
import { pauseLeft } from '../../lib/patients/pauseWords';
import { AsyncView } from '../ui/AsyncView';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { ListSkeleton } from '../ui/ListSkeleton';
import { patientIdentity } from '../ui/PatientName';
import { SchemaForm } from '../ui/SchemaForm';
import styles from './care.module.css';
import type { CareDrawerProps } from './careDrawer';
import { EndStandby } from './EndStandby';

/** The usual lengths, in minutes: a wash, a scan, a procedure. */
const usual = [15, 30, 60] as const;

/** Holds new alerts of a patient back for a time, renews that, or ends it. */
export function StandbyDrawer({ patient, user, now: initialNow, onChanged, onClose }: CareDrawerProps) {
  const start = useCall('startStandby');
  const params = { id: patient.id };
  const left = useRead('getStandbyLeft', { params });
  const now = useNow(initialNow);
  const running = pauseLeft(patient.standby, now);
  return (
    <FormDrawer title={`Standby: ${patientIdentity(patient)}`} onClose={onClose}>
      <div className={styles.drawer}>
        <p>
          New alerts are held back. Symptoms, an extreme heart rate by ECG and a severe single value are not. At the end
          an alert is raised for each condition that still holds.
        </p>
        {running === null ? null : <RunningStandby {...{ patient, onChanged, onClose, running }} />}
        <AsyncView
          answer={left}
          skeleton={<ListSkeleton label="Standby is loading" rows={2} />}
          timeZone={user.site.timeZone}
        >
          {({ minutes, ofBudget }) =>
            minutes === 0 ? (
              <p role="status">
                <strong>
                  No standby is left: 120 minutes in 4 hours are used. A physician or ward lead can give more.
                </strong>
              </p>
            ) : (
              <SchemaForm
                schema={newStandby}
                initial={{ minutes: Math.min(minutes, usual[0]), reason: '' }}
                send={async (body) => {
                  await start({ params, body });
                  onChanged();
                  onClose();
                }}
                done="started"
                submitLabel={running === null ? 'Start standby' : 'Renew standby'}
              >
                <FormField name="minutes" label="For" hint={leftText(minutes, ofBudget)}>
                  <Segmented
                    options={[...new Set(usual.map((each) => Math.min(each, minutes)))].map((each) => ({
                      value: each,
                      label: `${each} min`,
                    }))}
                  />
                </FormField>
                <FormField name="reason" label="Reason" hint="For example: wash, scan, procedure" />
              </SchemaForm>
            )
          }
        </AsyncView>
      </div>
    </FormDrawer>
  );
}

function RunningStandby({
  patient,
  running,
  onChanged,
  onClose,
}: Pick<CareDrawerProps, 'patient' | 'onChanged' | 'onClose'> & { running: string }) {
  return (
    <section aria-label="Standby now">
      <p>
        In standby, <strong>{running} left</strong>. A renewal is sent to the charge nurse.
      </p>
      <EndStandby
        patientId={patient.id}
        label="End standby"
        onEnded={() => {
          onChanged();
          onClose();
        }}
      />
    </section>
  );
}

function leftText(minutes: number, ofBudget: number): string {
  return ofBudget < minutes
    ? `You may give more than 120 min in 4 h. Others have ${ofBudget} min left`
    : `At most ${ofBudget} min now: up to 60 min each, 120 min in 4 h in total`;
}
