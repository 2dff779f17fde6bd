import { Form, Select } from 'antd';
import { useState } from 'react';
import { z } from 'zod';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import { desatWords } from '../../lib/alerts/desatWords';
import { isOfScore, type AdjustableRule, type LimitValues } from '../../lib/alerts/limits';
import { newLimits, type PatientLimitsResponse } from '../../lib/alerts/limitsSchema';
import { ruleNames } from '../../lib/alerts/ruleNames';
import { formatDate, formatDayAndTime } from '../../lib/time/formatTime';
import { startOfDay } from '../../lib/time/startOfDay';
import { toInstant } from '../../lib/time/schema';
import { AsyncView } from '../ui/AsyncView';
import { dayHints, DayPicker } from '../ui/DayPicker';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { ListSkeleton } from '../ui/ListSkeleton';
import { patientIdentity } from '../ui/PatientName';
import { SchemaForm } from '../ui/SchemaForm';
import styles from './care.module.css';
import type { CareDrawerProps } from './careDrawer';
import { LimitsPreview } from './LimitsPreview';
import { limitWords, readLimit } from './limitWords';

type Item = PatientLimitsResponse['items'][number];

/** The limits of one patient beside the site's and the defaults, and new ones with reason and review date. */
export function LimitsDrawer({ patient, user, onChanged, onClose }: CareDrawerProps) {
  return (
    <FormDrawer title={`Limits: ${patientIdentity(patient)}`} onClose={onClose}>
      <div className={styles.drawer}>
        <Limits
          patient={patient}
          user={user}
          onDone={() => {
            onChanged();
            onClose();
          }}
        />
      </div>
    </FormDrawer>
  );
}

type PartProps = Pick<CareDrawerProps, 'patient' | 'user'> & { onDone: () => void };

