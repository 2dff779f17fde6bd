import { ruleName } from '../../lib/alerts/ruleNames';
import { outcomeLabels } from '../../lib/alerts/outcomeLabels';
import type { HandoffFacts } from '../../lib/handoffs/schema';
import { formatAge, formatClock } from '../../lib/time/formatTime';
import { kinds } from '../../lib/vitals/kinds';
import { formatVital } from '../../lib/vitals/roundVital';
import { noteTypes } from '../../lib/notes/noteTypes';
import { actionWords } from './handoffWords';

/** One line of what the product knows of a patient. */
export interface FactLine {
  label: string;
  texts: readonly string[];
}

const priorityWords = { high: 'HIGH', medium: 'MEDIUM', low: 'LOW' } as const;

/** Returns what a handoff says by itself, in lines; each value has its time and how old it was. */
export function factLines(facts: HandoffFacts, timeZone: string): FactLine[] {
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
            `${priorityWords[priority]} ${clock(raisedAt)}: ${sentence}`,
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
