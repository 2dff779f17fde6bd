import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import type {
  ListedMessage,
  MessagesResponse,
  OpenedMessage,
  KeepingFault,
  MessageReason,
} from '../../lib/interfaces/schema';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { formatDateAndSeconds } from '../../lib/time/formatTime';
import { AsyncView } from '../ui/AsyncView';
import banner from '../ui/Banner.module.css';
import { FormFailure } from '../ui/FormFailure';
import { ListSkeleton } from '../ui/ListSkeleton';
import { Pages } from '../ui/Pages';
import { onDemand } from '../ui/onDemand';
import { useAction } from '../ui/useAction';
import { AdminTable } from './AdminTable';
import styles from './admin.module.css';

/** Why a message was not wholly taken, or got no answer of its own. */
const reasonWords = {
  malformed_sample: 'A value whose status is not known (OBX-11)',
  unknown_patient: 'The patient is not known',
  other_site_patient: 'The patient is of another site',
  discharged_patient: 'The patient is discharged',
  not_its_patient: 'The device does not send for this patient',
  unknown_kind: 'A kind of value that is not known',
  impossible_value: 'A value that no patient has',
  unparsable_time: 'A value without a readable time',
  time_in_future: 'A time in the future',
  identity_conflict: 'No patient matches it',
  no_identifier: 'No patient number and no bed',
  unknown_bed: 'The bed is not mapped',
  empty_bed: 'No patient was in the bed',
  bed_changing: 'The patient of the bed changed about then',
  training: 'Training or demo',
  clock_wrong: 'A time more than 24 h from ours',
  unknown_unit: 'A unit that is not taken',
  too_many_sources: 'The sender has too many sources',
  unknown_code: 'A code that is not known',
  not_hl7: 'Not one HL7 message',
  charset: 'A character set that is not read (MSH-18)',
  wrong_code: 'The code was mapped to another vital sign',
  no_control_id: 'MSH-10 is empty',
  message_type: 'Not ORU^R01 (MSH-9)',
  processing_id: 'MSH-11 is not P, T or D',
  version: 'Not version 2 (MSH-12)',
  not_stored: 'Nothing could be stored: it has to come again',
  too_long: 'Longer than 128 KiB',
  repeated: 'Sent again: it got the answer of the first',
  acknowledgement: 'An answer, which gets none',
} as const satisfies Record<MessageReason, string>;

/** Why contents are not kept now. */
const faultWords = {
  key: 'The key can be neither read nor made. See HL7_RAW_KEY_FILE in the documentation.',
  disk: 'The disk of the server is nearly full, or takes no file.',
  storage: 'Nothing can be stored now.',
} as const satisfies Record<KeepingFault, string>;

/** Says what became of a message. */
function fateText({ fate, isWhole }: Pick<ListedMessage, 'fate' | 'isWhole'>): string {
  switch (fate) {
    case 'AA':
      return isWhole ? 'Taken (AA)' : 'Partly taken (AA)';
    case 'AE':
      return 'Nothing used (AE)';
    case 'AR':
      return 'Refused (AR)';
    case 'none':
      return 'Not evaluated';
  }
}

