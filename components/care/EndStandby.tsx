import { useCall } from '../../hooks/useCall';
import { useServerLost } from '../../hooks/useServerLost';
import { ConfirmButton } from '../ui/ConfirmButton';
import { FormFailure } from '../ui/FormFailure';
import { useAction } from '../ui/useAction';

interface EndStandbyProps {
  patientId: number;
  label: 'End' | 'End standby';
  onEnded: () => void;
}

/** Ends the standby of a patient before its time, after a question, and says why if it could not be ended. */
export function EndStandby({ patientId, label, onEnded }: EndStandbyProps) {
  const end = useCall('endStandby');
  const { failure, isWaiting, carryOut } = useAction();
  const isLost = useServerLost() !== null;
  return (
    <>
      <span aria-busy={isWaiting} title={isLost ? 'Not reachable: nothing can be sent now' : undefined}>
        <ConfirmButton
          label={label}
          name="End standby"
          question="End the standby? Alerts are raised again from now on."
          disabled={isLost}
          // The patient's name is above it.
          placement="bottom"
          onConfirm={() => void carryOut(() => end({ params: { id: patientId } }), onEnded)}
        />
      </span>
      <FormFailure failure={failure} done="ended" />
    </>
  );
}
