import { useNow } from '../../hooks/useNow';
import { Age } from '../ui/Age';

interface LiveAgeProps {
  instant: string;
  initialNow: number;
  timeZone: string;
}

/** An age that grows by itself, without a render of the row around it. */
export function LiveAge({ instant, initialNow, timeZone }: LiveAgeProps) {
  return <Age since={Date.parse(instant)} now={useNow(initialNow)} timeZone={timeZone} />;
}
