import { formatDate, formatTime, zoneLabel } from '../../lib/time/formatTime';
import { fromWallTime, toWallTime } from '../../lib/time/wallTime';
import { TextField } from '../ui/TextField';

interface EventTimeFieldProps {
  /** An instant; null: when the draft was begun. */
  value: string | null;
  /** When it was begun, and now: the server's time, epoch milliseconds. */
  begunAt: number;
  now: number;
  timeZone: string;
  isLocked: boolean;
  error: string | undefined;
  onChange: (value: string | null) => void;
}

/** When it happened, on the site's clocks. The hint says it in words, because a browser may put the month first. */
export function EventTimeField({ value, begunAt, now, timeZone, isLocked, error, onChange }: EventTimeFieldProps) {
  const at = value === null ? begunAt : Date.parse(value);
  return (
    <TextField
      type="datetime-local"
      label="Time of the event"
      hint={`${formatDate(at, timeZone)}, ${formatTime(at, timeZone)} ${zoneLabel(at, timeZone)}`}
      error={error}
      value={toWallTime(at, timeZone)}
      max={toWallTime(now, timeZone)}
      disabled={isLocked}
      onChange={(text) => {
        const chosen = fromWallTime(text, timeZone);
        onChange(chosen === null ? null : new Date(chosen).toISOString());
      }}
    />
  );
}
