import { harmonics, riseShare, type Burst } from '../sound/bursts';

/**
 * Schedules a burst on an audio context, live or offline, from `at` (seconds of the context) on. Each pulse rises and
 * falls smoothly, so that it does not click.
 */
export function scheduleBurst(
  context: BaseAudioContext,
  { fundamentalHz, pulses }: Burst,
  volume: number,
  at: number,
): void {
  const sines = Float32Array.from([0, ...harmonics]);
  const wave = context.createPeriodicWave(new Float32Array(sines.length), sines);
  for (const { startMs, lengthMs } of pulses) {
    const start = at + startMs / 1_000;
    const end = start + lengthMs / 1_000;
    const rise = (lengthMs * riseShare) / 1_000;
    const oscillator = context.createOscillator();
    oscillator.setPeriodicWave(wave);
    oscillator.frequency.value = fundamentalHz;
    const loudness = context.createGain();
    loudness.gain.setValueAtTime(0, start);
    loudness.gain.linearRampToValueAtTime(volume, start + rise);
    loudness.gain.setValueAtTime(volume, end - rise);
    loudness.gain.linearRampToValueAtTime(0, end);
    oscillator.connect(loudness).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(end);
  }
}
