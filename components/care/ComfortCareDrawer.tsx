import { useCall } from '../../hooks/useCall';
import { useNow } from '../../hooks/useNow';
import { newComfortCare } from '../../lib/alerts/pausesSchema';
import { pauseLeft } from '../../lib/patients/pauseWords';
import { ConfirmButton } from '../ui/ConfirmButton';
import { FormDrawer } from '../ui/FormDrawer';
import { FormFailure } from '../ui/FormFailure';
import { FormField } from '../ui/FormField';
import { patientIdentity } from '../ui/PatientName';
import { SchemaForm } from '../ui/SchemaForm';
import { useAction } from '../ui/useAction';
import styles from './care.module.css';
import type { CareDrawerProps } from './careDrawer';

/** A physician's order that HIGH limits may be off. It ends after 24 h unless it is confirmed again. */
export function ComfortCareDrawer({ patient, now, onChanged, onClose }: CareDrawerProps) {
  const confirm = useCall('confirmComfortCare');
  const end = useCall('endComfortCare');
  const { failure, carryOut } = useAction();
  const left = pauseLeft(patient.comfortCare, useNow(now));
  const params = { id: patient.id };
  return (
    <FormDrawer title={`Comfort care: ${patientIdentity(patient)}`} onClose={onClose}>
      <div className={styles.drawer}>
        <p>
          HIGH limits may be switched off for this patient, and NEWS2 raises no alert. Every screen says so. It ends
          after 24 hours unless it is confirmed again.
        </p>
        {left === null ? null : (
          <section aria-label="Comfort care now">
            <p>
              Ordered, <strong>{left} left</strong>.
            </p>
            <FormFailure failure={failure} done="ended" />
            <ConfirmButton
              label="End comfort care"
              question="End comfort care? All limits apply again from now on."
              onConfirm={() => {
                void carryOut(() => end({ params })).then((isDone) => {
                  if (isDone) {
                    onChanged();
                    onClose();
                  }
                });
              }}
            />
          </section>
        )}
        <SchemaForm
          schema={newComfortCare}
          initial={{ reason: '' }}
          send={async (body) => {
            await confirm({ params, body });
            onChanged();
            onClose();
          }}
          done="ordered"
          submitLabel={left === null ? 'Order for 24 hours' : 'Confirm for 24 hours more'}
        >
          <FormField name="reason" label="Reason" />
        </SchemaForm>
      </div>
    </FormDrawer>
  );
}
