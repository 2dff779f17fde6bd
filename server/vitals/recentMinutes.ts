import { formatSparkMinute, sparkKinds, sparkMinutes, type SparkKind } from '../../lib/vitals/spark';
import { kindOfCode } from '../../lib/vitals/kinds';
import { seriesKey } from './sample';
import type { Rollup } from './rollUp';

/** One kind of one patient: a place for each minute of an hour, used again by the minute an hour later. */
interface Course {
  /** The minute after the newest one held. */
  until: number;
  texts: string[];
}

/**
 * The closed minutes of the last hour, as spark lines show them, in memory: a list of hundreds of patients does not ask
 * the store. Changes when a minute is closed or redone.
 */
export class RecentMinutes {
  private readonly courses = new Map<number, Course>();

  /**
   * Takes in what an epoch minute held, in place of what was known of it; of what no list draws, and of what is older
   * than an hour, nothing is kept.
   */
  put({ patientId, kind, minute, rollup }: { patientId: number; kind: number; minute: number; rollup: Rollup }): void {
    const name = kindOfCode(kind);
    if (!isDrawn(name)) {
      return;
    }
    const key = seriesKey(patientId, kind);
    let course = this.courses.get(key);
    if (course === undefined) {
      course = { until: minute, texts: noMinutes.slice() };
      this.courses.set(key, course);
    }
    if (minute < course.until - sparkMinutes) {
      return;
    }
    for (let skipped = Math.max(course.until, minute - sparkMinutes); skipped < minute; skipped += 1) {
      course.texts[skipped % sparkMinutes] = '';
    }
    course.until = Math.max(course.until, minute + 1);
    course.texts[minute % sparkMinutes] = formatSparkMinute(name, rollup);
  }

  /** The minutes from an epoch minute on, oldest first; "" where nothing is known. */
  read(patientId: number, kind: number, from: number): string[] {
    const texts = noMinutes.slice();
    const course = this.courses.get(seriesKey(patientId, kind));
    if (course !== undefined) {
      const last = Math.min(from + sparkMinutes, course.until);
      // A plain loop: a ward's page asks for sixty thousand of them at once.
      for (let minute = Math.max(from, course.until - sparkMinutes); minute < last; minute += 1) {
        texts[minute - from] = course.texts[minute % sparkMinutes] ?? '';
      }
    }
    return texts;
  }
}

const noMinutes: readonly string[] = Array.from({ length: sparkMinutes }, () => '');

function isDrawn(kind: string): kind is SparkKind {
  return sparkKinds.some((drawn) => drawn === kind);
}
