import { Button, QRCode, Segmented } from 'antd';
import { useRef, useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import type { CallResponse } from '../../lib/browser/client';
import { newUuid } from '../../lib/browser/newUuid';
import { linkDays, newCheckInLink, type CheckInLink } from '../../lib/checkIn/linkSchema';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { AsyncView } from '../ui/AsyncView';
import { ConfirmButton } from '../ui/ConfirmButton';
import { CopyBox } from '../ui/CopyBox';
import { FormDrawer } from '../ui/FormDrawer';
import { FormFailure } from '../ui/FormFailure';
import { FormField } from '../ui/FormField';
import { ListSkeleton } from '../ui/ListSkeleton';
import { patientIdentity, patientName } from '../ui/PatientName';
import { SchemaForm } from '../ui/SchemaForm';
import { useAction } from '../ui/useAction';
import styles from './care.module.css';
import type { CareDrawerProps } from './careDrawer';

/** Whose phone a link is for. */
const linkForWords = { patient: 'The patient', proxy: 'A person who looks after them' } as const;

/** Returns what became of a link: "Works until 20 May, 10:00". */
function linkStateWords(link: CheckInLink, timeZone: string): string {
  const at = (instant: string | null): string =>
    instant === null ? '' : ` ${formatDayAndTime(Date.parse(instant), timeZone)}`;
  switch (link.state) {
    case 'active':
      return `Works until${at(link.expiresAt)}`;
    case 'expired':
      return `Ended${at(link.expiresAt)}`;
    case 'revoked':
      return `Revoked${at(link.revokedAt)}${link.revokedBy === null ? '' : ` by ${link.revokedBy.name}`}`;
    case 'locked':
      return `Locked${at(link.lockedAt)} after too many wrong years of birth`;
  }
}

/** Returns when a link was opened and on what: a link that no one opens brings no check-ins. */
function linkOpenedWords({ openedAt, lastOpenedAt, openedOn }: CheckInLink, timeZone: string): string {
  if (openedAt === null || lastOpenedAt === null) {
    return 'Not opened so far';
  }
  const at = (instant: string): string => formatDayAndTime(Date.parse(instant), timeZone);
  const device = openedOn === null ? '' : ` on a ${openedOn}`;
  return openedAt === lastOpenedAt
    ? `Opened once, ${at(openedAt)}${device}`
    : `First opened ${at(openedAt)}, last ${at(lastOpenedAt)}${device}`;
}

/** The usual lengths, in days. */
const usual = [7, 14, linkDays.usual, linkDays.most] as const;

/**
 * The links with which a patient, or a person who looks after them, checks in from home. A new one is shown once, here
 * alone: with the drawer its secret is gone.
 */
export function CheckInLinksDrawer({ patient, user, onClose }: CareDrawerProps) {
  const params = { id: patient.id };
  const { timeZone, emergencyNumber } = user.site;
  const links = useRead('listCheckInLinks', { params });
  const create = useCall('createCheckInLink');
  const [created, setCreated] = useState<CallResponse<'createCheckInLink'> | null>(null);
  const [wantsAnother, setWantsAnother] = useState(false);
  /** The same one until a link is there, so that an attempt after a lost response makes no second one. */
  const clientId = useRef<string | null>(null);
  const shown = created?.link.patientId !== patient.id || isOver(created.link, links.data?.items) ? null : created;
  const name = patientName(patient);
  return (
    <FormDrawer title={`Check-in link: ${patientIdentity(patient)}`} onClose={onClose}>
      <div className={styles.drawer}>
        <p>
          With a link the patient sends symptoms and readings from home, and can ask for a call. It opens with the year
          of birth and shows initials only. A discharge ends every link.
        </p>
        {links.data === undefined ? null : <p>{hoursWords(links.data.outOfHoursText)}</p>}
        {shown === null ? null : <NewLink created={shown} name={name} timeZone={timeZone} />}
        {shown !== null && !wantsAnother ? (
          // In place of the form: the second click of a double click would make another link, and hide this one.
          <Button onClick={() => setWantsAnother(true)}>Create another link</Button>
        ) : emergencyNumber === null ? (
          <p role="status">
            <strong>No link can be created: this site has no emergency number.</strong> An administrator can set it on
            the page “Site”. Patients read it wherever they are asked to call for help.
          </p>
        ) : (
          <div ref={wantsAnother ? focusFirst : undefined}>
            <SchemaForm
              schema={newCheckInLink}
              initial={{ for: 'patient' as const, lastsDays: linkDays.usual }}
              send={async (body) => {
                clientId.current ??= newUuid();
                setCreated(await create({ params, body: { ...body, clientId: clientId.current } }));
                setWantsAnother(false);
                clientId.current = null;
              }}
              done="created"
              submitLabel="New link"
            >
              <FormField name="for" label="For">
                <Segmented
                  options={(['patient', 'proxy'] as const).map((value) => ({ value, label: linkForWords[value] }))}
                />
              </FormField>
              <FormField name="lastsDays" label="Works for">
                <Segmented options={usual.map((value) => ({ value, label: `${value} days` }))} />
              </FormField>
            </SchemaForm>
          </div>
        )}
        <AsyncView
          answer={links}
          isEmpty={({ items }) => items.length === 0}
          skeleton={<ListSkeleton label="Links are loading" rows={2} />}
          empty={() => <p>No links yet.</p>}
          timeZone={timeZone}
        >
          {({ patientId, items }) => (patientId === patient.id ? <LinkList links={items} timeZone={timeZone} /> : null)}
        </AsyncView>
      </div>
    </FormDrawer>
  );
}

/** What its page says of the ward's hours: a check-in at night may wait until the morning. */
const hoursWords = (text: string | null): string =>
  text === null
    ? 'Its page does not say when the ward answers. An administrator can set that on the page “Site”, Out of hours.'
    : `Its page says about the ward’s hours: “${text}”`;

/** Puts the keyboard into a form that has taken the place of its button. */
const focusFirst = (form: HTMLElement | null): void => form?.querySelector('input')?.focus();

/** Returns whether a link that was made here works no more: its code must not be scanned then. */
const isOver = ({ id }: CheckInLink, links: readonly CheckInLink[] | undefined): boolean =>
  links?.some((link) => link.id === id && link.state !== 'active') === true;

interface NewLinkProps {
  created: CallResponse<'createCheckInLink'>;
  name: string;
  timeZone: string;
}

function NewLink({ created: { link, address }, name, timeZone }: NewLinkProps) {
  return (
    <section aria-label="New link">
      <CopyBox title={`Link for ${name}: ${linkForWords[link.for].toLowerCase()}`} noun="link" secret={address}>
        It is shown only once. Send it to this person’s phone, or let them scan the code. It works until{' '}
        {formatDayAndTime(Date.parse(link.expiresAt), timeZone)}.
      </CopyBox>
      {/* It says the same as the field. Black on white at night too: not every camera reads the inverse. */}
      <div aria-hidden="true" data-phi>
        <QRCode value={address} type="svg" size={200} color="black" bgColor="white" errorLevel="M" />
      </div>
    </section>
  );
}

function LinkList({ links, timeZone }: { links: readonly CheckInLink[]; timeZone: string }) {
  const revoke = useCall('revokeCheckInLink');
  const { failure, isWaiting, carryOut } = useAction();
  return (
    <>
      <FormFailure failure={failure} done="revoked" />
      {links.map((link) => {
        const made = formatDayAndTime(Date.parse(link.createdAt), timeZone);
        const title = `Link of ${made}`;
        return (
          <section key={link.id} aria-label={title}>
            <h2>{title}</h2>
            <p>
              <strong>{linkStateWords(link, timeZone)}</strong>
              <br />
              For: {linkForWords[link.for].toLowerCase()}. Created by {link.createdBy.name}.
              <br />
              {linkOpenedWords(link, timeZone)}.
            </p>
            {link.state === 'active' ? (
              <ConfirmButton
                label="Revoke"
                name={`Revoke the link of ${made}`}
                question="Revoke this link? It stops at once, and what is typed there cannot be sent."
                disabled={isWaiting}
                onConfirm={() => void carryOut(() => revoke({ params: { id: link.id } }))}
              />
            ) : null}
          </section>
        );
      })}
    </>
  );
}
