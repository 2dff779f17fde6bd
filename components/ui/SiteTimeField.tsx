import { useState } from 'react';
import { formatDate, formatTime, zoneLabel } from '../../lib/time/formatTime';
import type { EpochMs } from '../../lib/time/epochMs';
import { fromWallTime, toWallTime } from '../../lib/time/wallTime';
import { TextField } from './TextField';

interface SiteTimeFieldProps {
  label: string;
  /** Null: not stated. */
  at: EpochMs | null;
  /** The server's time: nothing happened later. */
  now: EpochMs;
  timeZone: string;
  isLocked: boolean;
  error: string | undefined;
  /** Gets null for half a time. */
  onChange: (at: EpochMs | null) => void;
}

/** A time on the site's clocks. The hint says it in words, because a browser may put the month first. */
export function SiteTimeField({ label, at, now, timeZone, isLocked, error, onChange }: SiteTimeFieldProps) {
  // A browser gives an empty text for half a time; setting a whole one then would undo each key.
  const [isHalf, setIsHalf] = useState(false);
  return (
    <TextField
      type="datetime-local"
      label={label}
      hint={
        at === null
          ? 'Not stated'
          : `${formatDate(at, timeZone)}, ${formatTime(at, timeZone)} ${zoneLabel(at, timeZone)}`
      }
      error={error}
      value={at === null || isHalf ? '' : toWallTime(at, timeZone)}
      max={toWallTime(now, timeZone)}
      disabled={isLocked}
      onChange={(text) => {
        const chosen = fromWallTime(text, timeZone);
        setIsHalf(chosen === null);
        onChange(chosen);
      }}
      onBlur={() => setIsHalf(false)}
    />
  );
}