function Limits({ patient, user, onDone }: PartProps) {
  const limits = useRead('getLimits', { params: { id: patient.id } });
  const { timeZone } = user.site;
  return (
    <AsyncView answer={limits} skeleton={<ListSkeleton label="Limits are loading" rows={8} />} timeZone={timeZone}>
      {({ items, history, scale }) => {
        const ofScale = items.filter((item) => item.default !== null);
        return (
          <div className={styles.drawer}>
            <div>
              <table className={styles.limits}>
                <caption className={styles.quiet}>SpO2 scale {scale}. The value that applies is bold.</caption>
                <thead>
                  <tr>
                    <th scope="col">Alert</th>
                    <th scope="col">Default</th>
                    <th scope="col">Site</th>
                    <th scope="col">Patient</th>
                    <th scope="col">Applies</th>
                  </tr>
                </thead>
                <tbody>
                  {ofScale.map((item) => (
                    <tr key={item.rule}>
                      <th scope="row">
                        {ruleNames[item.rule]}
                        <div className={styles.quiet}>
                          {item.priority.toUpperCase()} · {item.unit}
                          {item.own?.isReviewDue === true ? ' · review due' : ''}
                        </div>
                        <div className={styles.quiet}>{desatWords(item.rule, item.holds)}</div>
                      </th>
                      <td>{limitWords(item.default, item)}</td>
                      <td>{limitWords(item.site?.values ?? null, item)}</td>
                      <td>{limitWords(item.own?.values ?? null, item)}</td>
                      <td>
                        <strong>{limitWords(item.holds, item)}</strong>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <NewLimits
              patient={patient}
              user={user}
              onDone={onDone}
              onChangedByOthers={() => void limits.refresh()}
              // Only a physician sets the thresholds of the score (clinical.md section 0, N1).
              items={ofScale.filter(({ rule }) => user.type === 'physician' || !isOfScore(rule))}
            />
            {history.length === 0 ? null : (
              <>
                <h2>History</h2>
                <ul className={styles.history}>
                  {history.map((past) => {
                    const row = items.find(({ rule }) => rule === past.rule);
                    return (
                      <li key={`${past.rule} ${past.setAt}`}>
                        {formatDayAndTime(Date.parse(past.setAt), timeZone)}:{' '}
                        {row === undefined ? past.rule : `${ruleNames[row.rule]} ${limitWords(past.values, row)}`},{' '}
                        {past.setBy.name}. <span className={styles.quiet}>{past.reason}</span>
                        {past.reviewAt === null ? null : ` Review ${formatDate(Date.parse(past.reviewAt), timeZone)}.`}
                      </li>
                    );
                  })}
                </ul>
              </>
            )}
          </div>
        );
      }}
    </AsyncView>
  );
}

/** As typed: each limit is a text. */
const limitText = z.custom<number | null | undefined>(
  (value) => value === undefined || value === null || (typeof value === 'number' && Number.isInteger(value)),
  'is neither a whole number nor off',
);
const typedLimits = newLimits.omit({ basedOn: true }).extend({
  values: z.strictObject({ low: limitText.optional(), high: limitText.optional() }),
});

type NewLimitsProps = PartProps & { onChangedByOthers: () => void };

function NewLimits({ items, ...props }: NewLimitsProps & { items: readonly Item[] }) {
  const [rule, setRule] = useState<AdjustableRule | null>(items[0]?.rule ?? null);
  const item = items.find((one) => one.rule === rule);
  if (item === undefined) {
    return null;
  }
  return (
    <>
      <h2>Limits of this patient</h2>
      <Select
        aria-label="Alert"
        value={item.rule}
        onChange={setRule}
        options={items.map((one) => ({ value: one.rule, label: ruleNames[one.rule] }))}
      />
      {/* Each rule has values of its own. */}
      <NewLimitsOfRule key={item.rule} item={item} {...props} />
    </>
  );
}

function NewLimitsOfRule({ item, patient, user, onDone, onChangedByOthers }: NewLimitsProps & { item: Item }) {
  const change = useCall('changeLimits');
  const setAt = item.own?.setAt ?? null;
  const [opened] = useState(setAt);
  // After a refusal the user sees in the table what others have set, and decides once more.
  const [isRefused, setRefused] = useState(false);
  const sides = (['low', 'high'] as const).filter((side) => item.bounds[side] !== null);
  return (
    <SchemaForm
      schema={typedLimits}
      initial={{
        values: { low: textOf(item.own?.values.low), high: textOf(item.own?.values.high) },
        reason: '',
        reviewAt: '',
      }}
      bodyOf={({ values, reason, reviewAt }) => ({
        rule: item.rule,
        values: valuesOf(values, sides),
        reason,
        reviewAt: reviewAt === '' ? null : toInstant(startOfDay(reviewAt, user.site.timeZone)),
      })}
      send={async (body) => {
        try {
          await change({ params: { id: patient.id }, body: { ...body, basedOn: isRefused ? setAt : opened } });
        } catch (error) {
          if (error instanceof Error && 'code' in error && error.code === 'limits_changed') {
            setRefused(true);
            onChangedByOthers();
          }
          throw error;
        }
        onDone();
      }}
      done="set"
      submitLabel="Set limits"
    >
      <div className="field-pair">
        {sides.map((side) => {
          const range = item.bounds[side];
          return (
            <FormField
              key={side}
              name={['values', side]}
              label={side === 'low' ? `Low limit, ${item.unit}` : `High limit, ${item.unit}`}
              isOptional
              hint={`${range === null ? '' : `${range.min} to ${range.max}. `}Empty: as the site’s${
                item.priority === 'high' ? '' : ', or "off"'
              }`}
            />
          );
        })}
      </div>
      <TypedPreview item={item} sides={sides} patientId={patient.id} />
      <FormField name="reason" label="Reason" />
      <FormField name="reviewAt" label="Review on" hint={dayHints[user.site.dateOrder]} isOptional>
        <DayPicker site={user.site} />
      </FormField>
    </SchemaForm>
  );
}

type Side = 'low' | 'high';

/** Returns the limits that were typed. */
function valuesOf(typed: Record<Side, string>, sides: readonly Side[]): LimitValues {
  const values: LimitValues = {};
  for (const side of sides) {
    const value = readLimit(typed[side]);
    if (value !== undefined) {
      values[side] = value;
    }
  }
  return values;
}

function TypedPreview({ item, sides, patientId }: { item: Item; sides: readonly Side[]; patientId: number }) {
  const form = Form.useFormInstance<{ values: Record<Side, string> }>();
  const typed: unknown = Form.useWatch('values', form);
  const isTyped = z.object({ low: z.string().default(''), high: z.string().default('') }).safeParse(typed);
  const values = isTyped.success ? valuesOf(isTyped.data, sides) : {};
  const isLimit = sides.every((side) => limitText.safeParse(values[side]).success);
  const isChanged = sides.some((side) => values[side] !== item.own?.values[side]);
  return (
    <LimitsPreview
      patientId={patientId}
      rule={item.rule}
      values={isTyped.success && isLimit && isChanged ? values : null}
    />
  );
}

function textOf(value: number | null | undefined): string {
  return value === undefined ? '' : value === null ? 'off' : String(value);
}
