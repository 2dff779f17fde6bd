import type { User } from '../../lib/session/schema';
import { BreakGlassOffer } from '../breakGlass/BreakGlassOffer';
import { EmptyState } from '../ui/EmptyState';
import { NativeButton } from '../ui/NativeButton';

interface PatientsEmptyProps {
  /** What left nothing to show. */
  because: 'filter' | 'page' | 'attention' | 'reporting' | 'none';
  /** Set if a text was searched for: emergency access may find the patient. */
  user?: User;
  onShowAll: () => void;
  onFirstPage: () => void;
  /** Omitted if the user may not add patients. */
  onAdd?: () => void;
}

/** What to do next if the list has no rows. */
export function PatientsEmpty({ because, user, onShowAll, onFirstPage, onAdd }: PatientsEmptyProps) {
  switch (because) {
    case 'filter':
      return (
        <EmptyState title="No matching patients.">
          <NativeButton onClick={onShowAll}>Show all active patients</NativeButton>
          {user === undefined ? null : <BreakGlassOffer user={user} />}
        </EmptyState>
      );
    case 'page':
      return (
        <EmptyState title="This page of the list is empty now.">
          <NativeButton onClick={onFirstPage}>Go to the first page</NativeButton>
        </EmptyState>
      );
    case 'attention':
      return (
        <EmptyState title="No open alerts. All patients are reporting SpO2.">
          <NativeButton onClick={onShowAll}>Show all active patients</NativeButton>
        </EmptyState>
      );
    case 'reporting':
      return (
        <EmptyState title="Every patient in this view reports SpO2.">
          <NativeButton onClick={onShowAll}>Show all active patients</NativeButton>
        </EmptyState>
      );
    case 'none':
      return (
        <EmptyState title="No patients yet.">
          {onAdd === undefined ? (
            <p>A nurse, a physician or a ward lead can add the first one.</p>
          ) : (
            <NativeButton look="primary" onClick={onAdd}>
              Add the first patient
            </NativeButton>
          )}
          <p>
            Then connect a device: an administrator adds it under Admin, Devices, and gets the token with which it sends
            vital signs.
          </p>
        </EmptyState>
      );
  }
}
