import { celsiusOf } from './chartItems';
import { readChartEvents } from './readChartEvents';

const header = 'charttime,storetime,itemid,label,value,valuenum,valueuom,error';
const minute = 60_000;

function row(changes: Partial<Record<string, string>>): string {
  const cells: Record<string, string> = {
    charttime: '2130-05-01 10:00:00',
    storetime: '2130-05-01 10:00:00',
    itemid: '220045',
    label: 'Heart Rate',
    value: '80',
    valuenum: '80',
    valueuom: 'bpm',
    error: '0',
  };
  return header
    .split(',')
    .map((name) => changes[name] ?? cells[name])
    .join(',');
}

function read(...rows: Partial<Record<string, string>>[]): ReturnType<typeof readChartEvents> {
  return readChartEvents([header, ...rows.map(row)].join('\n'));
}

const numeric = (itemid: string, valuenum: string, valueuom: string): Partial<Record<string, string>> => ({
  itemid,
  value: valuenum,
  valuenum,
  valueuom,
});

describe('readChartEvents', () => {
  it('never plays a row that is flagged as an error', () => {
    expect(read({ error: '1' })).toMatchObject({ samples: [], skipped: { 'flagged as a charting error': 1 } });
    expect(read({ error: '' }).samples).toHaveLength(1);
  });

  it.each([
    ['alarm limit', numeric('8549', '120', 'BPM')],
    ['alarm limit', numeric('226253', '85', '%')],
    ['pain', { itemid: '223791', value: 'Moderate', valuenum: '5', valueuom: '' }],
    ['glucose', numeric('807', '148', '')],
    ['coma scale', { itemid: '220739', value: 'Spontaneously', valuenum: '4', valueuom: '' }],
    ['mean pressure', numeric('456', '80', 'mmHg')],
    ['oxygen fraction, not a flow', numeric('223835', '50', '')],
    ['oxygen device', { itemid: '467', value: 'Face Tent', valuenum: '', valueuom: '' }],
    ['second device of the same kind', numeric('471', '2', 'lpm')],
    ['calculated from another row', numeric('679', '98.6', 'Deg. F')],
    ['unknown item', numeric('999999', '1', 'bpm')],
    ['no value (empty or NaN)', numeric('646', '', '%')],
    ['not a number', numeric('646', 'ninety', '%')],
    ['unit does not fit', numeric('676', '98.6', 'Deg. F')],
    ['unit does not fit', numeric('470', '0.4', '')],
    ['unreadable time', { charttime: '2130-02-30 10:00:00' }],
    ['unreadable time', { storetime: 'soon' }],
  ])('does not play, but counts: %s', (reason, changes) => {
    expect(read(changes)).toMatchObject({ samples: [], skipped: { [reason]: 1 } });
  });

  it.each([
    ['211', '80', 'BPM', 'heartRate', 80],
    ['220277', '97', '%', 'spo2', 97],
    ['618', '14', 'BPM', 'respiratoryRate', 14],
    ['220210', '14', 'insp/min', 'respiratoryRate', 14],
    ['676', '36.9', 'Deg. C', 'temperature', 36.9],
    ['678', '98.6', 'Deg. F', 'temperature', 37],
    ['223761', '100.4', '?F', 'temperature', 38],
    ['470', '2.5', 'lpm', 'oxygenFlow', 2.5],
    ['223834', '0', 'L/min', 'oxygenFlow', 0],
  ])('plays item %s, %s %s, as %s %s', (itemid, valuenum, unit, kind, value) => {
    expect(read(numeric(itemid, valuenum, unit)).samples).toMatchObject([{ kind, value, quality: 'good' }]);
  });

  it.each([
    [32, 0],
    [97.7, 36.5],
    [98.6, 37],
    [104, 40],
    [92.9, 33.8],
  ])('converts %s degrees Fahrenheit to %s degrees Celsius', (fahrenheit, celsius) => {
    expect(celsiusOf(fahrenheit)).toBe(celsius);
  });

  it.each([
    ['heartRate', numeric('220045', '0', 'bpm'), 'good'],
    ['respiratoryRate', numeric('220210', '0', 'insp/min'), 'good'],
    ['spo2', numeric('646', '0', '%'), 'invalid'],
  ])('plays a charted %s of 0 as the kind means it', (kind, changes, quality) => {
    expect(read(changes).samples).toMatchObject([{ kind, value: 0, quality }]);
  });

  it('shows an entry from its chart time on, or from when it was stored, whichever is later', () => {
    const { samples } = read(
      { storetime: '2130-05-01 10:47:00' },
      { charttime: '2130-05-01 11:00:00', storetime: '2130-05-01 10:42:00' },
      { charttime: '2130-05-01 12:00:00', storetime: '' },
    );
    expect(samples.map(({ atMs, enteredAtMs }) => [atMs, enteredAtMs])).toEqual([
      [0, 47 * minute],
      [60 * minute, 42 * minute],
      [120 * minute, 120 * minute],
    ]);
  });

  it('plays the same value twice where it was charted twice, and two values at one time as they come', () => {
    expect(read({}, {}, { valuenum: '82' }).samples.map(({ value }) => value)).toEqual([80, 80, 82]);
  });

  it.each([
    ['Alert', 'A'],
    ['Arouse to Voice', 'V'],
    ['Arouse to Pain', 'P'],
    ['Unresponsive', 'U'],
  ])('plays "%s" as %s', (value, letter) => {
    const changes = { itemid: '226104', value, valuenum: '', valueuom: '' };
    expect(read(changes).samples).toMatchObject([{ kind: 'consciousness', value: letter, quality: 'good' }]);
  });

  it.each(['Confused', 'Lethargic', 'Sleeping', 'Sedated', 'Arouse to Stimulation', 'Awake/Unresponsive', 'alert?'])(
    'does not guess what "%s" is',
    (value) => {
      const changes = { itemid: '432', value, valuenum: '', valueuom: '' };
      expect(read(changes)).toMatchObject({
        samples: [],
        skipped: { 'consciousness without a single ACVPU letter': 1 },
      });
    },
  );

  it('plays one pressure source: the one that measured more often, or the one asked for', () => {
    const line = [row(numeric('51', '120', 'mmHg')), row(numeric('8368', '60', 'mmHg'))];
    const cuff = [row(numeric('455', '110', 'mmHg')), row(numeric('8441', '50', 'mmHg'))];
    const systolic = (rows: string[], pressure?: 'cuff' | 'invasive') =>
      readChartEvents([header, ...rows].join('\n'), pressure)
        .samples.filter(({ kind }) => kind === 'systolic')
        .map(({ value }) => value);
    expect(systolic([...line, ...cuff])).toEqual([110]);
    expect(systolic([...line, ...cuff], 'invasive')).toEqual([120]);
    expect(systolic(line)).toEqual([120]);
    expect(systolic([...line, ...line, ...cuff])).toEqual([120, 120]);
    expect(systolic([...line, row({ ...numeric('455', '110', 'mmHg'), error: '1' })])).toEqual([120]);
  });
});
