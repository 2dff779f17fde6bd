import { useFrozenValue } from '../../hooks/useFrozenValue';
import { useSymptomsToday } from '../../hooks/useSymptomsToday';
import type { SymptomsTodayPage } from '../../lib/symptoms/todaySchema';
import { redFlags, symptoms } from '../../lib/symptoms/symptoms';
import { AsyncView } from '../ui/AsyncView';
import type { DashboardView } from './dashboardUrl';
import styles from './SymptomsToday.module.css';

interface SymptomsTodayProps {
  view: DashboardView;
  /** While the lists of the screen hold still. */
  frozen: number | null;
  timeZone: string;
}

/** What the patients of the dashboard reported on the site's day: how many did, red flags first, then by severity. */
export function SymptomsToday({ view, frozen, timeZone }: SymptomsTodayProps) {
  const answer = useSymptomsToday(view);
  return (
    <section className={styles.section} aria-labelledby="symptoms-today">
      <h2 id="symptoms-today" className={styles.heading}>
        Symptoms today
      </h2>
      <AsyncView
        answer={answer}
        isEmpty={({ reported }) => reported === 0}
        skeleton={<p className={styles.none}>Symptoms are loading</p>}
        empty={({ total }) => (
          <p className={styles.none}>0 of {total} reported today. That does not mean no symptoms.</p>
        )}
        timeZone={timeZone}
      >
        {(today) => <Counts today={today} frozen={frozen} />}
      </AsyncView>
    </section>
  );
}

const steps = ['severe', 'moderate', 'mild', 'absent', 'unanswered'] as const;
const stepWords = { ...Object.fromEntries(steps.map((step) => [step, step])), unanswered: 'no answer' } as Record<
  (typeof steps)[number],
  string
>;

function Counts({ today, frozen }: { today: SymptomsTodayPage; frozen: number | null }) {
  const { total, reported, unreadable } = today;
  const rows = useHeldOrder(today.symptoms, frozen);
  return (
    <>
      <p className={styles.sum}>
        <strong>
          {reported} of {total} reported today
        </strong>
        {unreadable === 0 ? null : `. ? Of ${unreadable} a report cannot be read`}
      </p>
      {today.redFlags.length === 0 ? null : (
        <ul className={styles.flags} aria-label="Red flags today">
          {today.redFlags.map(({ flag, patients }) => (
            <li key={flag}>
              <span aria-hidden="true">◆ </span>
              <strong>{redFlags[flag]}</strong>: {patients} of {total}
            </li>
          ))}
        </ul>
      )}
      <ul className={styles.rows} aria-label="Symptoms today">
        {rows.map((row) => {
          const present = row.severe + row.moderate + row.mild;
          const asked = present + row.absent + row.unanswered;
          const words = [
            ...steps.filter((step) => row[step] > 0).map((step) => `${row[step]} ${stepWords[step]}`),
            ...(row.unreadable === 0 ? [] : [`${row.unreadable} cannot be read`]),
          ].join(', ');
          const notAsked = total - asked - row.unreadable;
          return (
            <li key={row.symptom} className={styles.row} title={`${words}; ${notAsked} of ${total} not asked`}>
              <span className={styles.label}>{symptoms[row.symptom].label}</span>
              <span className={styles.bar} aria-hidden="true">
                {steps.map((step) =>
                  row[step] === 0 ? null : (
                    <span
                      key={step}
                      className={styles.part}
                      data-step={step}
                      style={{ width: `${(row[step] / Math.max(total, 1)) * 100}%` }}
                    >
                      {row[step]}
                    </span>
                  ),
                )}
              </span>
              <span className={styles.count}>
                {present} of {asked} asked
              </span>
              <span className="visually-hidden">: {words}</span>
            </li>
          );
        })}
      </ul>
      <p className={styles.note}>
        The worst answer of each patient today, severe to absent from left to right. Hatched: no answer. Empty: not
        asked{unreadable === 0 ? '' : ', or in a report that cannot be read'}.
      </p>
    </>
  );
}

/** Keeps every symptom in its place while the lists of the screen hold still. A new one comes last. */
function useHeldOrder(
  rows: SymptomsTodayPage['symptoms'],
  frozen: number | null,
): readonly SymptomsTodayPage['symptoms'][number][] {
  const order = useFrozenValue(rows, frozen).map(({ symptom }) => symptom);
  const placeOf = (symptom: SymptomsTodayPage['symptoms'][number]['symptom']): number => {
    const place = order.indexOf(symptom);
    return place === -1 ? order.length : place;
  };
  return [...rows].sort((a, b) => placeOf(a.symptom) - placeOf(b.symptom));
}
