import { useState } from 'react';
import { formatDate, formatTime, zoneLabel } from '../../lib/time/formatTime';
import { fromWallTime, toWallTime } from '../../lib/time/wallTime';
import { TextField } from '../ui/TextField';

interface WhenFieldProps {
  label: string;
  /** An instant; an empty text: not stated. */
  value: string;
  /** The server's time, epoch milliseconds: nothing happened later. */
  now: number;
  timeZone: string;
  isLocked: boolean;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** A time on the site's clocks, or none. The hint says it in words, because a browser may put the month first. */
export function WhenField({ label, value, now, timeZone, isLocked, error, onChange }: WhenFieldProps) {
  const at = value === '' ? null : Date.parse(value);
  // A browser gives an empty text for half a time; half a time is none yet.
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
        onChange(chosen === null ? '' : new Date(chosen).toISOString());
      }}
      onBlur={() => setIsHalf(false)}
    />
  );
}
