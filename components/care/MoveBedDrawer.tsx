import { Button } from 'antd';
import Link from 'next/link';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import type { ApiFailure } from '../../lib/browser/client';
import { paths } from '../../lib/paths';
import { patientPatch } from '../../lib/patients/schema';
import { placeText } from '../../lib/patients/placeText';
import { FormDrawer } from '../ui/FormDrawer';
import { FormFailure } from '../ui/FormFailure';
import { patientName } from '../ui/PatientName';
import { SchemaForm } from '../ui/SchemaForm';
import { useAction } from '../ui/useAction';
import styles from './care.module.css';
import type { CareDrawerProps } from './careDrawer';
import { PlaceFields } from './PlaceFields';

/** Moves a patient to another bed. A bed that is taken offers a swap of the two patients. */
export function MoveBedDrawer({ patient, user, onChanged, onClose }: CareDrawerProps) {
  const change = useCall('changePatient');
  const done = (): void => {
    onChanged();
    onClose();
  };
  return (
    <FormDrawer title={`Move: ${patientName(patient)}`} onClose={onClose}>
      <div className={styles.drawer}>
        <p>
          Now: <strong>{placeText(patient)}</strong>. Alerts go on in the new unit, and the people who are responsible
          there are asked.
        </p>
        <SchemaForm
          schema={patientPatch}
          initial={{ location: { unit: patient.location?.unit ?? '', bed: '' } }}
          bodyOf={({ location }) => ({ version: patient.version, location })}
          send={async (body) => {
            await change({ params: { id: patient.id }, body });
            done();
          }}
          refusalText={(failure) => <Refusal failure={failure} patient={patient} onSwapped={done} />}
          submitLabel="Move"
        >
          <PlaceFields user={user} patientId={patient.id} />
        </SchemaForm>
      </div>
    </FormDrawer>
  );
}

/** The server's message, with a swap where the bed is taken by a patient within reach. */
function Refusal({
  failure,
  patient,
  onSwapped,
}: Pick<CareDrawerProps, 'patient'> & { failure: ApiFailure; onSwapped: () => void }) {
  return (
    <>
      Not moved. {failure.message}{' '}
      {failure.code === 'bed_taken' && failure.id !== null ? (
        <Swap patient={patient} otherId={failure.id} onSwapped={onSwapped} />
      ) : null}
    </>
  );
}

function Swap({
  patient,
  otherId,
  onSwapped,
}: Pick<CareDrawerProps, 'patient'> & { otherId: number; onSwapped: () => void }) {
  const swap = useCall('swapBeds');
  const { data: other } = useRead('getPatient', { params: { id: otherId } });
  const { failure, carryOut } = useAction();
  if (other === undefined || other.id !== otherId) {
    return null;
  }
  return (
    <>
      <Link href={paths.patientDetails([otherId])} prefetch={false}>
        {patientName(other)}
      </Link>
      {' is there. '}
      {patient.location === null ? null : (
        <Button
          onClick={() => {
            const patients = [patient, other].map(({ id, version }) => ({ id, version }));
            void carryOut(() => swap({ body: { patients } })).then((isDone) => {
              if (isDone) {
                onSwapped();
              }
            });
          }}
        >
          Swap the beds: {patientName(other)} to {placeText(patient)}
        </Button>
      )}
      <FormFailure>{failure === null ? null : `Not swapped. ${failure.message}`}</FormFailure>
    </>
  );
}
