import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import { reasonWords } from '../../lib/interfaces/reasonWords';
import type {
  CheckedMessage,
  KeepingFault,
  ListedMessage,
  MessagesResponse,
  OpenedMessage,
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

/** Why contents are not kept now. */
const faultWords = {
  key: 'The key can be neither read nor made. See HL7_RAW_KEY_FILE in the documentation.',
  disk: 'The disk of the server is nearly full, or takes no file.',
  storage: 'Nothing can be stored now.',
} as const satisfies Record<KeepingFault, string>;

/** What became of a message. Its settings say what a sender is answered. */
const fateWords = {
  AA: 'Taken',
  AE: 'Nothing used',
  AR: 'Refused',
  none: 'Not evaluated',
} as const satisfies Record<ListedMessage['fate'], string>;

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
  const [opened, setOpened] = useState<OpenedMessage | CheckedMessage | null>(null);
  const answer = useRead(
    'listMessages',
    { query: { which: isPartial ? 'notWhole' : 'all' } },
    { keepPreviousData: true, everyMs },
  );
  const [open, check] = [useCall('openMessage'), useCall('checkMessage')];
  const { failure, isWaiting, carryOut } = useAction();
  const show = (reading: () => Promise<OpenedMessage | CheckedMessage>): void =>
    void carryOut(async () => {
      setOpened(await reading());
    });
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
      <FormFailure failure={failure} done="opened" />
      <AsyncView answer={answer} skeleton={<ListSkeleton label="Messages are loading" rows={3} />} timeZone={timeZone}>
        {({ items, kept }) => (
          <div className={styles.screen}>
            <Kept kept={kept} />
            {items.length === 0 ? (
              <p className={styles.text}>No messages.</p>
            ) : (
              <AdminTable label="Messages" columns={columns} hasActions region="Messages">
                {items.slice((page - 1) * perPage, page * perPage).map((message) => (
                  <MessageRow
                    key={message.id}
                    message={message}
                    timeZone={timeZone}
                    onCheck={() => show(() => check({ params: { id: message.id } }))}
                    onOpen={mayOpen ? () => show(() => open({ params: { id: message.id } })) : null}
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

const columns = ['Received', 'Sender', 'Size', 'Result', 'Why'];

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
  onCheck: () => void;
  /** Null: the user may not. */
  onOpen: (() => void) | null;
  isWaiting: boolean;
}

function MessageRow({ message, timeZone, onCheck, onOpen, isWaiting }: MessageRowProps) {
  const { receivedAt, sender, bytes, fate, reason, isWhole, isKept } = message;
  const when = formatDateAndSeconds(Date.parse(receivedAt), timeZone);
  const [why, ...settings] = reason === null ? [''] : reasonWords[reason];
  return (
    <tr className="ant-table-row">
      <th scope="row" className={`ant-table-cell ${styles.fixed}`}>
        {when}
      </th>
      <td className="ant-table-cell">{sender}</td>
      <td className={`ant-table-cell ${styles.fixed}`}>{sizeText(bytes)}</td>
      <td className="ant-table-cell">{fate === 'AA' && !isWhole ? 'Partly taken' : fateWords[fate]}</td>
      <td className="ant-table-cell">
        {why}
        {settings.length === 0 ? null : <div className={styles.quiet}>May change with: {settings.join('; ')}</div>}
      </td>
      <td className="ant-table-cell">
        {isKept ? (
          <div className={`${styles.actions} ${styles.oneLine}`}>
            <Button aria-label={`Lines of the message of ${when}`} disabled={isWaiting} onClick={onCheck}>
              Lines
            </Button>
            {onOpen === null ? null : (
              <Button aria-label={`Open the message of ${when}`} disabled={isWaiting} onClick={onOpen}>
                Open
              </Button>
            )}
          </div>
        ) : (
          'Not kept'
        )}
      </td>
    </tr>
  );
}
