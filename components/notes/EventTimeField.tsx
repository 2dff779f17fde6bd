import { useState } from 'react';
import { formatDate, formatTime, zoneLabel } from '../../lib/time/formatTime';
import { fromWallTime, toWallTime } from '../../lib/time/wallTime';
import { TextField } from '../ui/TextField';

interface EventTimeFieldProps {
  /** An instant; null: now, until the draft is begun. */
  value: string | null;
  /** The server's time, epoch milliseconds. */
  now: number;
  timeZone: string;
  isLocked: boolean;
  error: string | undefined;
  onChange: (value: string) => void;
}

/**
 * When it happened, on the site's clocks. The hint says it in words, because a browser may put the month first. Half a
 * time changes nothing: when the field is left, it shows again what is stored.
 */
export function EventTimeField({ value, now, timeZone, isLocked, error, onChange }: EventTimeFieldProps) {
  const [isHalf, setIsHalf] = useState(false);
  const at = value === null ? now : Date.parse(value);
  return (
    <TextField
      type="datetime-local"
      label="Time of the event"
      hint={`${formatDate(at, timeZone)}, ${formatTime(at, timeZone)} ${zoneLabel(at, timeZone)}`}
      error={error}
      // A browser gives an empty text for half a time; setting the whole one then would undo each key.
      value={isHalf ? '' : toWallTime(at, timeZone)}
      max={toWallTime(now, timeZone)}
      disabled={isLocked}
      onChange={(text) => {
        const chosen = fromWallTime(text, timeZone);
        setIsHalf(chosen === null);
        if (chosen !== null) {
          onChange(new Date(chosen).toISOString());
        }
      }}
      onBlur={() => setIsHalf(false)}
    />
  );
}
