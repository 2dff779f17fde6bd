import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import type { ListedMessage, MessagesResponse, OpenedMessage } from '../../lib/interfaces/schema';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { formatDateAndSeconds } from '../../lib/time/formatTime';
import { AsyncView } from '../ui/AsyncView';
import banner from '../ui/Banner.module.css';
import { FormFailure } from '../ui/FormFailure';
import { ListSkeleton } from '../ui/ListSkeleton';
import { onDemand } from '../ui/onDemand';
import { Pages } from '../ui/Pages';
import { useAction } from '../ui/useAction';
import styles from './admin.module.css';
import { AdminTable } from './AdminTable';
import { fateText, faultWords, reasonWords, sizeText } from './messageWords';

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
