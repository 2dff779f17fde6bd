import { Select } from 'antd';
import { useCall } from '../../hooks/useCall';
import { outcomes } from '../../lib/alerts/alertFacts';
import { outcomeLabels } from '../../lib/alerts/outcomeLabels';
import type { ListedDevice, TakingOff } from '../../lib/devices/schema';
import { ConfirmButton } from './ConfirmButton';
import { FormFailure } from './FormFailure';
import { useAction } from './useAction';

interface TakeOffProps {
  device: ListedDevice;
  question: string;
  onDone: () => void;
}

const answers = [
  { value: 'hand_on', label: 'Hand it on: the next people are asked' } as const,
  ...outcomes.map((value) => ({ value, label: outcomeLabels[value] })),
];

/** Takes a device off its patient, and asks what comes of a MEDIUM alert that has no value then (section 00, A4). */
export function TakeOff({ device, question, onDone }: TakeOffProps) {
  const unassign = useCall('unassignDevice');
  const { failure, carryOut } = useAction();
  const takeOff = (query: TakingOff): Promise<boolean> =>
    carryOut(() => unassign({ params: { id: device.id }, query }), onDone);
  return (
    <>
      <FormFailure failure={failure} done="changed" />
      {failure?.code === 'outcome_needed' ? (
        <Select<TakingOff['outcome']>
          aria-label="Outcome of the alert"
          placeholder="Outcome of the alert"
          options={answers}
          onChange={(outcome) => void takeOff({ outcome })}
        />
      ) : null}
      <ConfirmButton
        label="Take off"
        name={`Take off ${device.name}`}
        question={question}
        onConfirm={() => void takeOff({})}
      />
    </>
  );
}
