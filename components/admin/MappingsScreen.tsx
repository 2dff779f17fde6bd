import { Button } from 'antd';
import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import type { SenderBed } from '../../lib/mappings/schema';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { AsyncView } from '../ui/AsyncView';
import { ConfirmButton } from '../ui/ConfirmButton';
import { FormFailure } from '../ui/FormFailure';
import { ListSkeleton } from '../ui/ListSkeleton';
import { onDemand } from '../ui/onDemand';
import { useAction } from '../ui/useAction';
import styles from './admin.module.css';
import { AdminNavigation } from './AdminNavigation';
import { AdminTable } from './AdminTable';

const ProposeBedDrawer = onDemand(() => import('./ProposeBedDrawer').then((module) => module.ProposeBedDrawer));

/** Which of our beds the beds of HL7 senders are. Who knows the equipment proposes, who knows the patients confirms. */
export function MappingsScreen({ user }: { user: User }) {
  const answer = useRead('listMappings', {});
  const [proposing, setProposing] = useState<SenderBed | null>(null);
  return (
    <div className={styles.screen}>
      <AdminNavigation user={user} />
      <h1>Mappings</h1>
      <p className={styles.text}>
        Some monitors send no patient number, only the bed. Their values are given to the patient who is in that bed,
        once two people have said which bed it is: a technician or an administrator proposes, a physician or a ward lead
        confirms. Until then they are refused. End a mapping that was right until now. One that was wrong is undone by a
        physician or a ward lead: what came by it is withdrawn from the patients.
      </p>
      <AsyncView
        answer={answer}
        isEmpty={({ items }) => items.length === 0}
        skeleton={<ListSkeleton label="Mappings are loading" rows={3} />}
        empty={() => <p className={styles.text}>No sender of this site has sent values by bed alone.</p>}
        timeZone={user.site.timeZone}
      >
        {({ items }) => (
          <AdminTable label="Beds" columns={columns} hasActions region="Beds">
            {items.map((bed) => (
              <BedRow
                key={`${bed.senderId} ${bed.bed}`}
                bed={bed}
                user={user}
                onPropose={() => {
                  setProposing(bed);
                }}
              />
            ))}
          </AdminTable>
        )}
      </AsyncView>
      {proposing === null ? null : (
        <ProposeBedDrawer
          key={`${proposing.senderId} ${proposing.bed}`}
          bed={proposing}
          onClose={() => {
            setProposing(null);
          }}
        />
      )}
    </div>
  );
}

const columns = ['Bed as it is sent', 'Sender', 'Messages refused', 'Bed here', 'State'];

function BedRow({ bed: item, user, onPropose }: { bed: SenderBed; user: User; onPropose: () => void }) {
  const { bed, sender, unmapped, mapping } = item;
  const confirm = useCall('confirmBedMapping');
  const end = useCall('endBedMapping');
  const undo = useCall('undoBedMapping');
  const { failure, isWaiting, carryOut } = useAction();
  const place = mapping === null ? '' : `${mapping.unit} ${mapping.bed}`;
  return (
    <tr className="ant-table-row">
      <th scope="row" className="ant-table-cell">
        {bed}
      </th>
      <td className="ant-table-cell">{sender}</td>
      <td className="ant-table-cell">{unmapped}</td>
      <td className="ant-table-cell">{mapping === null ? 'Not known' : place}</td>
      <td className="ant-table-cell">
        {stateText(item, user.site.timeZone)}
        <FormFailure>{failure === null ? null : `Not done. ${failure.message}`}</FormFailure>
      </td>
      <td className="ant-table-cell">
        {mapping === null ? (
          can(user, 'proposeMappings') ? (
            <Button aria-label={`Propose a bed for ${bed}`} onClick={onPropose}>
              Propose a bed
            </Button>
          ) : null
        ) : (
          <>
            {mapping.canConfirm ? (
              <ConfirmButton
                label="Confirm"
                name={`Confirm that ${bed} is ${place}`}
                question={`Is ${bed} of ${sender} the bed ${place}? Its values then are those of the patient there.`}
                disabled={isWaiting}
                onConfirm={() => void carryOut(() => confirm({ params: { id: mapping.id } }))}
              />
            ) : null}{' '}
            <ConfirmButton
              label={mapping.confirmed === null ? 'Reject' : 'End'}
              name={`${mapping.confirmed === null ? 'Reject' : 'End'} that ${bed} is ${place}`}
              question={
                mapping.confirmed === null
                  ? `Reject that ${bed} is ${place}?`
                  : `End that ${bed} is ${place}? Values that name no patient are refused from now on.`
              }
              disabled={isWaiting}
              onConfirm={() => void carryOut(() => end({ params: { id: mapping.id } }))}
            />{' '}
            {mapping.confirmed === null || !can(user, 'confirmMappings') ? null : (
              <ConfirmButton
                label="Undo"
                name={`Undo that ${bed} is ${place}`}
                question={`Was ${bed} never ${place}? All values that came by it are withdrawn from their patients.`}
                disabled={isWaiting}
                onConfirm={() => void carryOut(() => undo({ params: { id: mapping.id } }))}
              />
            )}
          </>
        )}
      </td>
    </tr>
  );
}

function stateText({ mapping }: SenderBed, timeZone: string): string {
  if (mapping === null) {
    return 'Refused';
  }
  const { proposed, confirmed } = mapping;
  return confirmed === null
    ? `Proposed by ${proposed.by.name}, waits for a physician or a ward lead`
    : `Confirmed by ${confirmed.by.name} since ${formatDayAndTime(Date.parse(confirmed.at), timeZone)}`;
}
