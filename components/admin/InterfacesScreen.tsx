import { Button } from 'antd';
import { useState, type ReactNode } from 'react';
import { useCall } from '../../hooks/useCall';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import type {
  ConnectionRefusal,
  ListedSender,
  ListedUnknownSender,
  SendersResponse,
} from '../../lib/interfaces/schema';
import { clockWords, rateWords, tookWords } from '../../lib/interfaces/senderWords';
import { markTrial } from '../../lib/patients/markTrial';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { Age } from '../ui/Age';
import { AsyncView } from '../ui/AsyncView';
import banner from '../ui/Banner.module.css';
import { ConfirmButton } from '../ui/ConfirmButton';
import { FormFailure } from '../ui/FormFailure';
import { ListSkeleton } from '../ui/ListSkeleton';
import { onDemand } from '../ui/onDemand';
import { useAction } from '../ui/useAction';
import styles from './admin.module.css';
import { AdminNavigation } from './AdminNavigation';
import { AdminTable } from './AdminTable';
import { MessagesSection } from './MessagesSection';
import { SenderSettingsSection } from './SenderSettingsSection';

const AcceptSenderDrawer = onDemand(() => import('./AcceptSenderDrawer').then((module) => module.AcceptSenderDrawer));

/** The HL7 gateways of the site for its administrators, and what came of their messages. */
export function InterfacesScreen({ user, now }: { user: User; now: number }) {
  const [acceptedId, setAcceptedId] = useState<number | null>(null);
  return (
    <div className={styles.screen}>
      <AdminNavigation user={user} />
      <h1>Interfaces</h1>
      {can(user, 'manageDevices') ? <Senders user={user} now={now} onAccepted={setAcceptedId} /> : null}
      {can(user, 'readMappings') ? <SenderSettingsSection user={user} acceptedId={acceptedId} /> : null}
      <MessagesSection user={user} />
    </div>
  );
}

/** The gateways of the site, and those that no site has accepted. */
function Senders({ user, now, onAccepted }: { user: User; now: number; onAccepted: (id: number) => void }) {
  const answer = useRead('listSenders', {});
  const revoke = useCall('revokeSender');
  const { failure, carryOut } = useAction();
  const [accepting, setAccepting] = useState<ListedUnknownSender | null>(null);
  const { timeZone } = user.site;
  const at = useNow(now);
  const ageOf = (instant: string) => (
    <>
      <Age since={Date.parse(instant)} now={at} timeZone={timeZone} /> ago
    </>
  );
  return (
    <>
      <AsyncView
        answer={answer}
        skeleton={<ListSkeleton label="Interfaces are loading" rows={3} />}
        timeZone={timeZone}
      >
        {({ door, items, unknown, refusedConnections }) => (
          <div className={styles.screen}>
            <Door door={door} />
            <h2>Senders</h2>
            <FormFailure failure={failure} done="revoked" />
            {items.length === 0 ? (
              <p className={styles.text}>No sender is accepted yet.</p>
            ) : (
              <AdminTable label="Senders" columns={senderColumns} hasActions region="Senders">
                {items.map((sender) => (
                  <SenderRow
                    key={sender.id}
                    sender={sender}
                    lastMessage={sender.lastMessageAt === null ? 'None yet' : ageOf(sender.lastMessageAt)}
                    onRevoke={() => void carryOut(() => revoke({ params: { id: sender.id } }))}
                  />
                ))}
              </AdminTable>
            )}
            <h2>Unknown senders</h2>
            <p className={styles.text}>
              {unknown.length === 0
                ? 'None now.'
                : 'Their messages were refused. Only their structure is kept, not their contents. Accept only a ' +
                  'gateway that you expect: its values reach patients of this site.'}
            </p>
            {unknown.length === 0 ? null : (
              <AdminTable label="Unknown senders" columns={unknownColumns} hasActions region="Unknown senders">
                {unknown.map((sender) => (
                  <tr key={sender.id} className="ant-table-row">
                    <th scope="row" className="ant-table-cell">
                      {peerOf(sender)}
                      {sender.certificate === null ? null : <div className={styles.quiet}>{sender.address}</div>}
                    </th>
                    <td className="ant-table-cell">{namesOf(sender)}</td>
                    <td className="ant-table-cell">{sender.messages}</td>
                    <td className={`ant-table-cell ${styles.fixed}`}>
                      {ageOf(sender.lastAt)}, first {ageOf(sender.firstAt)}
                    </td>
                    <td className="ant-table-cell">
                      <Button
                        aria-label={`Accept ${peerOf(sender)}, ${namesOf(sender)}`}
                        onClick={() => {
                          setAccepting(sender);
                        }}
                      >
                        Accept
                      </Button>
                    </td>
                  </tr>
                ))}
              </AdminTable>
            )}
            {refusedConnections.length === 0 ? null : (
              <>
                <h2>Refused connections</h2>
                <p className={styles.text}>
                  What they sent is no HL7 message. Only its shape is shown: letters as a, digits as 9.
                </p>
                <AdminTable label="Refused connections" columns={refusedColumns} region="Refused connections">
                  {refusedConnections.map(({ address, reason, shape, count, lastAt }) => (
                    <tr key={`${address} ${reason}`} className="ant-table-row">
                      <th scope="row" className="ant-table-cell">
                        {address}
                      </th>
                      <td className="ant-table-cell">
                        {refusalWords[reason]}
                        {shape === null ? null : <div className={styles.quiet}>{shape}</div>}
                      </td>
                      <td className="ant-table-cell">{count}</td>
                      <td className={`ant-table-cell ${styles.fixed}`}>{ageOf(lastAt)}</td>
                    </tr>
                  ))}
                </AdminTable>
              </>
            )}
          </div>
        )}
      </AsyncView>
      {accepting === null ? null : (
        <AcceptSenderDrawer
          key={accepting.id}
          sender={accepting}
          onAccepted={onAccepted}
          onClose={() => {
            setAccepting(null);
          }}
        />
      )}
    </>
  );
}

