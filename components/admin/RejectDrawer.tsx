import type { ReactNode } from 'react';
import { useCall } from '../../hooks/useCall';
import { rejection } from '../../lib/proposals/proposals';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import type { ProposalItem } from './proposalWords';

interface RejectDrawerProps {
  item: ProposalItem;
  /** The user withdraws their own proposal. */
  isOwn: boolean;
  /** What the proposal changes. */
  change: ReactNode;
  onClose: () => void;
  onRejected: () => void;
}

/** Rejects a proposal, or withdraws one's own, with a reason. */
export function RejectDrawer({ item, isOwn, change, onClose, onRejected }: RejectDrawerProps) {
  const { kind, proposal, title } = item;
  const reject = useCall(`reject${kind}`);
  const act = isOwn ? 'Withdraw' : 'Reject';
  return (
    <FormDrawer title={`${act} ${title}`} onClose={onClose}>
      <SchemaForm
        schema={rejection}
        initial={{ reason: '' }}
        send={async (body) => {
          await reject({ params: { id: proposal.id }, body });
          onRejected();
        }}
        done={isOwn ? 'withdrawn' : 'rejected'}
        submitLabel={act}
      >
        {change}
        <FormField name="reason" label="Reason" hint={isOwn ? undefined : `${proposal.proposedBy.name} reads it`} />
      </SchemaForm>
    </FormDrawer>
  );
}
