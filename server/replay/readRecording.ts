import { readBidmc } from './readBidmc';
import { readChallenge2019 } from './readChallenge2019';
import { readChartEvents } from './readChartEvents';
import { readMinutes } from './readMinutes';
import { UnreadableRecording, type PressureSource, type Recording } from './recording';

export const formatNames = ['bidmc', 'minutes', 'challenge2019', 'chartevents'] as const;
export type FormatName = (typeof formatNames)[number];

interface Format {
  /** The beginning of a header that no other format has. */
  header: RegExp;
  read: (text: string, pressure?: PressureSource) => Recording;
}

const formats = {
  bidmc: { header: /^Time \[s\]\s*,/, read: readBidmc },
  minutes: { header: /^minute\s*,/, read: readMinutes },
  challenge2019: { header: /^(?=[^\r\n]*\|ICULOS\|?)HR\|/, read: readChallenge2019 },
  chartevents: { header: /^charttime,storetime,itemid,/, read: readChartEvents },
} as const satisfies Record<FormatName, Format>;

/** Takes a recording's text and says by its header which format it is in, or null. */
export function detectFormat(text: string): FormatName | null {
  const start = text.replace(/^\uFEFF/, '');
  return formatNames.find((name) => formats[name].header.test(start)) ?? null;
}

/**
 * Takes the text of a file and returns the recording in it. `format` overrules the header, `pressure` the choice of the
 * pressure source. Throws UnreadableRecording when no format fits or the file breaks its own format.
 */
export function readRecording(
  text: string,
  choice: { format?: FormatName; pressure?: PressureSource },
): Recording & { format: FormatName } {
  const format = choice.format ?? detectFormat(text);
  if (format === null) {
    throw new UnreadableRecording(`has a header of no known format (${formatNames.join(', ')}); --format names one`);
  }
  return { ...formats[format].read(text, choice.pressure), format };
}