const senderColumns = [
  ...['Sender', 'From', 'Connections', 'Last message', 'Answer time', 'Monitor clocks'],
  ...['Used', 'Quarantine', 'Refused'],
];
const unknownColumns = ['From', 'MSH-3 and MSH-4', 'Messages', 'Last'];

const refusedColumns = ['From', 'Reason', 'Connections', 'Last'];

const refusalWords: Readonly<Record<ConnectionRefusal, string>> = {
  no_certificate: 'It showed no certificate',
  expired: 'Its certificate has expired',
  wrong_certificate: 'Its certificate is not of the CA in HL7_TLS_CA, or cannot be used',
  not_trusted: 'It does not trust the certificate of this server',
  not_tls: 'It sent no TLS',
  not_agreed: 'No version of TLS or cipher in common',
  unfinished: 'It did not finish the handshake',
  other: 'Another fault of the handshake',
  no_frame: 'Text that is in no frame: 0x0B is missing',
  no_start: 'A message without 0x0B before it',
  batch: 'A batch (FHS, BHS): each message needs a frame of its own',
  bom: 'A byte order mark before MSH',
  not_hl7: 'A frame that is not HL7',
};

/** Says who is at the other end, by the certificate where there is one. */
function peerOf({ certificate, address }: Pick<ListedSender, 'certificate' | 'address'>): string {
  return certificate === null ? address : `Certificate ${certificate}`;
}

/** Says what a sender calls itself. */
function namesOf({ application, facility }: Pick<ListedSender, 'application' | 'facility'>): string {
  return `${application === '' ? 'empty' : application} · ${facility === '' ? 'empty' : facility}`;
}

/** Says where gateways connect, and warns if others can read what they send. */
function Door({ door }: Pick<SendersResponse, 'door'>) {
  if (door === null) {
    return <p className={styles.text}>HL7 is switched off. The setting HL7_PORT switches it on.</p>;
  }
  return (
    <>
      {door.isExposed ? (
        <p className={banner.notice}>
          <strong>HL7 is not encrypted.</strong> Patient data of these gateways can be read on the network. Use
          HL7_TLS_CERT and HL7_TLS_KEY except on a network for them alone.
        </p>
      ) : null}
      <p className={styles.text}>
        HL7 v2 gateways connect to port {door.port} of {door.host}
        {door.isEncrypted ? ' with TLS' : ''}. Counts start with the server. Rates and answer times cover the last five
        minutes.
      </p>
    </>
  );
}

interface SenderRowProps {
  sender: ListedSender;
  lastMessage: ReactNode;
  onRevoke: () => void;
}

function SenderRow({ sender, lastMessage, onRevoke }: SenderRowProps) {
  const { name, certificate, revokedAt, connections, answers, unmapped, repeated, broken } = sender;
  const { rate, answerMs, clockBehindMs } = sender;
  const details = [
    ...(sender.settingsVersion === 0 ? ['questions open: no values used yet'] : []),
    ...(sender.takesNumberAlone ? [`MRN alone${sender.settingsVersion === 1 ? ': decide' : ' is enough'}`] : []),
    ...(repeated === 0 ? [] : [`${repeated} repeated`]),
    ...(broken === 0 ? [] : [`${broken} broken`]),
    ...(unmapped.length === 0
      ? []
      : [`unknown codes: ${unmapped.map(({ code, count }) => `${code} (${count})`).join(', ')}`]),
  ];
  return (
    <tr className="ant-table-row">
      <th scope="row" className="ant-table-cell">
        {markTrial(name, sender)}
        {details.length === 0 ? null : <div className={styles.quiet}>{details.join('; ')}</div>}
      </th>
      <td className="ant-table-cell">
        {peerOf(sender)}
        {certificate === null ? <div className={styles.quiet}>{namesOf(sender)}</div> : null}
      </td>
      <td className="ant-table-cell">{revokedAt === null ? connections : 'Revoked'}</td>
      <td className={`ant-table-cell ${styles.fixed}`}>
        {lastMessage}
        {sender.lastMessageAt === null ? null : <div className={styles.quiet}>{rateWords(rate)}</div>}
      </td>
      <td className={`ant-table-cell ${styles.fixed}`}>
        {answerMs === null ? (
          'None in 5 min'
        ) : (
          <>
            {tookWords(answerMs.middle)}
            <div className={styles.quiet}>Longest {tookWords(answerMs.longest)}</div>
          </>
        )}
      </td>
      <td className="ant-table-cell">{clockWords(clockBehindMs)}</td>
      <td className="ant-table-cell">{answers.AA}</td>
      <td className="ant-table-cell">{answers.AE}</td>
      <td className="ant-table-cell">{answers.AR}</td>
      <td className="ant-table-cell">
        {revokedAt === null ? (
          <ConfirmButton
            label="Revoke"
            name={`Revoke ${name}`}
            question={`Revoke ${name}? Its messages are refused, and its values are no longer expected.`}
            onConfirm={onRevoke}
          />
        ) : null}
      </td>
    </tr>
  );
}
