import { Button } from 'antd';
import Link from 'next/link';
import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import type { ApiFailure } from '../../lib/browser/client';
import { paths } from '../../lib/paths';
import { patientPatch, type Patient } from '../../lib/patients/schema';
import { placeText } from '../../lib/patients/placeText';
import { FormDrawer } from '../ui/FormDrawer';
import { FormFailure } from '../ui/FormFailure';
import { patientIdentity, patientName } from '../ui/PatientName';
import { RefusalText } from '../ui/RefusalText';
import { SchemaForm } from '../ui/SchemaForm';
import { useAction } from '../ui/useAction';
import { useSeen, type Seen } from '../ui/useSeen';
import styles from './care.module.css';
import type { CareDrawerProps } from './careDrawer';
import { PlaceFields } from './PlaceFields';
import { SinceField, sinceOf } from './SinceField';

/** Moves a patient to another bed. A bed that is taken offers a swap of the two patients. */
export function MoveBedDrawer({ patient: present, user, onChanged, onClose }: CareDrawerProps) {
  const change = useCall('changePatient');
  const seen = useSeen(present);
  /** As it was sent, for a swap that is offered instead. */
  const [since, setSince] = useState<string>();
  const patient = seen.state;
  const done = (): void => {
    onChanged();
    onClose();
  };
  return (
    <FormDrawer title={`Move: ${patientIdentity(patient)}`} onClose={onClose}>
      <div className={styles.drawer}>
        <p>
          Now: <strong>{placeText(patient)}</strong>. Alerts continue in the new unit, and the people responsible there
          are asked.
        </p>
        <SchemaForm
          schema={patientPatch}
          initial={{ location: { unit: patient.location?.unit ?? '', bed: '' }, since: '' }}
          seen={seen}
          bodyOf={(typed) => ({
            version: patient.version,
            location: typed.location,
            since: sinceOf(typed.since, user.site),
          })}
          send={async (body) => {
            setSince(body.since);
            await change({ params: { id: patient.id }, body });
            done();
          }}
          refusalText={(failure) => <Refusal failure={failure} seen={seen} since={since} onSwapped={done} />}
          submitLabel="Move"
        >
          <PlaceFields user={user} patientId={patient.id} />
          <SinceField label="Moved at" site={user.site} />
        </SchemaForm>
      </div>
    </FormDrawer>
  );
}

interface RefusalProps {
  failure: ApiFailure;
  /** The patient who moves. */
  seen: Seen<Patient>;
  /** When it was, if that is not now. */
  since: string | undefined;
  onSwapped: () => void;
}

/** The server's message, with a swap where the bed is taken by a patient within reach. */
function Refusal({ failure, seen, since, onSwapped }: RefusalProps) {
  return (
    <>
      <RefusalText done="moved" failure={failure} seen={seen} />{' '}
      {failure.code === 'bed_taken' && failure.id !== null ? (
        <OfferedSwap seen={seen} since={since} otherId={failure.id} onSwapped={onSwapped} />
      ) : null}
    </>
  );
}

type SwapProps = Pick<RefusalProps, 'seen' | 'since' | 'onSwapped'>;

function OfferedSwap({ otherId, ...swap }: SwapProps & { otherId: number }) {
  const { data: other } = useRead('getPatient', { params: { id: otherId } });
  return other === undefined || other.id !== otherId ? null : <SeenSwap {...swap} present={other} />;
}

/** Offers the swap of two patients as both were seen: a bed that is not on the button is not taken. */
function SeenSwap({ present, ...swap }: SwapProps & { present: Patient }) {
  const other = useSeen(present);
  return <Swap key={other.state.version} {...swap} other={other} />;
}

function Swap({ seen, since, other, onSwapped }: SwapProps & { other: Seen<Patient> }) {
  const swap = useCall('swapBeds');
  const { failure, carryOut } = useAction();
  const [patient, neighbour] = [seen.state, other.state];
  const name = patientName(neighbour);
  const isOld = seen.isOld || other.isOld;
  const showPresent = (): void => {
    seen.showPresent();
    other.showPresent();
  };
  return (
    <>
      <Link href={paths.patientDetails([neighbour.id])} prefetch={false}>
        {name}
      </Link>
      {` is in ${placeText(neighbour)}. `}
      {patient.location === null ? null : (
        <Button
          onClick={() => {
            const patients = [patient, neighbour].map(({ id, version }) => ({ id, version }));
            void carryOut(() => swap({ body: { patients, since } }), onSwapped);
          }}
        >
          Swap the beds: {name} to {placeText(patient)}
        </Button>
      )}
      <FormFailure>
        {failure === null ? null : <RefusalText done="swapped" failure={failure} seen={{ isOld, showPresent }} />}
      </FormFailure>
    </>
  );
}
