import { describeRecording } from './describeRecording';

describe('describeRecording', () => {
  it('says that a recording holds nothing', () => {
    expect(
      describeRecording('a.csv', 'A-1', { format: 'bidmc', samples: [], expectedEveryMs: 1_000, skipped: {} }),
    ).toEqual(['a.csv -> MRN A-1: bidmc, 0 samples in 0s, one every 1s']);
  });

  it('tells each kind with its range, what is no signal, what comes late and what is not played', () => {
    const lines = describeRecording('stay.csv', 'A-1', {
      format: 'chartevents',
      expectedEveryMs: 3_600_000,
      skipped: { pain: 4 },
      samples: [
        { kind: 'spo2', value: 97, atMs: 0, enteredAtMs: 60_000, quality: 'good' },
        { kind: 'spo2', value: 88, atMs: 3_600_000, quality: 'good' },
        { kind: 'spo2', value: 0, atMs: 7_200_000, quality: 'invalid' },
        { kind: 'heartRate', value: 0, atMs: 0, quality: 'good' },
        { kind: 'consciousness', value: 'A', atMs: 7_260_000, quality: 'good' },
      ],
    });
    expect(lines).toEqual([
      'stay.csv -> MRN A-1: chartevents, 5 samples in 2h, one every 1h',
      '  spo2: 3, 88 to 97, no signal 1',
      '  heartRate: 1, 0 to 0',
      '  consciousness: 1',
      '  late entries: 1',
      '  not played, pain: 4',
    ]);
  });
});
