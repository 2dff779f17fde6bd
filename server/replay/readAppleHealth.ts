import { readNumber } from './readNumber';
import type { Row } from './recording';

/**
 * The types of records that are played, with their units (developer.apple.com/documentation/healthkit). A saturation is
 * a fraction, although its unit says percent.
 */
const units = new Map(Object.entries({ OxygenSaturation: '%', HeartRate: 'count/min', RespiratoryRate: 'count/min' }));

const record = /<Record\s((?:[^<>"']|"[^"]*"|'[^']*')*)>/g;
const attribute = /([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Reads the export.xml of Apple Health as a table, with a column for each app or device that writes a type. */
export function readAppleHealth(text: string): Row[] {
  return [...text.matchAll(record)].flatMap(([, attributes = '']) => {
    const pairs = [...attributes.matchAll(attribute)].map(([, name = '', a, b = '']) => [name, a ?? b] as const);
    const { type = '', unit = '', value = '', sourceName = '', startDate = '' } = Object.fromEntries(pairs);
    const name = type.replace('HKQuantityTypeIdentifier', '');
    const column = `${name}${unit === units.get(name) ? '' : ` in ${unit}`} (${sourceName})`;
    return units.has(name) ? [{ time: startDate, [column]: unit === '%' ? percentOf(value) : value }] : [];
  });
}

/** Some apps write percent all the same. */
function percentOf(text: string): string {
  const value = readNumber(text);
  return typeof value === 'number' && value <= 1 ? String(Math.round(value * 1_000) / 10) : text;
}
