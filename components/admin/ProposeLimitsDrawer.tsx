import { Checkbox } from 'antd';
import { Fragment, useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { newSiteLimits, type LimitsProposal, type SiteLimitsResponse } from '../../lib/alerts/siteLimitsSchema';
import { sidesWords, siteLimitName } from '../../lib/alerts/siteLimitsWords';
import type { User } from '../../lib/session/schema';
import { dayOf } from '../../lib/time/dayOf';
import { startOfDay } from '../../lib/time/startOfDay';
import { dayHints, DayPicker } from '../ui/DayPicker';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import admin from './admin.module.css';
import styles from './AlertSettings.module.css';

type SiteLimit = SiteLimitsResponse['items'][number];

interface ProposeLimitsDrawerProps {
  limit: SiteLimit;
  proposals: readonly LimitsProposal[];
  site: User['site'];
  onClose: () => void;
  onProposed: () => void;
}

/** Proposes the limits of one rule. It says what holds now and what it replaces, as they were when it opened. */
export function ProposeLimitsDrawer({ limit, proposals, site, onClose, onProposed }: ProposeLimitsDrawerProps) {
  const propose = useCall('proposeSiteLimits');
  const [{ settingId, holds, site: ofSite, default: usual, rule, scale }] = useState(limit);
  const [open] = useState(() =>
    proposals.find((one) => one.state === 'proposed' && one.rule === limit.rule && one.scale === limit.scale),
  );
  const { bounds, unit, priority } = limit;
  const name = siteLimitName(limit);
  return (
    <FormDrawer title={`Propose: ${name}`} onClose={onClose}>
      <SchemaForm
        schema={newSiteLimits}
        initial={{
          values: { low: textOf(ofSite?.values.low), high: textOf(ofSite?.values.high) },
          isLowOff: ofSite?.values.low === null,
          isHighOff: ofSite?.values.high === null,
          reviewAt:
            ofSite === null || ofSite.reviewAt === null ? '' : dayOf(Date.parse(ofSite.reviewAt), site.timeZone),
          reason: '',
        }}
        bodyOf={({ values, isLowOff, isHighOff, reviewAt, reason }) => ({
          rule,
          scale,
          values: {
            ...(bounds.low === null ? {} : { low: isLowOff ? null : numberOf(values.low) }),
            ...(bounds.high === null ? {} : { high: isHighOff ? null : numberOf(values.high) }),
          },
          reviewAt: reviewAt === '' ? null : new Date(startOfDay(reviewAt, site.timeZone)).toISOString(),
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
        <p className={styles.now}>
          Now {sidesWords(holds, limit)}, default {sidesWords(usual, limit)}.
        </p>
        {open === undefined ? null : (
          <p className={`${admin.warning} ${styles.now}`}>
            It replaces the proposal of {open.proposedBy.name}: {sidesWords(open.wanted, limit)}.
          </p>
        )}
        {(['low', 'high'] as const).map((side) => {
          const range = bounds[side];
          const Side = side === 'low' ? 'Low' : 'High';
          return range === null ? null : (
            <Fragment key={side}>
              <FormField
                name={['values', side]}
                label={`${Side} limit (${unit})`}
                hint={`${range.min} to ${range.max}. Empty: the default`}
                isOptional
                inputMode="numeric"
              />
              {priority === 'high' ? null : (
                <FormField name={`is${Side}Off`} label={`${Side} alert`} isOptional valuePropName="checked">
                  <Checkbox>Off for the whole site</Checkbox>
                </FormField>
              )}
            </Fragment>
          );
        })}
        <FormField
          name="reviewAt"
          label="Review on"
          hint={`${dayHints[site.dateOrder]}. A reminder; the limit stays`}
          isOptional
        >
          <DayPicker site={site} />
        </FormField>
        <FormField name="reason" label="Reason" hint="The user who approves reads it" />
      </SchemaForm>
    </FormDrawer>
  );
}

const textOf = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : String(value);

/** Returns what was typed as a number, or as it is if it is none: the schema says so. */
function numberOf(typed: string): number | string | undefined {
  const text = typed.trim();
  if (text === '') {
    return undefined;
  }
  return Number.isFinite(Number(text)) ? Number(text) : text;
}
