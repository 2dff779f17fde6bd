import { outcomeLabels } from '../../lib/alerts/outcomeLabels';
import { ruleName } from '../../lib/alerts/ruleNames';
import type { Handoff, HandoffFacts } from '../../lib/handoffs/schema';
import { severities } from '../../lib/handoffs/severities';
import { noteTypes } from '../../lib/notes/noteTypes';
import { formatAge, formatClock } from '../../lib/time/formatTime';
import { kinds } from '../../lib/vitals/kinds';
import { formatVital } from '../../lib/vitals/roundVital';
import { actionWords } from './handoffWords';
import styles from './handoffs.module.css';

/** One line of what the product knows of a patient. */
interface FactLine {
  label: string;
  texts: readonly string[];
}

/** Returns what a handoff says by itself, in lines; each value has its time and how old it was. */
function factLines(facts: HandoffFacts, timeZone: string): FactLine[] {
  const asOf = Date.parse(facts.asOf);
  const clock = (instant: string): string => formatClock(Date.parse(instant), asOf, timeZone);
  const { scale, low, high } = facts.spo2;
  const pauses = [
    facts.standbyUntil === null ? [] : [`Standby until ${clock(facts.standbyUntil)}`],
    facts.comfortCareUntil === null ? [] : [`Comfort care, confirmed until ${clock(facts.comfortCareUntil)}`],
  ].flat();
  return [
    { label: 'Code status', texts: [facts.codeStatus ?? 'not recorded'] },
    { label: 'Allergies', texts: [facts.allergies ?? 'not recorded'] },
    { label: 'SpO2 target', texts: [`${low}-${high} %, NEWS2 scale ${scale}`] },
    {
      label: 'Last values',
      texts: facts.values.map(({ kind, value, asOf: at }) => {
        const age = formatAge(Math.max(0, asOf - Date.parse(at)));
        return `${kinds[kind].label} ${formatVital(kind, value)} ${kinds[kind].unit} at ${clock(at)}, ${age} old`;
      }),
    },
    {
      label: 'Last 12 h (lowest, median, highest)',
      texts: facts.spreads.map(({ kind, min, median, max, minutes }) => {
        const [a, b, c] = [min, median, max].map((value) => formatVital(kind, value));
        return `${kinds[kind].label} ${a}, ${b}, ${c} ${kinds[kind].unit} (${Math.round(minutes / 7.2)} % of the time)`;
      }),
    },
    {
      label: `Alerts since ${clock(facts.since)}`,
      texts: [
        ...facts.alerts.map(({ priority, sentence, raisedAt, closedAt, owner, outcome }) =>
          [
            `${priority.toUpperCase()} ${clock(raisedAt)}: ${sentence}`,
            closedAt === null ? 'open' : `closed ${clock(closedAt)}`,
            owner === null ? 'no owner' : `owner ${owner}`,
            ...(outcome === null ? [] : [outcomeLabels[outcome]]),
          ].join(' · '),
        ),
        ...(facts.alertCount > facts.alerts.length ? [`and ${facts.alertCount - facts.alerts.length} more`] : []),
        ...(facts.alertCount === 0 ? ['none'] : []),
      ],
    },
    {
      label: 'Own limits',
      texts: facts.limits.map(({ rule, values, setBy, setAt }) => {
        const sides = [
          ...(values.low === undefined ? [] : [`low ${values.low ?? 'off'}`]),
          ...(values.high === undefined ? [] : [`high ${values.high ?? 'off'}`]),
        ];
        return `${ruleName(rule)}: ${sides.join(', ')}, ${setBy} ${clock(setAt)}`;
      }),
    },
    { label: 'Paused', texts: pauses },
    { label: 'Still to do', texts: facts.tasks.map((task) => actionWords(task, asOf, timeZone)) },
    {
      label: 'Unread notes',
      texts: facts.notes.map(({ type, author, eventTime }) => `${noteTypes[type]}, ${author} ${clock(eventTime)}`),
    },
  ].filter(({ texts }) => texts.length > 0);
}

interface HandoffTextProps {
  handoff: Handoff;
  /** The server's time, epoch milliseconds. */
  now: number;
  timeZone: string;
}

/** What a handoff says: the severity, what was typed, and what was known. */
export function HandoffText({ handoff, now, timeZone }: HandoffTextProps) {
  const { severity, summary, contingencies, actions, question, readBack } = handoff;
  return (
    <div className={styles.text}>
      <p>
        <strong>{severity === null ? 'No severity' : severities[severity]}</strong>
      </p>
      {summary === '' ? null : <p className={styles.typed}>{summary}</p>}
      {contingencies.length === 0 ? null : (
        <ul aria-label="If-then">
          {contingencies.map(({ condition, action }, place) => (
            <li key={place}>
              If {condition}, then {action}
            </li>
          ))}
        </ul>
      )}
      {actions.length === 0 ? null : (
        <ul aria-label="Actions">
          {actions.map((action) => (
            <li key={action.id}>{actionWords(action, now, timeZone)}</li>
          ))}
        </ul>
      )}
      {question === null ? null : <p>Question: {question}</p>}
      {readBack === null ? null : <p>Read back: {readBack}</p>}
    </div>
  );
}

/** What the product knew of the patient, line by line. */
export function HandoffFactList({ facts, timeZone }: { facts: NonNullable<Handoff['facts']>; timeZone: string }) {
  return (
    <dl className={styles.facts}>
      {factLines(facts, timeZone).map(({ label, texts }) => (
        <div key={label}>
          <dt>{label}</dt>
          {texts.map((text) => (
            <dd key={text}>{text}</dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
