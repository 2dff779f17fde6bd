import type { VitalKind } from '../../lib/vitals/kinds';
import type { PressureSource, SkipReason } from './recording';

/** What a chart item is: a kind that is played when its unit fits, or something that is not played and why. */
export type ChartItem =
  | { use: 'number'; kind: VitalKind; unit: RegExp; source?: PressureSource; toOurUnit?: (value: number) => number }
  | { use: 'consciousness' }
  | { use: 'skip'; reason: SkipReason };

const perMinute = /^(bpm|insp\/min)$/i;
const percent = /^%$/;
const mmHg = /^mmhg$/i;
// The newer of the two charting systems exports the degree sign as "?".
const celsius = /^(deg\. ?|[?°])c$/i;
const fahrenheit = /^(deg\. ?|[?°])f$/i;
const litresPerMinute = /^(lpm|l\/min)$/i;

/** Returns degrees Celsius for degrees Fahrenheit, rounded to the tenth that a thermometer shows. */
export function celsiusOf(degreesFahrenheit: number): number {
  return Math.round(((degreesFahrenheit - 32) * 50) / 9) / 10;
}

function number(kind: VitalKind, unit: RegExp): ChartItem {
  return { use: 'number', kind, unit };
}

function pressure(kind: 'systolic' | 'diastolic', source: PressureSource): ChartItem {
  return { use: 'number', kind, unit: mmHg, source };
}

function skip(reason: SkipReason): ChartItem {
  return { use: 'skip', reason };
}

const fromFahrenheit: ChartItem = { use: 'number', kind: 'temperature', unit: fahrenheit, toOurUnit: celsiusOf };

/**
 * The vital-sign items of MIMIC's chart events by item id: below 220000 the older charting system (CareVue), above the
 * newer one (MetaVision).
 */
export const chartItems: ReadonlyMap<string, ChartItem> = new Map([
  ['211', number('heartRate', perMinute)],
  ['220045', number('heartRate', perMinute)],
  ['646', number('spo2', percent)],
  ['220277', number('spo2', percent)],
  ['618', number('respiratoryRate', perMinute)],
  ['220210', number('respiratoryRate', perMinute)],
  // A ventilator's total rate, often charted at the same minute as the patient's own with another value.
  ['615', skip('second device of the same kind')],

  ['676', number('temperature', celsius)],
  ['223762', number('temperature', celsius)],
  ['678', fromFahrenheit],
  ['223761', fromFahrenheit],
  ['677', skip('calculated from another row')],
  ['679', skip('calculated from another row')],

  ['455', pressure('systolic', 'cuff')],
  ['8441', pressure('diastolic', 'cuff')],
  ['220179', pressure('systolic', 'cuff')],
  ['220180', pressure('diastolic', 'cuff')],
  ['51', pressure('systolic', 'invasive')],
  ['8368', pressure('diastolic', 'invasive')],
  ['220050', pressure('systolic', 'invasive')],
  ['220051', pressure('diastolic', 'invasive')],
  ...['52', '456', '220052', '220181'].map((id) => [id, skip('mean pressure')] as const),

  ['470', number('oxygenFlow', litresPerMinute)],
  ['223834', number('oxygenFlow', litresPerMinute)],
  // A second outlet: whether the two flows add up is not in the chart.
  ['471', skip('second device of the same kind')],
  ['227287', skip('second device of the same kind')],
  ...['467', '226732'].map((id) => [id, skip('oxygen device')] as const),
  ...['190', '223835'].map((id) => [id, skip('oxygen fraction, not a flow')] as const),

  ['432', { use: 'consciousness' }],
  ['226104', { use: 'consciousness' }],
  ...['184', '198', '454', '723', '220739', '223900', '223901'].map((id) => [id, skip('coma scale')] as const),
  ...['1046', '223781', '223791'].map((id) => [id, skip('pain')] as const),
  ...['807', '225664'].map((id) => [id, skip('glucose')] as const),

  ...['5813', '5815', '5817', '5819', '5820', '8547', '8549', '8551', '8553', '8554'].map(
    (id) => [id, skip('alarm limit')] as const,
  ),
  ...['220046', '220047', '220056', '220058', '223751', '223752', '223769', '223770', '224161', '224162', '226253'].map(
    (id) => [id, skip('alarm limit')] as const,
  ),
]);
