import { useChart } from '../../hooks/useChart';
import { useRead } from '../../hooks/useRead';
import { telHref } from '../../lib/checkIn/telHref';
import { choiceWords } from '../../lib/chart/entryWords';
import type { Chart } from '../../lib/chart/schema';
import { formatCalendarDate } from '../../lib/time/formatTime';
import { ListSkeleton } from '../ui/ListSkeleton';
import styles from './AlertDrawer.module.css';

/**
 * The date of birth, by which the patient is known on the phone, and the numbers of their chart, their own first, for a
 * user who was asked to call.
 */
export function CallNumbers({ patientId }: { patientId: number }) {
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
