import { useCall } from '../../hooks/useCall';
import { rejection } from '../../lib/proposals/proposals';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import { Difference } from './Difference';
import type { ProposalItem } from './proposalItem';

interface RejectDrawerProps {
  item: ProposalItem;
  /** The user withdraws their own proposal. */
  isOwn: boolean;
  onClose: () => void;
  onRejected: () => void;
}

/** Rejects a proposal, or withdraws one's own, with a reason. */
export function RejectDrawer({ item, isOwn, onClose, onRejected }: RejectDrawerProps) {
  const { kind, proposal, title, difference } = item;
  const rejectLimits = useCall('rejectSiteLimits');
  const rejectTimes = useCall('rejectEscalationTimes');
  const act = isOwn ? 'Withdraw' : 'Reject';
  return (
    <FormDrawer title={`${act} ${title}`} onClose={onClose}>
      <SchemaForm
        schema={rejection}
        initial={{ reason: '' }}
        send={async (body) => {
          const input = { params: { id: proposal.id }, body };
          await (kind === 'limits' ? rejectLimits(input) : rejectTimes(input));
          onRejected();
        }}
        refusalText={({ message }) => `Not ${isOwn ? 'withdrawn' : 'rejected'}. ${message}`}
        submitLabel={act}
      >
        <Difference lines={difference} />
        <FormField name="reason" label="Reason" hint={isOwn ? undefined : `${proposal.proposedBy.name} reads it`} />
      </SchemaForm>
    </FormDrawer>
  );
}