/** Returns "2.1 kB" for a number of bytes, and "140 bytes" below 1,000. */
function sizeText(bytes: number): string {
  return bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`;
}

const MessageDrawer = onDemand(() => import('./MessageDrawer').then((module) => module.MessageDrawer));

const perPage = 50;
/** A list that moves under the pointer cannot be used: it is read again by the button. In milliseconds. */
const everyMs = 60_000;

/** The last messages of the senders of the site, and what became of them. */
export function MessagesSection({ user }: { user: User }) {
  const [isPartial, setIsPartial] = useState(false);
  const [page, setPage] = useState(1);
  const [opened, setOpened] = useState<OpenedMessage | null>(null);
  const answer = useRead(
    'listMessages',
    { query: { which: isPartial ? 'notWhole' : 'all' } },
    { keepPreviousData: true, everyMs },
  );
  const open = useCall('openMessage');
  const { failure, isWaiting, carryOut } = useAction();
  const mayOpen = can(user, 'openMessages');
  const { timeZone } = user.site;
  return (
    <>
      <h2>Messages</h2>
      <div className={styles.toolbar}>
        <Checkbox
          className={styles.check}
          checked={isPartial}
          onChange={({ target }) => {
            setIsPartial(target.checked);
            setPage(1);
          }}
        >
          Only those that were not wholly taken
        </Checkbox>
        <Button onClick={() => void answer.refresh()}>Refresh</Button>
      </div>
      <FormFailure>{failure === null ? null : `Not opened. ${failure.message}`}</FormFailure>
      <AsyncView
        answer={answer}
        isEmpty={() => false}
        skeleton={<ListSkeleton label="Messages are loading" rows={3} />}
        empty={() => null}
        timeZone={timeZone}
      >
        {({ items, kept }) => (
          <div className={styles.screen}>
            <Kept kept={kept} />
            {items.length === 0 ? (
              <p className={styles.text}>No messages.</p>
            ) : (
              <AdminTable label="Messages" columns={columns} hasActions={mayOpen} region="Messages">
                {items.slice((page - 1) * perPage, page * perPage).map((message) => (
                  <MessageRow
                    key={message.id}
                    message={message}
                    timeZone={timeZone}
                    onOpen={
                      mayOpen
                        ? () =>
                            void carryOut(async () => {
                              setOpened(await open({ params: { id: message.id } }));
                            })
                        : null
                    }
                    isWaiting={isWaiting}
                  />
                ))}
              </AdminTable>
            )}
            {items.length > perPage ? (
              <Pages current={page} pageSize={perPage} total={items.length} onPage={setPage} />
            ) : null}
          </div>
        )}
      </AsyncView>
      {opened === null ? null : (
        <MessageDrawer
          key={opened.id}
          message={opened}
          onClose={() => {
            setOpened(null);
          }}
        />
      )}
    </>
  );
}

const columns = ['Received', 'Sender', 'Size', 'Answer', 'Why'];

const megabytes = (bytes: number): string => Math.ceil(bytes / 1_048_576).toLocaleString('en-GB');

/** Says how much is kept and for how long, and why nothing is kept now. */
function Kept({ kept: { usedBytes, mostBytes, notKept, fault } }: Pick<MessagesResponse, 'kept'>) {
  return (
    <>
      {fault === null ? null : (
        <p className={banner.notice}>
          <strong>What is in messages is not kept.</strong> {faultWords[fault]}
        </p>
      )}
      <p className={styles.text}>
        The last 500. What is in them is kept encrypted: all for 24 hours, those not wholly taken for 30 days.{' '}
        {`${megabytes(usedBytes)} of ${megabytes(mostBytes)} MB are used`}
        {notKept === 0 ? '' : `; ${notKept} were not kept since the server’s start`}.
      </p>
    </>
  );
}

interface MessageRowProps {
  message: ListedMessage;
  timeZone: string;
  /** Null: the user may not. */
  onOpen: (() => void) | null;
  isWaiting: boolean;
}

function MessageRow({ message, timeZone, onOpen, isWaiting }: MessageRowProps) {
  const { receivedAt, sender, bytes, reason, isKept } = message;
  const when = formatDateAndSeconds(Date.parse(receivedAt), timeZone);
  return (
    <tr className="ant-table-row">
      <th scope="row" className={`ant-table-cell ${styles.fixed}`}>
        {when}
      </th>
      <td className="ant-table-cell">{sender}</td>
      <td className={`ant-table-cell ${styles.fixed}`}>{sizeText(bytes)}</td>
      <td className="ant-table-cell">{fateText(message)}</td>
      <td className="ant-table-cell">{reason === null ? '' : reasonWords[reason]}</td>
      {onOpen === null ? null : (
        <td className="ant-table-cell">
          {isKept ? (
            <Button aria-label={`Open the message of ${when}`} disabled={isWaiting} onClick={onOpen}>
              Open
            </Button>
          ) : (
            'Not kept'
          )}
        </td>
      )}
    </tr>
  );
}
