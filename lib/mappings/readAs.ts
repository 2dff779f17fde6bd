import type { CodeRow } from '../hl7/codes';
import { convert } from '../hl7/readValue';
import { isPossible, kinds, type VitalKind } from '../vitals/kinds';
import { formatVital } from '../vitals/roundVital';
import type { SenderCode, SentValue, ShownValues } from './schema';

/** Returns a number as it was sent, with its unit: "36.9 Cel". */
export function sentText({ value, unit }: SentValue): string {
  const name = unit.text === '' ? unit.id : unit.text;
  return name === '' ? `${value} without a unit` : `${value} ${name}`;
}

/** Says what a number would be once its code is mapped, or why it would be none. */
export function readAs(row: CodeRow, { value, unit }: SentValue): string {
  const converted = convert(row, value, unit);
  if (converted === 'unit') {
    return 'Refused: not a unit of it';
  }
  return isPossible(row.kind, converted)
    ? withUnit(row.kind, [converted])
    : `No value: outside ${takenRange(row.kind)}`;
}

/** Says in a sentence what the last numbers of a code would be once it is mapped. */
export function lastReadAs(row: CodeRow, last: readonly SentValue[]): string {
  const taken = last
    .map(({ value, unit }) => convert(row, value, unit))
    .filter((value) => value !== 'unit')
    .filter((value) => isPossible(row.kind, value));
  const refused = last.length - taken.length;
  const words = [
    taken.length === 0
      ? `None of its last ${last.length} values would be taken.`
      : `Its last values would be ${withUnit(row.kind, range(taken))}.`,
    ...(refused === 0 || taken.length === 0 ? [] : [`${refused} of ${last.length} would not be taken.`]),
  ];
  return last.length === 0 ? 'It has sent no number since the server started.' : words.join(' ');
}

/** Says what became of the values that came before a code was mapped; '' if nothing is known of them. */
export function earlierWords(earlier: NonNullable<SenderCode['mapping']>['earlier']): string {
  switch (earlier) {
    case null:
      return '';
    case 'reading':
      return 'Earlier values are being read';
    case 'key_missing':
      return 'Earlier values wait: the key of the messages cannot be read. Ask who runs the server';
    default:
      return [
        `Earlier values read: ${inThousands(earlier.values)}`,
        ...(earlier.leftOut === 0 ? [] : [`of no patient here, or refused: ${inThousands(earlier.leftOut)}`]),
        ...(earlier.unread === 0 ? [] : [`messages that could not be read: ${inThousands(earlier.unread)}`]),
      ].join('; ');
  }
}

const inThousands = (count: number): string => count.toLocaleString('en-GB');

/** Says in a sentence what a kind shows now on the site's screens. */
export function shownWords(kind: VitalKind, shown: ShownValues | undefined): string {
  const { label } = kinds[kind];
  if (shown === undefined) {
    return `No patient here has ${label} now.`;
  }
  const { count, min, middle, max } = shown;
  const values = withUnit(kind, range([min, max]));
  return count === 1
    ? `One patient here has ${label} ${values} now.`
    : `${count} patients here have ${label} ${values} now, ${withUnit(kind, [middle])} in the middle.`;
}

/** Says in which range values of a kind are taken: "0 to 100 %". */
export function takenRange(kind: VitalKind): string {
  const { min, max } = kinds[kind].plausible;
  return withUnit(kind, [min, max]);
}

function range(values: readonly number[]): number[] {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  return min === max ? [min] : [min, max];
}

function withUnit(kind: VitalKind, values: readonly number[]): string {
  return `${values.map((value) => formatVital(kind, value)).join(' to ')} ${kinds[kind].unit}`;
}
