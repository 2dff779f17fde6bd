import { Button } from 'antd';
import { useRef, useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import { heldWords } from '../../lib/heldValues/heldWords';
import type { HeldValues as Held } from '../../lib/heldValues/schema';
import type { Patient } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { ConfirmButton } from '../ui/ConfirmButton';
import { FormFailure } from '../ui/FormFailure';
import { notDone } from '../ui/notDone';
import { onDemand } from '../ui/onDemand';
import { useAction } from '../ui/useAction';
import styles from './care.module.css';
import type { ReleaseDrawerProps } from './ReleaseDrawer';

const ReleaseDrawer = onDemand<ReleaseDrawerProps>(async () => (await import('./ReleaseDrawer')).ReleaseDrawer);

interface HeldValuesProps {
  patient: Patient;
  user: User;
  /** The server's time at the first paint, epoch milliseconds. */
  initialNow: number;
  /** Whether the user may release them. */
  canRelease: boolean;
  /** Called when values may have come or gone. */
  onChanged: () => void;
}

/** Says that values of the patient's bed are held because the bed has just changed, with the way to release them. */
export function HeldValues({ patient, user, initialNow, canRelease, onChanged }: HeldValuesProps) {
  const now = useNow(initialNow);
  const { data } = useRead('listHeldValues', { params: { id: patient.id } }, { everyMs: 10_000 });
  const place = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<Held | null>(null);
  const items = data?.patientId === patient.id ? data.items : [];
  return (
    <div ref={place} tabIndex={-1}>
      {items.map((held) => (
        <div key={`${held.change} ${held.stay.from ?? ''} ${held.stay.until ?? ''}`} className={styles.held}>
          <span role="status">{heldWords(held, now, user.site.timeZone)}</span>
          {!canRelease ? null : held.release === null ? (
            <Button
              onClick={() => {
                setOpened(held);
              }}
            >
              Release values
            </Button>
          ) : (
            <TakeBack
              patientId={patient.id}
              releaseId={held.release.id}
              onDone={() => {
                place.current?.focus();
                onChanged();
              }}
            />
          )}
        </div>
      ))}
      {opened === null ? null : (
        <ReleaseDrawer
          held={opened}
          patient={patient}
          user={user}
          now={initialNow}
          onChanged={onChanged}
          onClose={() => {
            setOpened(null);
          }}
        />
      )}
    </div>
  );
}

function TakeBack({ patientId, releaseId, onDone }: { patientId: number; releaseId: number; onDone: () => void }) {
  const takeBack = useCall('takeBackRelease');
  const { failure, carryOut } = useAction();
  return (
    <>
      <ConfirmButton
        label="Take back"
        name="Take back the release"
        placement="bottom"
        question="Is this monitor not on this patient? All values that came by the release are withdrawn."
        onConfirm={() => {
          void carryOut(() => takeBack({ params: { id: patientId }, body: { release: releaseId } })).then((isDone) => {
            if (isDone) {
              onDone();
            }
          });
        }}
      />
      <FormFailure>{failure === null ? null : notDone('taken back', failure)}</FormFailure>
    </>
  );
}
