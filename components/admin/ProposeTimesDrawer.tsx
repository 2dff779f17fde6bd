import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { repeatBounds, stepBounds } from '../../lib/alerts/escalationBounds';
import { ofEachPlan, planNames, type EscalationTimes, type PlanName } from '../../lib/alerts/escalationTimes';
import { newEscalationTimes, type EscalationSettings } from '../../lib/alerts/escalationTimesSchema';
import { askedWords, planLabels } from '../../lib/alerts/escalationTimesWords';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import admin from './admin.module.css';
import styles from './AlertSettings.module.css';

interface ProposeTimesDrawerProps {
  settings: EscalationSettings;
  onClose: () => void;
  onProposed: () => void;
}

/** HIGH alerts on the ward count in seconds, all others in minutes. */
const secondsOfUnit = (name: PlanName): number => (name === 'high' ? 1 : 60);

const { raises, withinMinutes: within } = repeatBounds;

/** Proposes escalation times. It shows those that held when it opened. */
export function ProposeTimesDrawer({ settings, onClose, onProposed }: ProposeTimesDrawerProps) {
  const propose = useCall('proposeEscalationTimes');
  const [{ settingId, now, default: usual }] = useState(settings);
  const [open] = useState(() => settings.proposals.find(({ state }) => state === 'proposed'));
  return (
    <FormDrawer title="Propose escalation times" onClose={onClose}>
      <SchemaForm
        schema={newEscalationTimes}
        initial={{ times: typedOf(now), reason: '' }}
        bodyOf={({ times, reason }) => ({
          times: timesOf(times),
          basedOn: settingId,
          replaces: open?.id ?? null,
          reason,
        })}
        send={async (body) => {
          await propose({ body });
          onProposed();
        }}
        done="proposed"
        submitLabel="Propose"
      >
        {open === undefined ? null : (
          <p className={admin.warning}>It replaces the proposal of {open.proposedBy.name}.</p>
        )}
        {planNames.map((name) => (
          <fieldset key={name} className={styles.plan}>
            <legend>
              {planLabels[name]}: {name === 'high' ? 'seconds' : 'minutes'} after it was raised
            </legend>
            <div className={styles.steps}>
              {stepBounds[name].map(({ min, max }, step) => (
                <FormField
                  key={`${name} ${min}`}
                  name={['times', 'steps', name, String(step)]}
                  label={`Step ${step + 1}`}
                  hint={`${askedWords(name, step + 1)}; ${inUnit(name, min)} to ${inUnit(name, max)}, default ${inUnit(
                    name,
                    usual.steps[name][step] ?? 0,
                  )}`}
                  inputMode="decimal"
                />
              ))}
            </div>
          </fieldset>
        ))}
        <fieldset className={styles.plan}>
          <legend>One step further by itself after</legend>
          <div className={styles.steps}>
            <FormField
              name={['times', 'repeat', 'raises']}
              label="HIGH raises"
              hint={`${raises.min} to ${raises.max}, default ${usual.repeat.raises}`}
              inputMode="numeric"
            />
            <FormField
              name={['times', 'repeat', 'withinMinutes']}
              label="Within minutes"
              hint={`${within.min} to ${within.max}, default ${usual.repeat.withinMinutes}`}
              inputMode="numeric"
            />
          </div>
        </fieldset>
        <FormField name="reason" label="Reason" hint="The user who approves reads it" />
      </SchemaForm>
    </FormDrawer>
  );
}

const inUnit = (name: PlanName, seconds: number): string => String(seconds / secondsOfUnit(name));

/** What is typed: each step as text, by its place, so that each error finds its field. */
interface TypedTimes {
  steps: Record<PlanName, Record<string, string>>;
  repeat: { raises: string; withinMinutes: string };
}

function typedOf({ steps, repeat }: EscalationTimes): TypedTimes {
  const typed = (name: PlanName): Record<string, string> =>
    Object.fromEntries(steps[name].map((after, step) => [String(step), inUnit(name, after)]));
  return {
    steps: ofEachPlan(typed),
    repeat: { raises: String(repeat.raises), withinMinutes: String(repeat.withinMinutes) },
  };
}

function timesOf({ steps, repeat }: TypedTimes): EscalationTimes {
  const times = (name: PlanName): number[] =>
    stepBounds[name].map((_, step) => secondsOf(name, steps[name][String(step)] ?? ''));
  return {
    steps: ofEachPlan(times),
    repeat: { raises: numberOf(repeat.raises), withinMinutes: numberOf(repeat.withinMinutes) },
  };
}

/** Returns seconds, without the dust of a multiplication: 1.1 min are 66 s. An empty field is no number. */
const secondsOf = (name: PlanName, typed: string): number =>
  Math.round(numberOf(typed) * secondsOfUnit(name) * 1_000) / 1_000;

const numberOf = (typed: string): number => (typed.trim() === '' ? NaN : Number(typed));
