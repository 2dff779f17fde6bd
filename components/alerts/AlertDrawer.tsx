import { Button, Input, Select } from 'antd';
import { useState } from 'react';
import { useChart } from '../../hooks/useChart';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import { contactAnswers, outcomes } from '../../lib/alerts/alertFacts';
import { endedByPeople } from '../../lib/alerts/endedByPeople';
import { contactAnswerLabels } from '../../lib/alerts/escalationWords';
import { outcomeLabels } from '../../lib/alerts/outcomeLabels';
import type { AlertItem } from '../../lib/alerts/schema';
import { contactBody, reassignBody, rejectBody, resolveBody, settleSourceBody } from '../../lib/alerts/schema';
import { assignmentRoleLabels } from '../../lib/assignments/roles';
import type { ApiFailure } from '../../lib/browser/client';
import { choiceWords } from '../../lib/chart/entryWords';
import type { Chart } from '../../lib/chart/schema';
import { telHref } from '../../lib/checkIn/telHref';
import type { User } from '../../lib/session/schema';
import { formatCalendarDate } from '../../lib/time/formatTime';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { ListSkeleton } from '../ui/ListSkeleton';
import { SchemaForm } from '../ui/SchemaForm';
import { notDone } from '../ui/notDone';
import styles from './AlertDrawer.module.css';
import { ClosedWords } from './ClosedWords';
import { SendToChatForm } from './SendToChatForm';
import { alertChoices, type AlertDialog } from './alertChoices';
import { alertPlace, alertSubject } from './alertSubject';

/**
 * The date of birth, by which the patient is known on the phone, and the numbers of their chart, their own first, for a
 * user who was asked to call.
 */
function CallNumbers({ patientId }: { patientId: number }) {
  const { data: patient } = useRead('getPatient', { params: { id: patientId } });
  const born = patient?.id === patientId ? formatCalendarDate(patient.dateOfBirth) : '--';
  return (
    <>
      <p>
        Born <strong>{born}</strong>
      </p>
      <Numbers patientId={patientId} />
    </>
  );
}

function Numbers({ patientId }: { patientId: number }) {
  const { data, error } = useChart(patientId);
  if (data === undefined) {
    return error === undefined ? (
      <ListSkeleton label="The phone numbers are loading" rows={1} />
    ) : (
      <p role="alert">The chart cannot be read: {error.message}</p>
    );
  }
  const numbers = numbersOf(data);
  return numbers.length === 0 ? (
    <p>No phone number in the patient chart.</p>
  ) : (
    <ul className={styles.numbers}>
      {numbers.map(({ id, role, who, phone, note }) => (
        <li key={id}>
          <Phone phone={phone} />
          <span>{who === '' ? role : `${role}: ${who}`}</span>
          {note === null ? null : <span>{note}</span>}
        </li>
      ))}
    </ul>
  );
}

function Phone({ phone }: { phone: string }) {
  const href = telHref(phone);
  return href === null ? <strong>{phone}</strong> : <a href={href}>{phone}</a>;
}

function numbersOf({ sections }: Chart) {
  return sections.contacts
    .filter(({ status }) => status === 'current')
    .sort((a, b) => Number(b.value.role === 'patient') - Number(a.value.role === 'patient'))
    .map(({ id, value: { role, name, relation, phone, note } }) => ({
      id,
      phone,
      note,
      role: choiceWords.contactRole[role],
      who: [name, relation].filter((part) => part !== null).join(', '),
    }));
}

interface AlertDrawerProps {
  is: AlertDialog;
  /** As it is now, which the drawer shows. */
  alert: AlertItem;
  /** It has closed since: its sentence is no longer true. */
  isClosed: boolean;
  /** The version that the user saw who opened the drawer: what is sent is about that one. */
  opened: number;
  user: User;
  onClose: () => void;
}

const titles = {
  contact: 'Help outside',
  reject: 'I can’t come',
  source: 'Settle which source counts',
  resolve: 'Resolve the alert',
  reassign: 'Hand the alert over',
  chat: 'Send the alert to the chat',
  phone: 'Call the patient',
} as const satisfies Record<AlertDialog, string>;

/** What needs more than a press: why a user cannot come, what came of the alert, or who takes it instead. */
export function AlertDrawer({ is, alert, isClosed, opened, user, onClose }: AlertDrawerProps) {
  return (
    <FormDrawer title={titles[is]} onClose={onClose}>
      <p className={styles.about}>
        <strong>{alertSubject(alert)}</strong>
        <span>{alertPlace(alert)}</span>
        {isClosed ? <ClosedWords alertId={alert.id} /> : <span>{alert.sentence}</span>}
      </p>
      <DialogForm
        is={is}
        alert={alert}
        opened={opened}
        canResolve={alertChoices(alert, user, isClosed).dialogs.includes('resolve')}
        onDone={onClose}
      />
    </FormDrawer>
  );
}

interface FormProps {
  alert: AlertItem;
  opened: number;
  onDone: () => void;
}

interface DialogProps extends FormProps {
  is: AlertDialog;
  /** Whether the user may, now. */
  canResolve: boolean;
}

function DialogForm({ is, canResolve, ...form }: DialogProps) {
  switch (is) {
    case 'reject':
      return <RejectForm {...form} />;
    case 'contact':
      return <ContactForm {...form} />;
    case 'source':
      return <SourceForm {...form} />;
    case 'resolve':
      return <ResolveForm {...form} />;
    case 'reassign':
      return <ReassignForm {...form} />;
    case 'phone':
      return form.alert.patientId === null ? null : (
        <>
          <CallNumbers patientId={form.alert.patientId} />
          {canResolve ? <AfterCall {...form} /> : null}
        </>
      );
    case 'chat':
      return <SendToChatForm alert={form.alert} onDone={form.onDone} />;
    default:
      return is satisfies never;
  }
}

