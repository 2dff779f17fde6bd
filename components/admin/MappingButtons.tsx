import type { ReactNode } from 'react';
import { useCall } from '../../hooks/useCall';
import type { Mapping } from '../../lib/mappings/schema';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { ConfirmButton } from '../ui/ConfirmButton';
import type { useAction } from '../ui/useAction';
import styles from './admin.module.css';

interface MappingButtonsProps {
  of: 'Bed' | 'Code';
  /** The button of who may confirm it. */
  children: ReactNode;
  mapping: Mapping;
  user: User;
  /** "ICU^^7 is North 7": what the mapping says. */
  claim: string;
  /** What ending and undoing it does, as questions. */
  questions: { end: string; undo: string };
  action: ReturnType<typeof useAction>;
}

/** Decides on a mapping: another person confirms what one has proposed; it ends, or it was wrong. Each asks first. */
export function MappingButtons({ of, children, mapping, user, claim, questions, action }: MappingButtonsProps) {
  const end = useCall(`end${of}Mapping`);
  const undo = useCall(`undo${of}Mapping`);
  const { isWaiting, carryOut } = action;
  const isProposal = mapping.confirmed === null;
  const params = { id: mapping.id };
  const endLabel = isProposal ? 'Reject' : 'End';
  return (
    <div className={`${styles.actions} ${styles.oneLine}`}>
      {mapping.canConfirm ? children : null}
      <ConfirmButton
        label={endLabel}
        name={`${endLabel} that ${claim}`}
        question={isProposal ? `Reject that ${claim}?` : questions.end}
        disabled={isWaiting}
        onConfirm={() => void carryOut(() => end({ params }))}
      />
      {isProposal || !can(user, 'confirmMappings') ? null : (
        <ConfirmButton
          label="Undo"
          name={`Undo that ${claim}`}
          question={questions.undo}
          disabled={isWaiting}
          onConfirm={() => void carryOut(() => undo({ params }))}
        />
      )}
    </div>
  );
}

/** Says how far a mapping is; `none`: what becomes of the values without one. */
export function mappingState(mapping: Mapping | null, none: string, timeZone: string): string {
  if (mapping === null) {
    return none;
  }
  const { proposed, confirmed } = mapping;
  return confirmed === null
    ? `Proposed by ${proposed.by.name}, waits for a physician or a ward lead`
    : `Confirmed by ${confirmed.by.name} since ${formatDayAndTime(Date.parse(confirmed.at), timeZone)}`;
}