type ActFormProps<Typed extends object, Body> = Pick<FormProps, 'opened' | 'onDone'> &
  Omit<Parameters<typeof SchemaForm<Typed, Body>>[0], 'send' | 'refusalText' | 'bodyOf'> & {
    send: (body: Body) => Promise<unknown>;
    done: Parameters<typeof notDone>[0];
  };

/**
 * Sends an act on the version of the alert that the user knows. A newer one that a poll brought counts only after a
 * refusal has named it: else a click on an older state would succeed.
 */
function ActForm<Typed extends object, Body>({ opened, onDone, send, done, ...form }: ActFormProps<Typed, Body>) {
  const [version, setVersion] = useState(opened);
  return (
    <SchemaForm<Typed, Body>
      {...form}
      bodyOf={(typed) => ({ ...typed, version })}
      send={async (body) => {
        await send(body).catch((problem: ApiFailure) => {
          setVersion(problem.conflict?.alert.version ?? version);
          throw problem;
        });
        onDone();
      }}
      refusalText={(failure) => notDone(done, failure)}
    />
  );
}

function RejectForm({ alert, ...form }: FormProps) {
  const reject = useCall('rejectAlert');
  return (
    <ActForm
      {...form}
      schema={rejectBody}
      initial={{ reason: '' }}
      send={(body) => reject({ params: { id: alert.id }, body })}
      done="sent"
      submitLabel="I can’t come"
    >
      <FormField name="reason" label="Why" hint="The next people are asked at once and read it.">
        <Input autoComplete="off" />
      </FormField>
    </ActForm>
  );
}

/** Whether somebody called the help outside that the last step asks for: no one has taken the alert by that. */
function ContactForm({ alert, ...form }: FormProps) {
  const answerContact = useCall('answerContact');
  return (
    <ActForm
      {...form}
      schema={contactBody}
      initial={{ answer: undefined, reason: '' }}
      send={(body) => answerContact({ params: { id: alert.id }, body })}
      done="recorded"
      submitLabel="Record"
    >
      <FormField name="answer" label="Help outside" hint="The alert goes on until somebody takes it.">
        <Select options={contactAnswers.map((value) => ({ value, label: contactAnswerLabels[value] }))} />
      </FormField>
      <FormField name="reason" label="Why it is not needed" isOptional>
        <Input autoComplete="off" />
      </FormField>
    </ActForm>
  );
}

/** Which of two oximeters that contradict each other counts, or that both do again. */
function SourceForm({ alert, ...form }: FormProps) {
  const settle = useCall('settleAlertSource');
  const sources = (alert.sources ?? []).map(({ id, name }) => ({ value: id, label: `${name} counts` }));
  return (
    <ActForm
      {...form}
      schema={settleSourceBody}
      initial={{ deviceId: undefined, reason: '' }}
      send={(body) => settle({ params: { id: alert.id }, body })}
      done="settled"
      submitLabel="Settle"
    >
      <FormField
        name="deviceId"
        label="Source"
        hint="Until the shift ends, as long as its values arrive and are reliable."
      >
        <Select options={[...sources, { value: 0, label: 'All sources count' }]} />
      </FormField>
      <FormField name="reason" label="Why">
        <Input autoComplete="off" />
      </FormField>
    </ActForm>
  );
}

/** What comes after a call: who was reached resolves the alert, and says so in its note. */
function AfterCall(form: FormProps) {
  const [isReached, setIsReached] = useState(false);
  return (
    <section aria-label="After the call" className={styles.after}>
      {isReached ? (
        <ResolveForm {...form} note="Reached by phone. " />
      ) : (
        <>
          <Button onClick={() => setIsReached(true)}>Reached: resolve the alert …</Button>
          <p>Not reached: the alert stays open until someone resolves it.</p>
        </>
      )}
    </section>
  );
}

function ResolveForm({ alert, note = '', ...form }: FormProps & { note?: string }) {
  const resolve = useCall('resolveAlert');
  return (
    <ActForm
      {...form}
      schema={resolveBody}
      initial={{ outcome: undefined, note }}
      send={(body) => resolve({ params: { id: alert.id }, body })}
      done="resolved"
      submitLabel="Resolve"
    >
      <FormField
        name="outcome"
        label="What came of it"
        hint={
          alert.condition === 'active' && !endedByPeople.has(alert.rule)
            ? 'The alert closes when the condition ends.'
            : 'The alert closes at once.'
        }
      >
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          options={outcomes.map((value) => ({ value, label: outcomeLabels[value] }))}
        />
      </FormField>
      <FormField name="note" label="Note" isOptional>
        <Input.TextArea rows={3} />
      </FormField>
    </ActForm>
  );
}

function ReassignForm({ alert, ...form }: FormProps) {
  const reassign = useCall('reassignAlert');
  const { data, error } = useRead('listAlertCandidates', { params: { id: alert.id } });
  const people = (data?.items ?? []).map(({ id, name, roles }) => ({
    value: id,
    label: [name, ...roles.map((role) => assignmentRoleLabels[role].toLowerCase())].join(', '),
  }));
  return (
    <ActForm
      {...form}
      schema={reassignBody}
      initial={{ userId: undefined }}
      send={(body) => reassign({ params: { id: alert.id }, body })}
      done="handed over"
      submitLabel="Ask them"
    >
      <FormField
        name="userId"
        label="Who"
        hint={
          error === undefined
            ? 'Only people on duty who see the patient. Its owner keeps the alert until they take it.'
            : error.message
        }
      >
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          loading={data === undefined && error === undefined}
          options={people}
        />
      </FormField>
    </ActForm>
  );
}
